import { expressionBuilder } from "kysely";
import type { Expression, SqlBool } from "kysely";
import type { Tables, Queries } from "../../storage/tables/database.ts";
import { refuseUnknown } from "../errors.ts";
import type { Caller } from "../caller.ts";
import type { ChatRequest } from "../request.ts";
import { readChat } from "./chat-rows.ts";
import type { ChatRow } from "./chat-rows.ts";

/**
 * Creates the condition for the chats that a person may see. Users see their own chats. Agents see
 * the chats of their rooms, and those that they are in, were in, or are invited to.
 */
export function isVisibleTo(person: string): Expression<SqlBool> {
  const chat = expressionBuilder<Tables, "chat_chats">();
  return chat.or([
    chat("chat_chats.creator", "=", person),
    chat("chat_chats.invited", "=", person),
    chat(
      "chat_chats.number",
      "in",
      chat.selectFrom("chat_members").select("chat").where("person", "=", person),
    ),
    chat(
      "chat_chats.room",
      "in",
      chat.selectFrom("chat_agent_rooms").select("room").where("agent", "=", person),
    ),
  ]);
}

/** Reads a chat that the caller may see. Throws 404 for all others, to hide which ids exist. */
export async function readVisibleChat(request: ChatRequest, id: string): Promise<ChatRow> {
  const { app, queries } = request;
  const chat = await readChat(queries, app, id);
  await requireVisible(queries, request, chat);
  return chat;
}

/** Throws 404 if the caller may not see a chat. */
export async function requireVisible(
  queries: Queries,
  request: { readonly caller: Caller },
  chat: ChatRow,
): Promise<void> {
  const { person } = request.caller;
  if (person === null || chat.creator === person.id || chat.invited === person.id) return;
  const seen = await queries
    .selectFrom("chat_chats")
    .select("number")
    .where("number", "=", chat.number)
    .where(isVisibleTo(person.id))
    .executeTakeFirst();
  if (seen === undefined) throw refuseUnknown("chat", chat.id);
}
