import { closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { AfterwordError } from "../../errors.ts";
import { sqliteEvents } from "./sqlite-events.ts";
import { sqliteSessions } from "./sqlite-sessions.ts";
import { STORAGE_LIMITS } from "./types.ts";
import type { Storage, StorageLimits } from "./types.ts";

const version = 1;

/**
 * Storage in one SQLite file, created with mode 0600. Written through a write-ahead log: what was answered is still there
 * after the process is killed. Throws `data-directory-unusable` for a file that can't be opened or that a newer version wrote.
 */
export function sqliteStorage(file: string, limits: StorageLimits = STORAGE_LIMITS): Storage {
  let database: DatabaseSync | undefined;
  try {
    // Created here, so that nobody else can read it for even a moment; the log files take over its mode.
    closeSync(openSync(file, "a", 0o600));
    database = new DatabaseSync(file);
    prepare(database, file);
  } catch (cause) {
    database?.close();
    if (cause instanceof AfterwordError) throw cause;
    const reason = cause instanceof Error ? cause.message : "unknown reason";
    const message = `The database ${file} cannot be opened: ${reason}`;
    throw new AfterwordError("data-directory-unusable", message, { cause });
  }
  const open = database;
  return {
    sessions: sqliteSessions(open, limits),
    events: sqliteEvents(open, limits),
    async close() {
      if (open.isOpen) open.close();
    },
  };
}

function prepare(database: DatabaseSync, file: string): void {
  database.exec("PRAGMA busy_timeout = 2000");
  database.exec("PRAGMA journal_mode = WAL");
  // Enough for conversations: nothing is lost when the process dies, the last moments may be when the machine does.
  database.exec("PRAGMA synchronous = NORMAL");
  database.exec("PRAGMA foreign_keys = ON");
  const found = Number(database.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);
  if (found > version) {
    const message = `The database ${file} was written by a newer version of Afterword (${found}).`;
    throw new AfterwordError("data-directory-unusable", message);
  }
  if (found === version) return;
  database.exec(`
    BEGIN IMMEDIATE;
    CREATE TABLE IF NOT EXISTS sessions (
      key TEXT PRIMARY KEY, expires INTEGER NOT NULL, state TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS sessions_expires ON sessions (expires);
    CREATE TABLE IF NOT EXISTS history (
      id INTEGER PRIMARY KEY,
      session TEXT NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
      item TEXT NOT NULL
    );
    CREATE INDEX IF NOT EXISTS history_session ON history (session, id);
    CREATE TABLE IF NOT EXISTS events (
      id INTEGER PRIMARY KEY, at INTEGER NOT NULL, project TEXT NOT NULL,
      session TEXT NOT NULL, type TEXT NOT NULL, data TEXT NOT NULL
    );
    PRAGMA user_version = ${version};
    COMMIT;
  `);
}
