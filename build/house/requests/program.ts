import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as after } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";

/** A command of the checkout in a process of its own, whose threads say which files they run. */
export interface Program {
  readonly url: string;
  /** @returns the files of src/ in which a function runs until all is quiet again, every time */
  filesRunBy(action: () => Promise<unknown>): Promise<readonly string[]>;
  stop(): Promise<void>;
}

/** Milliseconds in which nothing runs when all is quiet. Short: a program has timers as well. */
const QUIET = 20;
/** Times to wait for that. */
const PATIENT = 10;
/** What a timer runs meanwhile is not run by each of so many requests. */
const REPEATED = 4;
/** Milliseconds after which a thread that says nothing has ended without a word. */
const LATE = 2000;
/** In the folder, a thread that takes part. The main thread is 0. */
const MARK = ".thread";
const MAIN = "0";

/** @throws Error when the command ends before it listens */
export async function startProgram(root: string, args: readonly string[]): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), "house-threads-"));
  const preload = new URL(pathToFileURL(join(import.meta.dirname, "in-thread.ts")));
  preload.searchParams.set("folder", folder);
  const child = spawn(process.execPath, [join(root, "bin/afterword.cjs"), ...args], {
    env: {
      PATH: process.env["PATH"],
      NODE_OPTIONS: `--import ${preload.href}`,
      AFTERWORD_LOG: "error",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const listening = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const address = /listens on (\S+)/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true });
  };
  const url = await Promise.race([listening, ended.then(() => null)]);
  if (url === null) {
    await stop();
    throw new Error(`afterword ${args[0]} ended before it listened`);
  }

  let taken = 0;
  /** What ran since the last time. */
  const take = async (): Promise<readonly string[]> => {
    taken += 1;
    child.kill("SIGUSR2");
    const answers = await answersOf(folder, taken);
    return answers.map((address) => relative(root, fileURLToPath(address)).replaceAll(sep, "/"));
  };
  const untilQuiet = async (): Promise<ReadonlySet<string>> => {
    const all = new Set<string>();
    for (let times = 0; times < PATIENT; times++) {
      await after(QUIET);
      const files = (await take()).filter((file) => file.startsWith("src/"));
      if (files.length === 0) break;
      for (const file of files) all.add(file);
    }
    return all;
  };
  return {
    url,
    async filesRunBy(action) {
      const runs: ReadonlySet<string>[] = [];
      while (runs.length < REPEATED) {
        await untilQuiet();
        await action();
        runs.push(await untilQuiet());
      }
      return [...runs.reduce((every, run) => every.intersection(run))].sort();
    },
    stop,
  };
}

/** What the threads say, all together. */
async function answersOf(folder: string, number: number): Promise<readonly string[]> {
  const begin = performance.now();
  const answerOf = (thread: string): string => join(folder, `${number}-${thread}.json`);
  for (;;) {
    const marks = readdirSync(folder).filter((name) => name.endsWith(MARK));
    const threads = marks.map((name) => name.slice(0, -MARK.length));
    const silent = threads.filter((thread) => !existsSync(answerOf(thread)));
    if (silent.length === 0) {
      return threads.flatMap((thread) =>
        textsOf(JSON.parse(readFileSync(answerOf(thread), "utf8"))),
      );
    }
    // A thread that was ended from outside leaves its mark.
    const late = performance.now() - begin > LATE;
    for (const thread of late ? silent : [])
      rmSync(join(folder, `${thread}${MARK}`), { force: true });
    if (silent.includes(MAIN) && late) throw new Error("the program does not say what it has run");
    await after(2);
  }
}

function textsOf(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
}
