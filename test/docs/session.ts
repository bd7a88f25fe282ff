import { execFile } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import manifest from "../../package.json" with { type: "json" };
import { folder } from "../cli/backend/place.ts";
import { root } from "../e2e/processes.ts";
import { freePort } from "../fixtures/free-port.ts";
import { testedBlocks } from "./markdown.ts";

/** What a block of a page printed, and what the page says that it prints. */
export interface Step {
  readonly printed: string;
  /** Null: the page shows no output. */
  readonly expected: string | null;
}

/**
 * Pastes the tested blocks of a page, one after the other, into a shell in an empty folder; `port`
 * is the page's.
 */
export async function sessionOf(page: string, port: string): Promise<readonly Step[]> {
  const free = String(await freePort());
  return pasted(page, (text) => text.replaceAll(port, free), { PORT: free });
}

/**
 * Pastes the tested blocks of a page into one shell.
 *
 * @param here puts what belongs to this machine into a script or an output
 * @param cwd default: an empty folder
 */
export async function pasted(
  page: string,
  here: (text: string) => string,
  env: Readonly<Record<string, string>>,
  cwd?: string,
): Promise<readonly Step[]> {
  const blocks = testedBlocks(await readFile(page, "utf8"));
  const mark = "----- next block";
  const script = blocks.map((block) => block.script).join(`\necho '${mark}'\n`);
  const outputs = (await shell(here(script), env, cwd)).split(`${mark}\n`);
  return blocks.map(({ printed }, index) => ({
    printed: outputs[index]?.trimEnd() ?? "",
    expected: printed === null ? null : here(printed.text),
  }));
}

/**
 * Runs a script in a folder, with `afterword` on its path; a server that it left behind ends with
 * it.
 */
async function shell(
  script: string,
  env: Readonly<Record<string, string>>,
  cwd?: string,
): Promise<string> {
  const place = await folder();
  const PATH = await pathWithCommands(place);
  const empty = join(place, "empty");
  await mkdir(empty);
  const guarded = `trap '[ -z "\${!-}" ] || kill $! 2>/dev/null || true' EXIT\n${script}`;
  const { stdout } = await promisify(execFile)("sh", ["-euc", guarded], {
    cwd: cwd ?? empty,
    env: { PATH, NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"], ...env },
  });
  return stdout;
}

/**
 * Puts `afterword` into a folder, as an installed package has it, and an `npm` that runs the
 * scripts of this checkout in the folder where it is called. Gives a PATH with both in front.
 */
export async function pathWithCommands(place: string): Promise<string> {
  const bin = join(place, "bin");
  await mkdir(bin);
  const main = `exec "${process.execPath}" "${join(root, "src", "cli", "main.ts")}"`;
  const start = manifest.scripts.start.replace(/^node \S+/u, main);
  await command("afterword", `${main} "$@"`);
  await command(
    "npm",
    `case "$*" in start) ${start} ;; "run -s afterword -- "*) shift 4; ${main} "$@" ;; ` +
      `"--prefix ../afterword run -s afterword -- "*) shift 6; ${main} "$@" ;; esac\n` +
      'echo "this npm does not know: $*" >&2; exit 1',
  );
  return [bin, process.env["PATH"] ?? ""].join(delimiter);

  async function command(name: string, script: string): Promise<void> {
    await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(bin, name), 0o755);
  }
}
