import { execFile } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { folder } from "../cli/backend/place.ts";
import { root } from "../e2e/processes.ts";
import { freePort } from "../fixtures/free-port.ts";
import { testedBlocks } from "./markdown.ts";

/** What a block of a page printed, and what the page says that it prints. */
export interface Step {
  readonly printed: string;
  readonly expected: string;
}

/**
 * Pastes the tested blocks of a page, one after the other, into a shell in an empty folder; `port`
 * is the page's.
 */
export async function sessionOf(page: string, port: string): Promise<readonly Step[]> {
  const blocks = testedBlocks(await readFile(page, "utf8"));
  const free = String(await freePort());
  const mark = "----- next block";
  const script = blocks.map((block) => block.script).join(`\necho '${mark}'\n`);
  const outputs = (await shell(script.replaceAll(port, free), free)).split(`${mark}\n`);
  return blocks.map(({ printed }, index) => ({
    printed: outputs[index]?.trimEnd() ?? "",
    expected: printed.text.replaceAll(port, free),
  }));
}

/**
 * Runs a script in an empty folder that has `afterword` on its path; a server that it left behind
 * ends with it.
 */
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
