import { createHash } from "node:crypto";
import { lstat, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { isYamlName } from "../../yaml/read-file.ts";

/** The state of files at one moment. */
export interface FileState {
  /** SHA-256 (hex) over all files' paths and contents. */
  readonly hash: string;
  /** The sources that are directories. */
  readonly directories: readonly string[];
  /** The time of the latest change, in milliseconds since the epoch. */
  readonly newest: number;
}

/**
 * Reads the state of files and directories, following links. Of a directory it reads the YAML files
 * that a load would read. A missing or unreadable source is hashed as such, so this never rejects.
 */
export type ReadFileState = (sources: readonly string[]) => Promise<FileState>;

/** Creates a function that reads a file's content again only after the file has changed. */
export function createFileStateReader(now: () => number): ReadFileState {
  let known = new Map<string, Digest>();

  return async (sources) => {
    const found = await workInBatches([...new Set(sources)], factsOf);
    const directories = found.filter(({ kind }) => kind === "directory").map(({ path }) => path);
    const listed = await workInBatches(directories, namesIn);
    const named = new Set(found.map(({ path }) => path));
    const inside = listed.flat().filter((path) => !named.has(path));
    const all = [...found, ...(await workInBatches(inside, factsOf))];

    const next = new Map<string, Digest>();
    const newest = all.reduce((latest, { changed }) => Math.max(latest, changed), 0);
    const lines = await workInBatches(
      all,
      async (facts) => `${facts.path}\n${await digest(facts)}`,
    );
    // Files that no longer exist are forgotten.
    known = next;
    const hash = createHash("sha256").update(lines.sort().join("\n")).digest("hex");
    return { hash, directories, newest };

    async function digest(facts: Facts): Promise<string> {
      if (facts.kind !== "file") return facts.kind;
      const before = known.get(facts.path);
      if (before?.stamp === facts.stamp) {
        next.set(facts.path, before);
        return before.content;
      }
      const content = facts.size > maxBytes ? facts.stamp : await contentOf(facts.path);
      // A file that has just changed may change again with the same timestamp, so it is not cached.
      if (now() - facts.changed > coarsestClock) {
        next.set(facts.path, { stamp: facts.stamp, content });
      }
      return content;
    }
  };
}

/** A load refuses larger files, so they are not read here either. */
const maxBytes = 4_194_304;

/** The coarsest resolution of timestamps, in milliseconds. */
const coarsestClock = 2000;

interface Digest {
  readonly stamp: string;
  readonly content: string;
}

interface Facts {
  readonly path: string;
  /** `file`, `directory`, or why it is neither. */
  readonly kind: string;
  /** Differs after the file was changed or replaced. */
  readonly stamp: string;
  readonly size: number;
  readonly changed: number;
}

async function factsOf(path: string): Promise<Facts> {
  try {
    const entry = await lstat(path, { bigint: true });
    const facts = entry.isSymbolicLink() ? await stat(path, { bigint: true }) : entry;
    const { dev, ino, size, mtimeNs, ctimeNs } = facts;
    // A link that has just been switched may point to an old file, so its own time counts too.
    const latest = [mtimeNs, ctimeNs, entry.ctimeNs].reduce((a, b) => (a > b ? a : b));
    return {
      path,
      kind: facts.isFile() ? "file" : facts.isDirectory() ? "directory" : "other",
      stamp: [dev, ino, size, mtimeNs, ctimeNs].join(" "),
      size: Number(size),
      changed: Number(latest / 1_000_000n),
    };
  } catch (error) {
    return { path, kind: reasonOf(error), stamp: "", size: 0, changed: 0 };
  }
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    const names = await readdir(directory);
    return names.filter(isYamlName).map((name) => join(directory, name));
  } catch {
    // The directory has just disappeared. The next poll finds it missing.
    return [];
  }
}

async function contentOf(path: string): Promise<string> {
  try {
    return createHash("sha256")
      .update(await readFile(path))
      .digest("hex");
  } catch (error) {
    return reasonOf(error);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unreadable";
}

/** The number of files read at once. Ten thousand would occupy the thread pool. */
const batch = 8;

async function workInBatches<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += batch) {
    results.push(...(await Promise.all(items.slice(at, at + batch).map(work))));
  }
  return results;
}
