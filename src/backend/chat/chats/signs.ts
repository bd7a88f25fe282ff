import type { Chat } from "../../../api/chat/answers.ts";
import { isObject } from "../../../json/values.ts";
import type { Queries } from "../../storage/tables/database.ts";
import type { ChatRow } from "./chat-rows.ts";
import { toEvent } from "./history.ts";

/** Milliseconds after which someone without a new sign of writing no longer counts as writing. */
const WRITING_FOR = 8000;
/** Number of the newest events and messages that are read. */
const maxLooked = 20;

/**
 * Reads who is writing in a chat, and how far each person has read, for clients without an event
 * stream.
 */
export async function signsOf(
  queries: Queries,
  { number }: ChatRow,
  now: number,
): Promise<Required<Pick<Chat, "writing" | "read">>> {
  const events = await queries
    .selectFrom("chat_log")
    .selectAll()
    .where("chat", "=", number)
    .orderBy("number", "desc")
    .limit(maxLooked)
    .execute();
  const latest = new Map<string, boolean>();
  for (const row of events) {
    const { trigger, data } = toEvent(row);
    if (row.at <= now - WRITING_FOR) break;
    const { message, userId, type } = data;
    // A message ends its sender's sign of writing.
    const by = trigger === "messages:new" && isObject(message) ? message["sender"] : userId;
    if (trigger !== "messages:new" && trigger !== "users:activity") continue;
    if (typeof by === "string" && !latest.has(by)) latest.set(by, type === "writing");
  }
  const newest = queries
    .selectFrom("chat_messages")
    .select(["number", "id"])
    .where("chat", "=", number)
    .orderBy("number", "desc")
    .limit(maxLooked)
    .as("newest");
  const reads = await queries
    .selectFrom(newest)
    .innerJoin("chat_reads", "chat_reads.message", "newest.number")
    .select(["newest.id", "chat_reads.reader"])
    .orderBy("newest.number")
    .execute();
  return {
    writing: [...latest].flatMap(([person, writes]) => (writes ? person : [])),
    read: Object.fromEntries(reads.map(({ id, reader }) => [reader, id])),
  };
}
