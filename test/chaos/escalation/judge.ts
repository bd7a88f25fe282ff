import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { promised, type Reader } from "./reader.ts";

/** The outcome of one conversation. */
export interface Verdict {
  readonly chats: number;
  readonly tickets: number;
  /** Null if everything is in order. */
  readonly fault: string | null;
  readonly transcript: readonly string[];
}

/** Compares what the reader was told with the backend's database. */
export function judge(database: string, reader: Reader): Verdict {
  const key = createHash("sha256").update(`shop\n${reader.session}`).digest("hex");
  const chats = count(database, "chat_chats", key);
  const tickets = count(database, "tickets", key);
  const promisedChat = reader.wasSaid(promised.chat);
  const promisedTicket = reader.wasSaid(promised.ticket);
  const fault =
    chats > 1
      ? `${chats} chats`
      : tickets > 1
        ? `${tickets} tickets`
        : promisedChat && chats === 0
          ? "a promise without a chat"
          : promisedTicket && tickets === 0
            ? "a promise without a ticket"
            : !promisedChat && !promisedTicket
              ? "nothing was said"
              : null;
  return { chats, tickets, fault, transcript: reader.transcript };
}

/** A line for the progress. */
export function created(totals: { chats: number; tickets: number; faults: number }): string {
  return `${totals.chats} chats, ${totals.tickets} tickets, ${totals.faults} faults`;
}

function count(file: string, table: "chat_chats" | "tickets", key: string): number {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const row = database
      .prepare(`SELECT count(*) AS n FROM ${table} WHERE external_id LIKE ?`)
      .get(`aw-${key}-%`);
    return Number(row?.["n"] ?? 0);
  } finally {
    database.close();
  }
}
