import type { z } from "zod";
import type { newChat } from "../../api/chat/schema.ts";
import { Refusal } from "../refusal.ts";
import { storable } from "../storage/storable.ts";
import { isUniqueViolation } from "../storage/unique.ts";
import { createdOnce } from "../ticketing/idempotency.ts";
import { chatNumbered } from "./chat-rows.ts";
import type { ChatRow } from "./chat-rows.ts";
import { emit } from "./emit.ts";
import { importHistory } from "./history-import.ts";
import type { Source } from "./history-import.ts";
import { shown } from "../shown.ts";
import { newId } from "./ids.ts";
import { enter } from "./members.ts";
import { move } from "./move.ts";
import type { ChatOptions } from "./options.ts";
import { takeTurn } from "./turn.ts";
import type { Turn } from "./turn.ts";

export type ChatRequest = z.infer<typeof newChat>;

/** The number that clients send for "came through the chat". */
const usualSource = 3;

/**
 * Opens a chat; in queue mode it takes its place at once, and an agent may be invited to it
 * already.
 *
 * @throws Refusal 409 where the user has an open chat, 422 for an unknown room or user
 */
export async function createChat(
  options: ChatOptions,
  app: string,
  request: ChatRequest,
  key: string | null,
  source: Source,
): Promise<ChatRow> {
  try {
    const number = await takeTurn(options, app, (turn) =>
      createdOnce(
        turn.queries,
        {
          project: `chat ${app} ${storable(request.creator)}`,
          key,
          request: JSON.stringify(request),
          now: turn.now,
        },
        () => insertChat(turn, request, source),
      ),
    );
    return await chatNumbered(options.database.kysely, number);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new Refusal(409, "The user already has a chat that is not closed.");
  }
}

async function insertChat(turn: Turn, request: ChatRequest, source: Source): Promise<number> {
  const { queries, app, now, settings, options } = turn;
  const room = storable(String(request.room));
  await requireCreator(turn, request.creator);
  await requireRoom(turn, room);
  const chat = await queries
    .insertInto("chat_chats")
    .values({
      id: newId(options.random),
      app,
      created: now,
      room,
      room_json: JSON.stringify(request.room),
      source_json: JSON.stringify(request.source ?? usualSource),
      creator: request.creator,
      lang: storable(request.lang ?? "").slice(0, 35),
      external_id: storable(request.externalId ?? ""),
      phase: "created",
      round: 0,
      idle: settings.inactivity === 0 ? null : now + settings.inactivity * 1000,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await enter(turn, chat, chat.creator, "user");
  const data = { chatId: chat.id, userId: chat.creator };
  await emit(queries, { app, chat: chat.number, trigger: "chats:create", data, now });
  await importHistory(turn, chat, request.history ?? [], source);
  if (settings.queue.active) await move(turn, chat, "enqueue", { set: { queued: now } });
  return chat.number;
}

async function requireCreator({ queries, app }: Turn, id: string): Promise<void> {
  const row = await queries
    .selectFrom("chat_people")
    .select("kind")
    .where("id", "=", id)
    .where("app", "=", app)
    .executeTakeFirst();
  if (row?.kind !== "user") throw new Refusal(422, `creator: there is no user ${shown(id)}`);
}

async function requireRoom({ queries, app }: Turn, id: string): Promise<void> {
  const row = await queries
    .selectFrom("chat_rooms")
    .select("id")
    .where("id", "=", id)
    .where("app", "=", app)
    .executeTakeFirst();
  if (row === undefined) throw new Refusal(422, `room: there is no room ${shown(id)}`);
}
