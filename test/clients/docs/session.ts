import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import manifest from "../../../package.json" with { type: "json" };

import { commandModule } from "../../runtime/processes/processes.ts";
import { freePort } from "../../fixtures/free-port.ts";
import { testedBlocks } from "./markdown.ts";
import { createFolder } from "../../fixtures/folder.ts";

/** The output of a page's block, and the output that the page shows. */
export interface Step {
  readonly printed: string;
  /** Null if the page shows no output. */
  readonly expected: string | null;
}

/**
 * Runs the tested blocks of a page, one after the other, in a shell in an empty folder; `port` is
 * the page's.
 */
export async function sessionOf(page: string, port: string): Promise<readonly Step[]> {
  const free = String(await freePort());
  return pasted(page, (text) => text.replaceAll(port, free), { PORT: free });
}

/**
 * Runs the tested blocks of a page in one shell.
 *
 * @param here replaces values of this machine in a script or an output
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

/** Runs a script in a folder, with `afterword` on its path; then ends every process that it started. */
async function shell(
  script: string,
  env: Readonly<Record<string, string>>,
  cwd?: string,
): Promise<string> {
  const place = createFolder();
  const PATH = await pathWithCommands(place);
  const empty = join(place, "empty");
  await mkdir(empty);
  const child = spawn("sh", ["-euc", script], {
    cwd: cwd ?? empty,
    env: { PATH, NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"], ...env },
    // A process group of its own. The last pipe is closed when its last process is gone.
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const outputs = Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  const ended = once(child, "close");
  const [code] = await once(child, "exit");
  endGroup(child.pid ?? 0);
  const [stdout, stderr] = await outputs;
  await ended;
  if (code !== 0) throw new Error(`the script ended with ${String(code)}: ${stdout}${stderr}`);
  return stdout;
}

function textOf(pipe: Readable | null): Promise<string> {
  if (pipe === null) throw new Error("unreachable: it was asked for");
  return text(pipe);
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGTERM");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/**
 * Creates a folder with `afterword`, as an installed package has it, and an `npm` that runs the
 * scripts of this checkout in the present folder. Returns a PATH with both in front.
 */
export async function pathWithCommands(place: string): Promise<string> {
  const bin = join(place, "bin");
  await mkdir(bin);
  const main = `exec "${process.execPath}" "${commandModule}"`;
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
