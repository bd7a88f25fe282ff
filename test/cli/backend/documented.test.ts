import { execFile } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { expect, test, vi } from "vitest";
import { BACKEND_PARTS } from "../../../src/cli/backend/parts.ts";
import { backendCommand } from "../../../src/cli/commands/backend.ts";
import { brokenLinks, testedBlocks } from "../../docs/markdown.ts";
import { root } from "../../e2e/processes.ts";
import { folder } from "./place.ts";
import { freePort } from "../../fixtures/free-port.ts";

vi.setConfig({ testTimeout: 180_000 });

const page = join(root, "docs", "backend-operations.md");

test("the page prints what it says when its session is pasted into a shell in an empty folder", async () => {
  const blocks = testedBlocks(await readFile(page, "utf8"));
  expect(blocks.length).toBe(10);
  const port = String(await freePort());
  const mark = "----- next block";
  const script = blocks.map((block) => block.script).join(`\necho '${mark}'\n`);
  const outputs = (await shell(script.replaceAll("8799", port), port)).split(`${mark}\n`);
  for (const [index, { printed }] of blocks.entries()) {
    expect(outputs[index]?.trimEnd()).toBe(printed.text.replaceAll("8799", port));
  }
});

test("the page names every option of the backend and every part, and its links lead somewhere", async () => {
  const text = await readFile(page, "utf8");
  for (const { name } of backendCommand.options) expect(text).toContain(`\`--${name}`);
  for (const part of BACKEND_PARTS.keys()) {
    if (part !== "import") expect(text).toMatch(new RegExp(`backend ${part}\\b`));
  }
  expect(await brokenLinks([page])).toEqual([]);
});

/** Runs a script in an empty folder that has `afterword` on its path; a server that it left behind ends with it. */
async function shell(script: string, port: string): Promise<string> {
  const place = await folder();
  const bin = join(place, "bin");
  const cwd = join(place, "empty");
  await Promise.all([mkdir(bin), mkdir(cwd)]);
  const command = join(bin, "afterword");
  const main = join(root, "src", "cli", "main.ts");
  await writeFile(command, `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`);
  await chmod(command, 0o755);
  const guarded = `trap '[ -z "$!" ] || kill $! 2>/dev/null || true' EXIT\n${script}`;
  const PATH = [bin, process.env["PATH"] ?? ""].join(delimiter);
  const { stdout } = await promisify(execFile)("sh", ["-euc", guarded], {
    cwd,
    env: { PATH, PORT: port, NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] },
  });
  return stdout;
}
