import { chmodSync, closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** How long a statement waits for another process that is writing, in milliseconds. */
const patience = 5000;

/** Bytes of the write-ahead log that stay on the disk after a large transaction. */
const logSize = 67_108_864;

/**
 * Opens a SQLite file for this thread, and makes it when there is none: mode 0600, in a directory
 * of mode 0700. Null is a database in memory. Throws what SQLite or the file system say.
 */
export function openFile(file: string | null): DatabaseSync {
  if (file !== null) makeFile(file);
  const database = new DatabaseSync(file ?? ":memory:", {
    timeout: patience,
    enableForeignKeyConstraints: true,
  });
  try {
    if (file !== null) useWriteAheadLog(database);
    database.exec("PRAGMA synchronous = NORMAL");
    // Forgotten conversations leave no readable rest behind.
    database.exec("PRAGMA secure_delete = ON");
    database.exec(`PRAGMA journal_size_limit = ${logSize}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function makeFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Made here, so that nobody else can read it for even a moment; SQLite gives its log files the
  // same mode.
  closeSync(openSync(file, "a", 0o600));
  if ((statSync(file).mode & 0o077) === 0) return;
  try {
    chmodSync(file, 0o600);
  } catch {
    // A file that belongs to somebody else stays as its owner wants it.
  }
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
      const busy = error instanceof Error && "errcode" in error && error.errcode === 5;
      if (!busy || attempt === 100) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}
