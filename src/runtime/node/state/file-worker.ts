import type { DatabaseSync } from "node:sqlite";
import { isMainThread, type MessagePort, parentPort, workerData } from "node:worker_threads";
import { type ConversationTable, createConversationTable } from "./conversation-table.ts";
import { explain, openStateDatabase } from "./state-database.ts";

/** This module, as a worker's first: the thread in which the state file is read and written. */
export const fileWorker: URL = new URL(import.meta.url);

/** What the worker is started with. */
export interface FileWorkerData {
  readonly afterwordStateFile: string;
  /** At most so many conversations. */
  readonly limit: number;
}

/** A call into the worker; it answers every one with the same `id`. `now` is the caller's clock. */
export type FileCall = { readonly id: number; readonly now: number } & FileOperation;

export type FileOperation =
  | { readonly kind: "get"; readonly key: string }
  | { readonly kind: "put"; readonly key: string; readonly value: string }
  | { readonly kind: "sweep" }
  | { readonly kind: "close" };

/** `id` 0 answers the opening itself. */
export type FileReply =
  | { readonly id: number; readonly value: string | null }
  | { readonly id: number; readonly failed: string };

if (!isMainThread && parentPort !== null && isOurs(workerData)) serveFile(parentPort, workerData);

function serveFile(port: MessagePort, { afterwordStateFile, limit }: FileWorkerData): void {
  const reply = (message: FileReply): void => port.postMessage(message);
  let database: DatabaseSync;
  let table: ConversationTable;
  try {
    database = openStateDatabase(afterwordStateFile);
    table = createConversationTable(database, limit);
  } catch (error) {
    reply({ id: 0, failed: explain(error, afterwordStateFile) });
    return;
  }
  port.on("message", (call: FileCall) => {
    try {
      reply({ id: call.id, value: answer(call) });
    } catch (error) {
      reply({ id: call.id, failed: explain(error, afterwordStateFile) });
    }
  });
  reply({ id: 0, value: null });

  function answer(call: FileCall): string | null {
    switch (call.kind) {
      case "get":
        return table.get(call.key, call.now);
      case "put":
        table.put(call.key, call.value, call.now);
        return null;
      case "sweep":
        table.sweep(call.now);
        return null;
      case "close":
        database.close();
        return null;
    }
  }
}

/** The thread may be somebody else's worker that merely imports this module. */
function isOurs(data: unknown): data is FileWorkerData {
  return typeof data === "object" && data !== null && "afterwordStateFile" in data;
}
