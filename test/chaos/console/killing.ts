import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { finishPublications } from "../../../src/runtime/node/console/publications.ts";
import { openConsoleDatabase } from "../../../src/runtime/node/console/store.ts";

/** Texts and contents, in two folders. */
const NAMES = ["messages/de.yaml", "messages/fr.yaml", "backend/shop.en.yaml", "messages/new.yaml"];
const FOLDERS = ["messages", "backend"];
/** About as long as one publication takes. */
const WHOLE_MS = 12;
const OLD = 'welcome: "old"\n';

export interface Publishing {
  /** Empty; the files and the database are made in it. */
  readonly folder: string;
  readonly kills: number;
  /** From 0 up to, but not including, 1. */
  readonly random: () => number;
  readonly progress?: (kill: number) => void;
}

/** The outcome of the publications. */
export interface Outcome {
  /** Publications that the next start finished or took back. */
  readonly finished: number;
  /** Each as a sentence; empty if there are none. */
  readonly faults: readonly string[];
}

/**
 * Kills a process (SIGKILL) that publishes several files at a time, again and again. After the next
 * start, all files must be of one publication, and not of an older one than the last acknowledged
 * one.
 */
export async function killWhilePublishing(options: Publishing): Promise<Outcome> {
  const { folder, kills, random, progress } = options;
  for (const part of FOLDERS) await mkdir(join(folder, part));
  for (const name of NAMES.slice(0, 3)) await writeFile(join(folder, name), OLD);
  const database = join(folder, "console.db");
  const faults: string[] = [];
  let finished = 0;
  for (let kill = 0; kill < kills; kill++) {
    const begun = await killedAfter(kill % 3, random() * WHOLE_MS, [folder, database, ...NAMES]);
    finished += await finishPublications(database, folder);
    const acknowledged = kill % 3 > 0 ? begun - 1 : 0;
    const fault = await faultOf(folder, acknowledged);
    if (fault !== null) faults.push(`kill ${kill}: ${fault}`);
    progress?.(kill + 1);
  }
  const opened = await openConsoleDatabase(database);
  const states = await opened.kysely.selectFrom("publications").select("state").execute();
  await opened.close();
  const unfinished = states.filter(({ state }) => state === "writing").length;
  if (unfinished > 0) faults.push(`${unfinished} publications were never finished`);
  return { finished, faults };
}

async function faultOf(folder: string, acknowledged: number): Promise<string | null> {
  const texts = await Promise.all(
    NAMES.map((name) => readFile(join(folder, name), "utf8").catch(() => null)),
  );
  const names = await Promise.all(FOLDERS.map((part) => readdir(join(folder, part))));
  const left = names.flat().filter((name) => name.startsWith("."));
  if (left.length > 0) return `${left.join(", ")} was left behind`;
  // The last file does not exist before the first publication.
  if (texts[3] === null) {
    return texts.slice(0, 3).every((text) => text === OLD) ? null : "one file is missing";
  }
  const generations = new Set(texts.map((text) => /"(\w+)"/.exec(text ?? "")?.[1] ?? "nothing"));
  const [generation = ""] = generations;
  if (generations.size > 1) return `the files are of ${[...generations].join(" and ")}`;
  return Number(generation) >= acknowledged ? null : `${acknowledged} was lost`;
}

/** Kills the process during a further publication, and returns the generation that it had begun. */
async function killedAfter(
  publications: number,
  waitMs: number,
  argv: readonly string[],
): Promise<number> {
  const script = fileURLToPath(new URL("publish-loop.ts", import.meta.url));
  const child = spawn(process.execPath, [script, ...argv], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  const exited = once(child, "exit");
  // Its output is read to the end, because a process without a reader would end by itself.
  const begun = Promise.withResolvers<void>();
  child.stdout.on("data", (chunk: Buffer) => {
    output += String(chunk);
    if (output.trim().split("\n").length > publications) begun.resolve();
  });
  await Promise.race([begun.promise, exited]);
  await sleep(waitMs);
  child.kill("SIGKILL");
  await exited;
  return Number(output.trim().split("\n").at(-1));
}
