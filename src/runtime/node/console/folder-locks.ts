import { accessSync, closeSync, constants, openSync, rmSync, statSync } from "node:fs";
import { mkdir, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pause } from "../../../wait.ts";

export type FolderLocks =
  | { readonly kind: "locked"; readonly release: () => void }
  /** Another process has had one of them for too long. */
  | { readonly kind: "busy" }
  | { readonly kind: "unlockable"; readonly why: string };

/**
 * Locks the folders that these files are in against all processes of this machine that do the same.
 * The system ends a lock with its process. A folder in which nothing can be written is not locked.
 *
 * @param patience how long to wait for others, in milliseconds
 */
export async function lockFoldersOf(
  files: readonly string[],
  patience: number,
): Promise<FolderLocks> {
  const folders = new Set(await Promise.all(files.map(folderOf)));
  const held: (() => void)[] = [];
  const release = (): void => {
    for (const unlock of held.splice(0)) unlock();
  };
  const until = performance.now() + patience;
  try {
    // Locked in the same order everywhere, so that processes cannot wait for each other.
    for (const folder of [...folders].toSorted()) {
      let taken = lock(join(folder, LOCK));
      while (taken === null && performance.now() < until) {
        await pause(askAgain);
        taken = lock(join(folder, LOCK));
      }
      if (taken === null) {
        release();
        return { kind: "busy" };
      }
      held.push(taken);
    }
    return { kind: "locked", release };
  } catch (error) {
    release();
    return { kind: "unlockable", why: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Finds the folder of a file that exists or will exist; links are followed, as they are when it is
 * written.
 */
async function folderOf(file: string): Promise<string> {
  const target = await realpath(file).catch(() => null);
  if (target !== null) return dirname(target);
  const folder = dirname(file);
  await mkdir(folder, { recursive: true }).catch(() => undefined);
  return realpath(folder).catch(() => folder);
}

/**
 * Takes a system's lock on a file with SQLite: an empty database in a transaction. A file that
 * another process has removed meanwhile is no lock.
 *
 * @returns the function that releases it; null while another process has it
 */
function lock(file: string): (() => void) | null {
  if (identityOf(file) === null && !create(file)) return () => undefined;
  const before = identityOf(file);
  const database = new DatabaseSync(file);
  try {
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE");
    if (before !== null && identityOf(file) === before) {
      return () => {
        rmSync(file, { force: true });
        database.close();
      };
    }
  } catch (error) {
    if (!isBusy(error)) {
      database.close();
      if (!isWritable(dirname(file))) return () => undefined;
      throw new Error(`${file} can't be locked: let this user write it, or remove it`, {
        cause: error,
      });
    }
  }
  database.close();
  return null;
}

/**
 * False if nothing can be written in this folder, in which case writing the files will give the
 * reason.
 */
function create(file: string): boolean {
  try {
    closeSync(openSync(file, "wx", 0o666));
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EEXIST";
  }
}

/** Distinguishes a file from a later one of the same name. */
function identityOf(file: string): string | null {
  const facts = statSync(file, { bigint: true, throwIfNoEntry: false });
  return facts === undefined ? null : `${facts.dev} ${facts.ino} ${facts.birthtimeNs}`;
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const LOCK = ".afterword.lock";
const SQLITE_BUSY = 5;
/** Milliseconds. */
const askAgain = 50;
