import type { DatabaseSync } from "node:sqlite";
import { isMainThread, type MessagePort, parentPort, workerData } from "node:worker_threads";
import { createExecutor } from "./executor.ts";
import { openFile } from "./open-file.ts";
import type { SqliteCall, SqliteFailure, SqliteReply, SqliteThreadData } from "./protocol.ts";

/** This module, as a worker's first: the thread in which a SQLite file is read and written. */
export const sqliteThread: URL = new URL(import.meta.url);

if (!isMainThread && parentPort !== null && isOurs(workerData)) serve(parentPort, workerData);

function serve(port: MessagePort, { afterwordDatabase }: SqliteThreadData): void {
  let database: DatabaseSync;
  try {
    database = openFile(afterwordDatabase);
  } catch (error) {
    port.postMessage({ id: 0, failed: failureOf(error) } satisfies SqliteReply);
    return;
  }
  const execute = createExecutor(database);
  port.on("message", (call: SqliteCall) => {
    let reply: SqliteReply;
    try {
      reply = { id: call.id, results: execute(call) };
    } catch (error) {
      reply = { id: call.id, failed: failureOf(error) };
    }
    port.postMessage(reply, bytesOf(reply));
    // Nothing listens any more, so the thread ends.
    if (call.kind === "close") port.close();
  });
  port.postMessage({ id: 0, results: [] } satisfies SqliteReply);
}

/** Large values change hands instead of being copied. SQLite's own bytes are ours alone. */
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
  return { message: error.message, code: "errcode" in error ? Number(error.errcode) : null };
}

/** The thread may be somebody else's worker that merely imports this module. */
function isOurs(data: unknown): data is SqliteThreadData {
  return typeof data === "object" && data !== null && "afterwordDatabase" in data;
}
