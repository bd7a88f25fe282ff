import { chmodSync, closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isMainThread, type MessagePort, parentPort, workerData } from "node:worker_threads";
import { createExecutor } from "./executor.ts";
import type { SqliteCall, SqliteFailure, SqliteReply, SqliteThreadData } from "./protocol.ts";

/** The entry module of the thread that reads and writes a SQLite file. */
export const sqliteWorker: URL = new URL(import.meta.url);

if (!isMainThread && parentPort !== null && isOurs(workerData)) serve(parentPort, workerData);

function serve(port: MessagePort, { afterwordDatabase }: SqliteThreadData): void {
  let database: DatabaseSync;
  try {
    database = openFile(afterwordDatabase);
  } catch (error) {
    port.postMessage([{ id: 0, failed: failureOf(error) }] satisfies SqliteReply[]);
    return;
  }
  const executor = createExecutor(database);
  const replies: SqliteReply[] = [];
  let sent = 0;
  port.on("message", (calls: readonly SqliteCall[]) => {
    sent = performance.now();
    for (const call of calls) {
      run(call);
      if (performance.now() - sent > MAX_REPLY_DELAY) send();
    }
    send();
  });
  port.postMessage([{ id: 0, results: [] }] satisfies SqliteReply[]);

  function run(call: SqliteCall): void {
    try {
      replies.push({ id: call.id, results: executor.execute(call) });
    } catch (error) {
      replies.push({ id: call.id, failed: failureOf(error) });
    }
    if (call.kind !== "close") return;
    // Without a listener the thread ends.
    send();
    port.close();
  }

  function send(): void {
    sent = performance.now();
    if (replies.length === 0) return;
    const all = replies.splice(0);
    port.postMessage(all, all.flatMap(bytesOf));
  }
}

/** How long a reply may wait for later ones, in milliseconds. */
const MAX_REPLY_DELAY = 1;

/** Lists the buffers of a reply. Nothing else uses them, so they can be transferred instead of copied. */
function bytesOf(reply: SqliteReply): ArrayBuffer[] {
  if (!("results" in reply)) return [];
  const found: ArrayBuffer[] = [];
  for (const { rows } of reply.results) {
    for (const row of rows) {
      for (const value of Object.values(row)) {
        if (value instanceof Uint8Array && value.buffer instanceof ArrayBuffer) {
          found.push(value.buffer);
        }
      }
    }
  }
  return found;
}

function failureOf(error: unknown): SqliteFailure {
  if (!(error instanceof Error)) return { message: String(error), code: null };
  const { message } = error;
  if ("errcode" in error) return { message, code: Number(error.errcode) };
  return { message, code: "code" in error ? String(error.code) : null };
}

/** The thread may be another module's worker that merely imports this one. */
function isOurs(data: unknown): data is SqliteThreadData {
  return typeof data === "object" && data !== null && "afterwordDatabase" in data;
}

/**
 * Opens or creates a file (mode 0600, directory 0700; null for in memory). Throws errors of SQLite
 * and fs.
 */
function openFile({ file, lockPatience }: SqliteThreadData["afterwordDatabase"]): DatabaseSync {
  if (file !== null) makeFile(file);
  const database = new DatabaseSync(file ?? ":memory:", {
    timeout: lockPatience,
    enableForeignKeyConstraints: true,
  });
  try {
    if (file !== null) useWriteAheadLog(database);
    database.exec("PRAGMA synchronous = NORMAL");
    // Overwrites deleted conversations, so that they cannot be read from the file.
    database.exec("PRAGMA secure_delete = ON");
    // Shrinks the write-ahead log to this size after a large transaction, in bytes.
    database.exec("PRAGMA journal_size_limit = 67108864");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function makeFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Created here so that others can never read it. SQLite gives its log files the same mode.
  closeSync(openSync(file, "a", 0o600));
  if ((statSync(file).mode & 0o077) === 0) return;
  try {
    chmodSync(file, 0o600);
  } catch {
    // Only the owner of a file can change its mode.
  }
}

/** When two starting processes both switch, SQLite refuses one of them without waiting. */
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
