import { execFile } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import {
  loadKeys,
  loadSecret,
  ROUTE_KEYS,
  TOKEN_KEYS,
} from "../../../../src/runtime/node/credentials/keys.ts";
import { createFolder } from "../../../fixtures/folder.ts";

const loadRouteKeys = (given: string | undefined, directory: string) =>
  loadKeys(ROUTE_KEYS, { AFTERWORD_ROUTE_KEYS: given }, directory);
const loadTokenKeys = (given: string | undefined, directory: string) =>
  loadKeys(TOKEN_KEYS, { AFTERWORD_TOKEN_KEYS: given }, directory);
const mode = (file: string): number => statSync(file).mode & 0o777;
let made = 0;
const make = (): string => `secret-${++made}`;

describe("a secret in the data directory", () => {
  it("is made once, readable by its owner alone, in a directory that is made for it", async () => {
    const directory = join(createFolder(), "a", "b");
    const first = await loadSecret(directory, "key", make);
    expect(await loadSecret(directory, "key", make)).toBe(first);
    expect(readFileSync(join(directory, "key"), "utf8")).toBe(`${first}\n`);
    expect([mode(join(directory, "key")), mode(directory)]).toEqual([0o600, 0o700]);
    expect(readdirSync(directory)).toEqual(["key"]);
  });

  it("is one and the same for everybody who starts at the same time", async () => {
    const directory = createFolder();
    const all = await Promise.all(
      Array.from({ length: 30 }, () => loadSecret(directory, "key", make)),
    );
    expect(new Set(all).size).toBe(1);
    expect(readdirSync(directory)).toEqual(["key"]);
  });

  it("is the same for several processes", async () => {
    const directory = createFolder();
    const program = `
      import { loadSecret } from "./src/runtime/node/credentials/keys.ts";
      console.log(await loadSecret(${JSON.stringify(directory)}, "key", () => crypto.randomUUID()));
    `;
    const run = promisify(execFile);
    const outputs = await Promise.all(
      Array.from({ length: 4 }, () =>
        run(process.execPath, ["--input-type=module-typescript", "--eval", program]),
      ),
    );
    expect(new Set(outputs.map(({ stdout }) => stdout)).size).toBe(1);
  });

  it("is closed to others when it was found open", async () => {
    const directory = createFolder();
    writeFileSync(join(directory, "key"), "found\n", { mode: 0o644 });
    expect(await loadSecret(directory, "key", make)).toBe("found");
    expect(mode(join(directory, "key"))).toBe(0o600);
  });

  it("waits for another process that is still writing it", async () => {
    const directory = createFolder();
    const file = join(directory, "key");
    writeFileSync(file, "");
    const reading = loadSecret(directory, "key", make);
    setTimeout(() => writeFileSync(file, "written late\n"), 50);
    expect(await reading).toBe("written late");
  });

  it("names the file that is cut, and what to do", async () => {
    const directory = createFolder();
    writeFileSync(join(directory, "key"), "no line break");
    await expect(loadSecret(directory, "key", make)).rejects.toMatchObject({
      code: "data-directory-unusable",
      message: expect.stringContaining("delete it"),
    });
  });

  it("names a directory that is none, without the secret", async () => {
    const file = join(createFolder(), "file");
    writeFileSync(file, "");
    const failing = loadSecret(file, "key", () => "hunter2");
    await expect(failing).rejects.toMatchObject({ code: "data-directory-unusable" });
    await expect(failing).rejects.toThrow(file);
    await expect(failing).rejects.not.toThrow("hunter2");
  });

  it.skipIf(process.getuid?.() === 0)("names a directory that may not be written", async () => {
    const directory = createFolder();
    chmodSync(directory, 0o500);
    await expect(loadSecret(directory, "key", make)).rejects.toThrow(/EACCES/);
  });
});

describe("route keys", () => {
  it("come from the environment when they are given, in order, and touch no file", async () => {
    const directory = createFolder();
    const keys = await loadRouteKeys(" first-first-first , second-second-se ,", directory);
    expect(keys.map((key) => Buffer.from(key).toString())).toEqual([
      "first-first-first",
      "second-second-se",
    ]);
    expect(readdirSync(directory)).toEqual([]);
  });

  it("are created else, 32 random bytes that stay the same", async () => {
    const directory = createFolder();
    const [key] = await loadRouteKeys(undefined, directory);
    expect(Buffer.from(Buffer.from(key!).toString(), "base64url")).toHaveLength(32);
    expect(await loadRouteKeys("", directory)).toEqual([key]);
    expect(await loadRouteKeys(undefined, createFolder())).not.toEqual([key]);
  });

  it("that are too short are refused without being shown", async () => {
    const failing = loadRouteKeys("long-enough-long-enough,hunter2", createFolder());
    await expect(failing).rejects.toMatchObject({ code: "argument-invalid" });
    await expect(failing).rejects.not.toThrow("hunter2");
  });
});

describe.each([
  ["route keys", loadRouteKeys, "route-key"],
  ["keys of access tokens", loadTokenKeys, "token-key"],
])("%s of the data directory", (_, load, name) => {
  const first = "f".repeat(32);
  const second = "s".repeat(32);

  it("are one per line, and the first signs", async () => {
    const directory = createFolder();
    writeFileSync(join(directory, name), `${first}\n\n  ${second}\r\n`);
    const keys = await load(undefined, directory);
    expect(keys.map((key) => Buffer.from(key).toString())).toEqual([first, second]);
  });

  it("that are too short are refused with the name of their file", async () => {
    const directory = createFolder();
    writeFileSync(join(directory, name), `${first}\nhunter2\n`);
    const failing = load("", directory);
    await expect(failing).rejects.toThrow(join(directory, name));
    await expect(failing).rejects.not.toThrow("hunter2");
  });
});

it("keys of access tokens have 32 characters, in the environment too", async () => {
  const failing = loadTokenKeys("t".repeat(31), createFolder());
  await expect(failing).rejects.toThrow("every key in AFTERWORD_TOKEN_KEYS needs at least 32");
});
