import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { createWebPlatform } from "../../../src/runtime/web/web-platform.ts";

const platform = createWebPlatform();

test("digest is SHA-256 of UTF-8 text as hex", async () => {
  for (const text of ["", "é ☃", "x".repeat(10_000)]) {
    expect(await platform.digest(text)).toBe(createHash("sha256").update(text).digest("hex"));
  }
});

test("random gives as many bytes as asked for, beyond what one call may, and other ones each time", () => {
  expect(platform.random(0)).toEqual(new Uint8Array(0));
  for (const length of [16, 65_536, 200_001]) {
    const bytes = platform.random(length);
    expect(bytes.length).toBe(length);
    expect(bytes.subarray(-16).every((byte) => byte === 0)).toBe(false);
    expect(platform.random(length)).not.toEqual(bytes);
  }
});

test("now is the time of day, and clock only goes forward", () => {
  const before = Date.now();
  expect(platform.now()).toBeGreaterThanOrEqual(before);
  const first = platform.clock();
  expect(platform.clock()).toBeGreaterThanOrEqual(first);
});

test("decode knows the codings of the web", async () => {
  const decoded = await platform.decode("gzip", gzipSync("text"), 100);
  expect(Buffer.from(decoded ?? []).toString()).toBe("text");
});

test("it is silent by itself, and whatever is given takes the place of its own", () => {
  expect(platform.log("error", "event", { a: 1 })).toBeUndefined();
  const own = createWebPlatform({ now: () => 42, random: (length) => new Uint8Array(length) });
  expect(own.now()).toBe(42);
  expect(own.random(2)).toEqual(new Uint8Array(2));
  expect(own.clock()).toBeGreaterThan(0);
});
