import { execFile } from "node:child_process";
import { chown, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createFolder } from "../fixtures/folder.ts";

const run = promisify(execFile);
const module = pathToFileURL(join(import.meta.dirname, "../../src/cli/compile-cache.ts")).href;

/**
 * The folder of a process's compile cache, for this address of the command's first module; "none"
 * if there is none.
 */
async function keptBy(main: string, env: Record<string, string> = {}): Promise<string> {
  const { NODE_COMPILE_CACHE: _, ...others } = process.env;
  const script = `
    import { getCompileCacheDir } from "node:module";
    const { keepCompiled } = await import(${JSON.stringify(module)});
    keepCompiled(${JSON.stringify(main)});
    console.log(getCompileCacheDir() ?? "none");`;
  const args = ["--input-type=module", "--eval", script];
  const { stdout } = await run(process.execPath, args, { env: { ...others, ...env } });
  return stdout.trim();
}

test("the built command keeps compiled code beside itself", async () => {
  const beside = await realpath(createFolder());
  const main = pathToFileURL(join(beside, "main.js")).href;
  expect(await keptBy(main)).toContain(join(beside, "compiled") + sep);
});

test("from source nothing is kept", async () => {
  const main = pathToFileURL(join(await realpath(createFolder()), "main.ts")).href;
  expect(await keptBy(main)).toBe("none");
});

test("an operator names another folder, or none", async () => {
  const main = pathToFileURL(join(await realpath(createFolder()), "main.js")).href;
  const other = await realpath(createFolder());
  expect(await keptBy(main, { NODE_COMPILE_CACHE: other })).toContain(other);
  expect(await keptBy(main, { NODE_DISABLE_COMPILE_CACHE: "1" })).toBe("none");
});

test.skipIf(process.geteuid?.() !== 0)("root leaves nothing in another user's folder", async () => {
  const beside = await realpath(createFolder());
  await chown(beside, 1000, 1000);
  expect(await keptBy(pathToFileURL(join(beside, "main.js")).href)).toBe("none");
});
