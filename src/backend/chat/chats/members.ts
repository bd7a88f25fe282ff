import { type Refusal, refuseFor, toPrintable } from "../../http/refusal.ts";
import type { ChatRow } from "./chat-rows.ts";
import { emit } from "../emit.ts";
import type { MoveContext } from "./move.ts";
import type { Queries } from "../../storage/tables/database.ts";
import type { AppLock } from "../app-lock.ts";

/** Lists the ids of the agents who are in a chat, in the order in which they joined. */
export async function agentsIn(queries: Queries, chat: ChatRow): Promise<readonly string[]> {
  const rows = await queries
    .selectFrom("chat_members")
    .select("person")
    .where("chat", "=", chat.number)
    .where("kind", "=", "agent")
    .where("left_at", "is", null)
    .orderBy("joined")
    .orderBy("person")
    .execute();
  return rows.map(({ person }) => person);
}

/** Lists the ids of an app's open chats that a person is in, the oldest first. */
export async function openChatsOf(
  queries: Queries,
  app: string,
  person: string,
): Promise<readonly string[]> {
  const rows = await queries
    .selectFrom("chat_members")
    .innerJoin("chat_chats", "chat_chats.number", "chat_members.chat")
    .select("chat_chats.id")
    .where("chat_members.person", "=", person)
    .where("chat_members.left_at", "is", null)
    .where("chat_chats.app", "=", app)
    .where("chat_chats.phase", "<>", "closed")
    .orderBy("chat_chats.number")
    .execute();
  return rows.map(({ id }) => id);
}

/** True for a person who is in the chat at this moment. */
export async function isIn(queries: Queries, chat: ChatRow, id: string): Promise<boolean> {
  const row = await queries
    .selectFrom("chat_members")
    .select("person")
    .where("chat", "=", chat.number)
    .where("person", "=", id)
    .where("left_at", "is", null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Throws 403 for a person who is not in the chat. */
export async function requireIn(queries: Queries, chat: ChatRow, id: string): Promise<void> {
  if (!(await isIn(queries, chat, id))) throw notIn(id);
}

export async function enter(
  { queries, now }: Pick<MoveContext, "queries" | "now">,
  chat: ChatRow,
  person: string,
  kind: "user" | "agent",
): Promise<void> {
  await queries
    .insertInto("chat_members")
    .values({ chat: chat.number, person, kind, joined: now, left_at: null })
    .onConflict((conflict) =>
      conflict.columns(["chat", "person"]).doUpdateSet({ joined: now, left_at: null }),
    )
    .execute();
}

export async function exit(
  { queries, now }: Pick<MoveContext, "queries" | "now">,
  chat: ChatRow,
  person: string,
): Promise<void> {
  await queries
    .updateTable("chat_members")
    .set({ left_at: now })
    .where("chat", "=", chat.number)
    .where("person", "=", person)
    .execute();
  await noteIdle(queries, [person], now);
}

/** Records the time from which on agents count as idle after a chat. */
export async function noteIdle(
  queries: Queries,
  agents: readonly string[],
  now: number,
): Promise<void> {
  if (agents.length === 0) return;
  const update = queries.updateTable("chat_agents").set({ idle_since: now });
  await update.where("id", "in", [...agents]).execute();
}

/**
 * Removes agents from a chat. The caller must have sent the event that `chat.holder` leaves; those
 * of the others are sent here.
 */
export async function removeAgents(
  lock: AppLock,
  chat: ChatRow,
  agents: readonly string[],
): Promise<void> {
  for (const agent of agents) {
    await exit(lock, chat, agent);
    if (agent === chat.holder) continue;
    const { queries, app, now } = lock;
    const data = { chatId: chat.id, userId: agent };
    await emit(queries, { app, chat: chat.number, trigger: "chats:leave", data, now });
  }
}

/** Creates the 403 for a person who is not in a chat. */
export function notIn(id: string): Refusal {
  return refuseFor(403, "not-in-chat", `${toPrintable(id)} is not in this chat.`);
}
