import { unknown } from "./errors.ts";
import type { Asked } from "./asked.ts";
import { readChat } from "./chat-rows.ts";
import type { ChatRow } from "./chat-rows.ts";
import type { Queries } from "./options.ts";

/** A chat that the caller may see. Throws 404 for every other, so that nobody learns which ids exist. */
export async function visibleChat(queries: Queries, asked: Asked, id: string): Promise<ChatRow> {
  const chat = await readChat(queries, asked.app, id);
  await requireVisible(queries, asked, chat);
  return chat;
}

/**
 * Throws 404 where a person must not see a chat: a user sees the own ones, an agent those of the own rooms and those in
 * which the agent is, was or is invited.
 */
export async function requireVisible(queries: Queries, asked: Asked, chat: ChatRow): Promise<void> {
  const { person } = asked.caller;
  if (person === null || chat.creator === person.id || chat.invited === person.id) return;
  const member = await queries
    .selectFrom("chat_members")
    .select("person")
    .where("chat", "=", chat.number)
    .where("person", "=", person.id)
    .executeTakeFirst();
  if (member !== undefined) return;
  const room = await queries
    .selectFrom("chat_agent_rooms")
    .select("room")
    .where("agent", "=", person.id)
    .where("room", "=", chat.room)
    .executeTakeFirst();
  if (room === undefined) throw unknown("chat", chat.id);
}
