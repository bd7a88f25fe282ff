import { mkdirSync, realpathSync, existsSync, renameSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isPostgresAddress } from "../../database-address.ts";
import { AfterwordError } from "../../errors.ts";
import { createArgumentError, requireOnlyPositional } from "../command/arguments.ts";
import { findDatabase, databaseOptions } from "../backend/database-option.ts";
import { refusePostgres } from "../backend/postgres-tools.ts";
import type { Command } from "../command/command.ts";
import { shortenPath } from "../command/shortened.ts";
import { DatabaseSync } from "node:sqlite";
import { copyBeside, reasonOf, toDisk, findUnknownSteps } from "../backend/backup-file.ts";

const name = "backend restore";

export const backendRestoreCommand: Command = {
  name,
  usage: "FILE [--database FILE]",
  options: [...databaseOptions],
  positionals: 1,
  async run(args, terminal) {
    const written = requireOnlyPositional(args, "name the backup");
    const database = findDatabase(args, terminal);
    if (isPostgresAddress(database)) throw refusePostgres(name, database, written);
    const backup = resolve(written);
    const unknown = findUnknownSteps(backup);
    if (unknown.length > 0) {
      throw new AfterwordError(
        "database-unusable",
        `${shortenPath(backup)} was written by a newer or an unreleased version of Afterword (${unknown.join(", ")} is unknown here): restore it with that version`,
      );
    }
    mkdirSync(dirname(database), { recursive: true, mode: 0o700 });
    const place = placeOf(database);
    if (realpathSync(backup) === place)
      throw createArgumentError(name, "the backup is the database itself");
    const aside = `${place}.before-${new Date().toISOString().replaceAll(/[-:.]/g, "")}`;
    const former = restoreFile(backup, place, aside);
    if (former) terminal.out(`kept ${shortenPath(aside)}, the database until now\n`);
    terminal.out(`restored ${shortenPath(database)}\n`);
    return 0;
  },
};

/** Resolves a path, so that a symbolic link is kept. */
function placeOf(database: string): string {
  try {
    return realpathSync(database);
  } catch {
    return database;
  }
}

/**
 * Puts a copy of `backup` in the place of the database `file`, whole or not at all. What was there
 * stays beside it.
 *
 * @param aside where the former database goes
 * @returns true when there was one
 * @throws AfterwordError `database-unusable`: another process has the database open, or the disk
 *   refuses
 */
function restoreFile(backup: string, file: string, aside: string): boolean {
  const draft = copyBeside(backup, file);
  let lock: DatabaseSync | null = null;
  try {
    const former = existsSync(file);
    if (former) lock = lockAlone(file);
    // The log of a missing or damaged database would be taken for that of the restored one.
    for (const end of ["", "-wal", "-shm", "-journal"]) {
      if (existsSync(file + end)) renameSync(file + end, aside + end);
    }
    renameSync(draft, file);
    toDisk(dirname(file));
    return former;
  } catch (cause) {
    rmSync(draft, { force: true });
    if (cause instanceof AfterwordError) throw cause;
    throw new AfterwordError(
      "database-unusable",
      `${shortenPath(file)} cannot be replaced (${reasonOf(cause)}): let this process write its directory`,
      { cause },
    );
  } finally {
    lock?.close();
  }
}

/**
 * Locks a database file for this process alone, and merges its log into it. SQLite permits leaving
 * the WAL mode only if no other connection exists, even an idle one. Null for a file that is too
 * damaged to be opened.
 */
function lockAlone(file: string): DatabaseSync | null {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec("PRAGMA journal_mode = DELETE");
    database.exec("BEGIN EXCLUSIVE");
    return database;
  } catch (cause) {
    database.close();
    const code = cause instanceof Error && "errcode" in cause ? Number(cause.errcode) & 0xff : 0;
    if (damaged.has(code)) return null;
    throw new AfterwordError(
      "database-unusable",
      busy.has(code)
        ? `${shortenPath(file)} is in use: stop the backend, then restore`
        : `${shortenPath(file)} cannot be locked (${reasonOf(cause)})`,
      { cause },
    );
  }
}

/** SQLite's primary result codes (https://sqlite.org/rescode.html). */
const busy: ReadonlySet<number> = new Set([5, 6]);
const damaged: ReadonlySet<number> = new Set([11, 26]);
