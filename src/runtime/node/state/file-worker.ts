import type { DatabaseSync } from "node:sqlite";
import { isMainThread, type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { NewRow, Row } from "../../../escalation/stores/rows.ts";
import { type ConversationTable, createConversationTable } from "./conversation-table.ts";
import { createEscalationTable, type EscalationTable } from "./escalation-table.ts";
import { explain, isBusy, openStateDatabase } from "./state-database.ts";

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
  | { readonly kind: "close" }
  | EscalationOperation;

/** What {@link EscalationTable} does. */
export type EscalationOperation =
  | { readonly kind: "record"; readonly key: string }
  | { readonly kind: "recordByEvent"; readonly event: string }
  | { readonly kind: "putRecord"; readonly row: NewRow; readonly expected: number }
  | { readonly kind: "deleteRecord"; readonly key: string }
  | { readonly kind: "due"; readonly at: number; readonly limit: number; readonly lease: number }
  | { readonly kind: "open"; readonly limit: number }
  | { readonly kind: "sweepRecords"; readonly before: number }
  | { readonly kind: "claim"; readonly name: string; readonly by: string; readonly lease: number }
  | { readonly kind: "release"; readonly name: string; readonly by: string }
  | { readonly kind: "readMark" }
  | { readonly kind: "writeMark"; readonly text: string };

export type FileValue = string | number | boolean | null | Row | readonly Row[];

/** `id` 0 answers the opening itself. `busy`: another process was writing, and nothing was done. */
export type FileReply =
  | { readonly id: number; readonly value: FileValue }
  | { readonly id: number; readonly failed: string; readonly busy: boolean };

if (!isMainThread && parentPort !== null && isOurs(workerData)) serveFile(parentPort, workerData);

function serveFile(port: MessagePort, { afterwordStateFile, limit }: FileWorkerData): void {
  const reply = (message: FileReply): void => port.postMessage(message);
  const fail = (id: number, error: unknown): void =>
    reply({ id, failed: explain(error, afterwordStateFile), busy: isBusy(error) });
  let database: DatabaseSync;
  let conversations: ConversationTable;
  let escalations: EscalationTable;
  try {
    database = openStateDatabase(afterwordStateFile);
    conversations = createConversationTable(database, limit);
    escalations = createEscalationTable(database);
  } catch (error) {
    fail(0, error);
    return;
  }
  port.on("message", (call: FileCall) => {
    try {
      reply({ id: call.id, value: answer(call) });
    } catch (error) {
      fail(call.id, error);
    }
  });
  reply({ id: 0, value: null });

  function answer(call: FileCall): FileValue {
    switch (call.kind) {
      case "get":
        return conversations.get(call.key, call.now);
      case "put":
        conversations.put(call.key, call.value, call.now);
        return null;
      case "sweep":
        conversations.sweep(call.now);
        escalations.forgetClaims(call.now);
        return null;
      case "close":
        database.close();
        return null;
      default:
        return answerEscalation(call, call.now, escalations);
    }
  }
}

function answerEscalation(
  call: EscalationOperation,
  now: number,
  table: EscalationTable,
): FileValue {
  switch (call.kind) {
    case "record":
      return table.get(call.key);
    case "recordByEvent":
      return table.byEvent(call.event);
    case "putRecord":
      return table.put(call.row, call.expected);
    case "deleteRecord":
      table.delete(call.key);
      return null;
    case "due":
      return table.due(call.at, call.limit, call.lease);
    case "open":
      return table.open(call.limit);
    case "sweepRecords":
      return table.sweep(call.before);
    case "claim":
      return table.claim(call.name, call.by, call.lease, now);
    case "release":
      table.release(call.name, call.by);
      return null;
    case "readMark":
      return table.readMark();
    case "writeMark":
      table.writeMark(call.text);
      return null;
  }
}

/** The thread may be somebody else's worker that merely imports this module. */
function isOurs(data: unknown): data is FileWorkerData {
  return typeof data === "object" && data !== null && "afterwordStateFile" in data;
}
