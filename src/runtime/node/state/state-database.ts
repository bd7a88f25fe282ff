import { chmodSync, closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { AfterwordError, isAfterwordError } from "../../../errors.ts";

/**
 * Schema of this release. A file of a lower version is brought up to it, one of a higher version is
 * refused.
 */
const version = 2;

/** How long opening waits for another process that is writing, in milliseconds. */
const openingWait = 2000;

/**
 * The same for everything after it: no reader has more patience, and what comes behind a waiting
 * write waits too.
 */
const writingWait = 250;

/**
 * Opens the file of shared state and makes it when there is none, with mode 0600. Several processes
 * of one machine may have it open at once.
 *
 * @throws AfterwordError `data-directory-unusable`: it cannot be opened, is damaged, or a newer
 *   release wrote it
 */
export function openStateDatabase(file: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // Made here, so that nobody else can read it for even a moment; SQLite gives its log files the
    // same mode.
    closeSync(openSync(file, "a", 0o600));
    closeToOthers(file);
    database = new DatabaseSync(file, { timeout: openingWait });
    prepare(database, file);
    database.exec(`PRAGMA busy_timeout = ${writingWait}`);
    return database;
  } catch (cause) {
    database?.close();
    if (isAfterwordError(cause)) throw cause;
    throw new AfterwordError("data-directory-unusable", explain(cause, file), { cause });
  }
}

/** Says what happened to the file and what to do; an {@link AfterwordError} has said it already. */
export function explain(error: unknown, file: string): string {
  if (isAfterwordError(error)) return error.message;
  const reason = error instanceof Error ? error.message : String(error);
  switch (sqliteCode(error)) {
    case corrupt:
    case notADatabase:
      return `${file} is damaged (${reason}): move it away, and a new one is made at the next start. Conversations that are under way lose their language and variables, and escalations that are not settled are forgotten`;
    case busy:
      return `${file} cannot be written (${reason})`;
    case full:
      return `${file} cannot be written (${reason}): free some space`;
    case failing:
      return `${file} cannot be read or written, because the disk fails (${reason}): look at the system's log, and at the free space`;
    default:
      return `${file} cannot be used (${reason}): data: in the configuration must be a directory of a local disk that this process may write`;
  }
}

// https://sqlite.org/rescode.html
const busy = 5;
const failing = 10;
const corrupt = 11;
const full = 13;
const notADatabase = 26;

/** True when another process was writing all the while. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error) === busy;
}

/** SQLite's number for a failure, or 0 when it is none of SQLite's. */
function sqliteCode(error: unknown): number {
  if (!(error instanceof Error) || !("errcode" in error)) return 0;
  // The higher bits tell variants of one failure apart.
  return Number(error.errcode) & 0xff;
}

function prepare(database: DatabaseSync, file: string): void {
  // What was answered outlives a killed process; a power cut may take the last moments, which is
  // the price of no fsync.
  useWriteAheadLog(database);
  database.exec("PRAGMA synchronous = NORMAL");
  // Forgotten conversations leave no readable rest behind.
  database.exec("PRAGMA secure_delete = ON");
  const found = versionOf(database);
  if (found > version) {
    throw new AfterwordError(
      "data-directory-unusable",
      `${file} was written by a newer release of Afterword (schema ${found}, this one knows ${version}): run that release, or move the file away, and a new one is made at the next start`,
    );
  }
  if (found < version) migrate(database);
}

/**
 * Two processes that start at once both want to be the one who switches; SQLite refuses one of them
 * without waiting.
 */
function useWriteAheadLog(database: DatabaseSync): void {
  for (let attempt = 0; ; attempt++) {
    try {
      database.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      if (sqliteCode(error) !== busy || attempt === 100) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

function migrate(database: DatabaseSync): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have been first while this one waited for its turn.
    for (const step of steps.slice(versionOf(database))) database.exec(step);
    database.exec(`PRAGMA user_version = ${version}; COMMIT`);
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

/** What each version adds to the one before it. */
const steps: readonly string[] = [
  `
  CREATE TABLE conversations (
    key TEXT PRIMARY KEY, expires INTEGER NOT NULL, value TEXT NOT NULL
  );
  CREATE INDEX conversations_expires ON conversations (expires);
  `,
  `
  CREATE TABLE escalations (
    key TEXT PRIMARY KEY, revision INTEGER NOT NULL, value TEXT NOT NULL,
    event TEXT, wake INTEGER, open INTEGER NOT NULL, pending INTEGER NOT NULL, updated INTEGER NOT NULL,
    lease_from INTEGER, lease_until INTEGER
  );
  CREATE INDEX escalations_event ON escalations (event) WHERE event IS NOT NULL;
  CREATE INDEX escalations_wake ON escalations (wake) WHERE wake IS NOT NULL;
  CREATE INDEX escalations_open ON escalations (updated) WHERE open = 1;
  CREATE INDEX escalations_old ON escalations (updated) WHERE pending = 0;
  CREATE TABLE claims (
    name TEXT PRIMARY KEY, holder TEXT NOT NULL, lease_from INTEGER NOT NULL, lease_until INTEGER NOT NULL
  );
  CREATE TABLE marks (name TEXT PRIMARY KEY, value TEXT NOT NULL);
  `,
];

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);
}

function closeToOthers(file: string): void {
  if ((statSync(file).mode & 0o077) === 0) return;
  try {
    chmodSync(file, 0o600);
  } catch {
    // A file that belongs to somebody else stays as its owner wants it.
  }
}
