import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isContentName } from "./read-directory.ts";

/** What tells that something may have changed, without reading it. */
export interface DirectoryStamp {
  /** Differs when a file was changed, came, went, or another one took its place. */
  readonly stamp: string;
  /** When the latest of them was changed, in milliseconds since the epoch. */
  readonly newest: number;
}

/**
 * Looks at the content files in these directories, links followed. Never rejects: what can't be
 * looked at is why.
 */
export async function stampOf(directories: readonly string[]): Promise<DirectoryStamp> {
  const listed = await Promise.all(directories.map(namesIn));
  const facts: (readonly [string, number])[] = [];
  // One at a time: a look every two seconds has all the time there is, and the thread pool is
  // everybody's.
  for (const path of [...directories, ...listed.flat()]) facts.push(await factsOf(path));
  return {
    stamp: facts.map(([line]) => line).join("\n"),
    newest: Math.max(0, ...facts.map(([, changed]) => changed)),
  };
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    const names = await readdir(directory);
    return names.filter(isContentName).map((name) => join(directory, name));
  } catch {
    // Its own line says why.
    return [];
  }
}

async function factsOf(path: string): Promise<readonly [string, number]> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    const changed = mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
    return [[path, dev, ino, size, mtimeNs, ctimeNs].join(" "), Number(changed / 1_000_000n)];
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    return [`${path} ${reason}`, 0];
  }
}
