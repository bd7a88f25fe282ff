import { DatabaseSync } from "node:sqlite";
import type { Clients } from "../../../src/api/clients.ts";
import { isCallError } from "../../../src/api/call/call-error.ts";

/** The acknowledged records by kind, each identified by its text. */
export type Ledger = Readonly<Record<"tickets" | "replies" | "media" | "events", string[]>>;

export function emptyLedger(): Ledger {
  return { tickets: [], replies: [], media: [], events: [] };
}

/**
 * Creates records one after the other until a call gets no answer, and notes each acknowledged one.
 */
export async function fill(
  clients: Clients,
  ledger: Ledger,
  random: () => number,
  name: () => string,
): Promise<void> {
  const { ticketing, chatbot } = clients;
  try {
    const address = `${name()}@example.test`;
    const { uuid: creator } = await ticketing.createUser({ name: "Chaos", address });
    const conversation = await chatbot.start();
    let ticket = (await ticketing.createTicket({ message: "first", creator })).uuid;
    for (;;) {
      const text = name();
      const choice = random();
      if (choice < 0.35) {
        ticket = (await ticketing.createTicket({ message: text, creator })).uuid;
        ledger.tickets.push(text);
      } else if (choice < 0.6) {
        await ticketing.createReply(ticket, { message: text, creator });
        ledger.replies.push(text);
      } else if (choice < 0.75) {
        const bytes = new TextEncoder().encode(text.repeat(1 + Math.floor(random() * 500)));
        await ticketing.upload({ name: `${text}.txt`, bytes });
        ledger.media.push(`${text}.txt`);
      } else {
        await conversation.track("chaos", { text });
        ledger.events.push(text);
      }
    }
  } catch (error) {
    if (!isCallError(error) || error.status !== null) throw error;
  }
}

/** Lists the records of the ledger that are not in the database. */
export function missing(file: string, ledger: Ledger): readonly string[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const all = (sql: string): ReadonlySet<unknown> =>
      new Set(
        database
          .prepare(sql)
          .all()
          .map((row) => row["text"]),
      );
    const kept = {
      tickets: all("SELECT message AS text FROM tickets"),
      replies: all("SELECT message AS text FROM replies"),
      media: all("SELECT name AS text FROM media WHERE data IS NOT NULL"),
      events: all("SELECT json_extract(data, '$.text') AS text FROM events WHERE type = 'chaos'"),
    };
    return (["tickets", "replies", "media", "events"] as const).flatMap((kind) =>
      ledger[kind].filter((text) => !kept[kind].has(text)).map((text) => `${kind} ${text}`),
    );
  } finally {
    database.close();
  }
}
