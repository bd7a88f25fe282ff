// Suite: slow
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeBody } from "../../../src/runtime/node/platform.ts";
import { runs } from "../../fixtures/runs.ts";

const text = Buffer.from("a body that is worth compressing, a body that is worth it");
const limit = 1024;
// One for all tests: a buffer that is collected meanwhile would hide what decoding allocates.
const zeros = Buffer.alloc(16 * 1024 * 1024);

const codings = [
  ["gzip", gzipSync],
  ["x-gzip", gzipSync],
  ["GZIP", gzipSync],
  ["deflate", deflateSync],
  ["deflate", deflateRawSync],
  ["br", brotliCompressSync],
] as const;

describe.each(codings)("%s", (coding, encode) => {
  it("gives the bytes back", async () => {
    expect(await decodeBody(coding, encode(text), limit)).toEqual(text);
    expect(await decodeBody(coding, encode(Buffer.alloc(0)), limit)).toHaveLength(0);
  });

  it("takes exactly the limit, and not a byte more", async () => {
    expect(await decodeBody(coding, encode(text), text.length)).toEqual(text);
    expect(await decodeBody(coding, encode(text), text.length - 1)).toBeNull();
    expect(await decodeBody(coding, encode(Buffer.from("a")), 0)).toBeNull();
  });

  it("refuses a body that is cut at any place", async () => {
    const whole = encode(text);
    for (let end = 0; end < whole.length; end++) {
      expect(await decodeBody(coding, whole.subarray(0, end), limit)).toBeNull();
    }
  });

  it("refuses what follows the end", async () => {
    for (const more of ["x", "\0", "\0\0\0\0\0\0\0\0", "garbage"]) {
      const bytes = Buffer.concat([encode(text), Buffer.from(more)]);
      expect(await decodeBody(coding, bytes, limit)).toBeNull();
    }
  });

  it("refuses a bomb without inflating it", async () => {
    const bomb = encode(zeros);
    const before = process.memoryUsage().arrayBuffers;
    expect(await decodeBody(coding, bomb, limit)).toBeNull();
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1024 * 1024);
  });

  it("never throws, for any bytes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 64 }), async (bytes) => {
        const decoded = await decodeBody(coding, bytes, 100);
        expect(decoded === null || decoded.length <= 100).toBe(true);
      }),
      { numRuns: runs(200) },
    );
  });
});

it("joins the members of a gzip file", async () => {
  const bytes = Buffer.concat([gzipSync("one "), gzipSync("two")]);
  expect(String(await decodeBody("gzip", bytes, limit))).toBe("one two");
});

it("refuses a gzip body whose checksum is wrong", async () => {
  const bytes = gzipSync(text);
  bytes[bytes.length - 6]! ^= 1;
  expect(await decodeBody("gzip", bytes, limit)).toBeNull();
});

it.each(["identity", "zstd", "compress", "", "__proto__", "constructor"])(
  "does not know %j",
  async (coding) => {
    expect(await decodeBody(coding, text, limit)).toBeNull();
  },
);
