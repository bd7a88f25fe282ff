import type { DatabaseSync } from "node:sqlite";
import {
  isMainThread,
  type MessagePort,
  parentPort,
  receiveMessageOnPort,
  workerData,
} from "node:worker_threads";
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
  const executor = createExecutor(database);
  port.on("message", (call: SqliteCall) => {
    let next: SqliteCall | null = call;
    while (next !== null) next = isDurableBatch(next) ? together(next) : alone(next);
  });
  port.postMessage({ id: 0, results: [] } satisfies SqliteReply);

  function alone(call: SqliteCall): null {
    let reply: SqliteReply;
    try {
      reply = { id: call.id, results: executor.execute(call) };
    } catch (error) {
      reply = { id: call.id, failed: failureOf(error) };
    }
    answer(reply);
    // Nothing listens any more, so the thread ends.
    if (call.kind === "close") port.close();
    return null;
  }

  /** Does a durable batch with all that wait right behind it; gives the first call that is something else. */
  function together(first: DurableBatch): SqliteCall | null {
    const calls: DurableBatch[] = [first];
    let other: SqliteCall | null = null;
    while (calls.length < mostTogether && other === null) {
      const call = nextOf(port);
      if (call === null) break;
      if (isDurableBatch(call)) calls.push(call);
      else other = call;
    }
    if (calls.length === 1) alone(first);
    else {
      const outcomes = executor.group(calls.map(({ statements }) => statements));
      for (const [index, { id }] of calls.entries()) {
        const outcome = outcomes[index];
        const failed = !Array.isArray(outcome);
        answer(failed ? { id, failed: failureOf(outcome) } : { id, results: outcome });
      }
    }
    return other;
  }

  function answer(reply: SqliteReply): void {
    port.postMessage(reply, bytesOf(reply));
  }
}

// Bounds how long one that came early waits for those behind it.
const mostTogether = 64;

type DurableBatch = Extract<SqliteCall, { kind: "batch" }>;

function isDurableBatch(call: SqliteCall): call is DurableBatch {
  return call.kind === "batch" && call.durable;
}

function nextOf(port: MessagePort): SqliteCall | null {
  const received: { message: SqliteCall } | undefined = receiveMessageOnPort(port);
  return received?.message ?? null;
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
