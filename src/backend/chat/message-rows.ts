import type { Selectable } from "kysely";
import { z } from "zod";
import type { ChatMessage } from "../../api/chat/types.ts";
import type { ChatMessageTable } from "../storage/tables/chat.ts";
import type { Queries } from "./options.ts";

export type MessageRow = Selectable<ChatMessageTable>;

const stored = z.union([
  z.string(),
  z.object({ url: z.string(), type: z.string(), name: z.string() }),
]);

/** Messages as they are answered, with those who have read them. */
export async function toMessages(
  queries: Queries,
  rows: readonly MessageRow[],
): Promise<readonly ChatMessage[]> {
  if (rows.length === 0) return [];
  const chats = await queries
    .selectFrom("chat_chats")
    .select(["number", "id"])
    .where("number", "in", [...new Set(rows.map(({ chat }) => chat))])
    .execute();
  const chatIds = new Map(chats.map(({ number, id }) => [number, id]));
  const numbers = rows.map(({ number }) => number);
  const reads = await queries
    .selectFrom("chat_reads")
    .select(["message", "reader"])
    .where("message", "in", numbers)
    .orderBy("at")
    .execute();
  const readsOf = Map.groupBy(reads, ({ message }) => message);
  return rows.map((row) =>
    messageOf(
      row,
      chatIds.get(row.chat) ?? "",
      (readsOf.get(row.number) ?? []).map(({ reader }) => reader),
    ),
  );
}

/** A message whose chat and readers are known. */
export function messageOf(row: MessageRow, chat: string, read: readonly string[]): ChatMessage {
  return {
    id: row.id,
    chat,
    sender: row.sender,
    type: row.type === "media" || row.type === "object" ? row.type : "text",
    message: stored.parse(JSON.parse(row.message)),
    created: Math.floor(row.created / 1000),
    read,
    ...(row.imported === 1 && { imported: true }),
  };
}

export async function toMessage(queries: Queries, row: MessageRow): Promise<ChatMessage> {
  const [message] = await toMessages(queries, [row]);
  if (message === undefined) throw new Error("unreachable: one row is one message");
  return message;
}
