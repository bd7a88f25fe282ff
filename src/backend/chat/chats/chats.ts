import type { z } from "zod";
import type { newChat, HistoryLine } from "../../../api/chat/schema.ts";
import { Refusal, toPrintable } from "../../http/refusal.ts";
import { guestIn } from "../../../locales/guest.ts";
import { toStorable } from "../../../storage/storable.ts";
import { isUniqueViolation } from "../../../storage/unique.ts";
import { createOnce } from "../../ticketing/idempotency.ts";
import { readChatNumbered } from "./chat-rows.ts";
import type { ChatRow } from "./chat-rows.ts";
import { emit } from "../emit.ts";
import { createId } from "../ids.ts";
import { enter } from "./members.ts";
import { move, type MoveContext } from "./move.ts";
import type { ChatOptions } from "../options.ts";
import { withAppLock } from "../agents/queue.ts";
import { replaceSearchedPerson } from "../agents/people.ts";
import type { AppLock } from "../app-lock.ts";
import type { ChatMessage } from "../../../api/chat/answers.ts";
import { toSearchedText, toMessages } from "./messages.ts";
import { addSearchedTexts } from "../../storage/search-index.ts";
import type { Queries } from "../../storage/tables/database.ts";

export type ChatCreation = z.infer<typeof newChat>;

/** The number that clients send for "came through the chat". */
const usualSource = 3;

/**
 * Opens a chat. In queue mode the chat is queued immediately, and may already have an invitation.
 *
 * @throws Refusal 409 where the user has an open chat, 422 for an unknown room or user
 */
export async function createChat(
  options: ChatOptions,
  app: string,
  request: ChatCreation,
  key: string | null,
  source: Source,
): Promise<ChatRow> {
  try {
    const number = await withAppLock(options, app, (lock) =>
      createOnce(
        lock.queries,
        {
          project: `chat ${app} ${toStorable(request.creator)}`,
          key,
          request: JSON.stringify(request),
          now: lock.now,
        },
        () => insertChat(lock, request, source),
      ),
    );
    return await readChatNumbered(options.database.kysely, number);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    // Clients compare this text.
    throw new Refusal(409, "User already has a chat");
  }
}

async function insertChat(lock: AppLock, request: ChatCreation, source: Source): Promise<number> {
  const { queries, app, now, settings, options } = lock;
  const room = toStorable(String(request.room));
  await requireCreator(lock, request);
  await requireRoom(lock, room);
  const chat = await queries
    .insertInto("chat_chats")
    .values({
      id: createId(options.random),
      app,
      created: now,
      room,
      room_json: JSON.stringify(request.room),
      source_json: JSON.stringify(request.source ?? usualSource),
      creator: request.creator,
      lang: toStorable(request.lang ?? "").slice(0, 35),
      external_id: toStorable(request.externalId ?? ""),
      ...(source === "app" && {
        reason: request.reason === undefined ? null : toStorable(request.reason),
        question: request.question === undefined ? null : toStorable(request.question),
      }),
      phase: "created",
      round: 0,
      idle: settings.inactivity === 0 ? null : now + settings.inactivity * 1000,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await enter(lock, chat, chat.creator, "user");
  const data = { chatId: chat.id, userId: chat.creator };
  await emit(queries, { app, chat: chat.number, trigger: "chats:create", data, now });
  await importHistory(lock, chat, request.history ?? [], source);
  if (settings.queue.active) await move(lock, chat, "enqueue", { set: { queued: now } });
  return chat.number;
}

/** Gives a nameless creator the word for a guest in the chat's language. Throws 422 for no user. */
async function requireCreator(
  { queries, app }: AppLock,
  { creator: id, lang = "" }: ChatCreation,
): Promise<void> {
  const row = await queries
    .selectFrom("chat_people")
    .select(["kind", "name"])
    .where("id", "=", id)
    .where("app", "=", app)
    .executeTakeFirst();
  if (row?.kind !== "user") throw new Refusal(422, `creator: there is no user ${toPrintable(id)}`);
  if (row.name !== "") return;
  const called = { name: guestIn(lang) };
  const update = queries.updateTable("chat_people").set(called).where("id", "=", id);
  await replaceSearchedPerson(queries, await update.returningAll().executeTakeFirstOrThrow());
}

/** Throws 422 for a room that the app does not have. */
export async function requireRoom({ queries, app }: AppLock, id: string): Promise<void> {
  const row = await queries
    .selectFrom("chat_rooms")
    .select("id")
    .where("id", "=", id)
    .where("app", "=", app)
    .executeTakeFirst();
  if (row === undefined) throw new Refusal(422, `room: there is no room ${toPrintable(id)}`);
}

/** The sender of the bot's earlier messages. */
const ASSISTANT = "assistant";

// How transcripts name the two sides (row 29 of the spellings).
const botNames: ReadonlySet<string> = new Set([ASSISTANT, "bot", "system"]);
const userNames: ReadonlySet<string> = new Set(["user", "guest"]);

/**
 * The origin of a transcript. The app's server may name all senders, a person only themselves and
 * the bot.
 */
type Source = "app" | "person";

/** Milliseconds that a person's transcript may go back. */
const maxAge = 86_400_000;

/**
 * Adds earlier messages, in the order of the list. Webhooks do not get them, and empty lines are
 * dropped. In a person's transcript every line of others counts as the bot's, and a time that is in the
 * future or more than a day ago becomes the nearest allowed one.
 */
export async function importHistory(
  { queries, app, now, options }: MoveContext & Pick<AppLock, "options">,
  chat: ChatRow,
  lines: readonly HistoryLine[],
  source: Source,
): Promise<readonly ChatMessage[]> {
  const toTime = (created: number): number =>
    source === "app" ? created : Math.min(Math.max(created, now - maxAge), now);
  const rows = lines
    .map((line) => ({ ...line, message: textOf(line.message) }))
    .filter(({ message }) => message.trim() !== "")
    .map(({ sender, message, created = now, type }) => ({
      id: createId(options.random),
      app,
      chat: chat.number,
      sender: senderOf(sender, chat, source),
      type,
      message: JSON.stringify(message),
      created: toTime(created),
      imported: 1,
    }));
  if (rows.length === 0) return [];
  const made = await queries.insertInto("chat_messages").values(rows).returningAll().execute();
  await noteWaiting(
    queries,
    chat,
    rows.findLast(({ sender }) => sender !== ASSISTANT)?.sender,
    now,
  );
  const inOrder = made.toSorted((a, b) => a.number - b.number);
  const messages = await toMessages(queries, inOrder);
  await addSearchedTexts(
    queries,
    made.map((row) => toSearchedText(row, textOf(JSON.parse(row.message)))),
  );
  // Only the log gets them, because webhooks would report the user's own words as new.
  await queries
    .insertInto("chat_log")
    .values(
      messages.map((message) => ({
        app,
        chat: chat.number,
        trigger_name: "messages:new",
        data: JSON.stringify({ chatId: chat.id, message, imported: true }),
        at: message.created * 1000,
      })),
    )
    .execute();
  return messages;
}

/** Records that a user waits if their imported words are last and nobody has written since. */
async function noteWaiting(
  queries: Queries,
  { number, creator }: ChatRow,
  last: string | undefined,
  now: number,
): Promise<void> {
  if (last !== creator) return;
  const spoken = queries
    .selectFrom("chat_messages")
    .select("number")
    .where("chat", "=", number)
    .where("imported", "=", 0);
  await queries
    .updateTable("chat_chats")
    .set({ awaits: now })
    .where("number", "=", number)
    .where("awaits", "is", null)
    .where((chat) => chat.not(chat.exists(spoken)))
    .execute();
}

function textOf(message: unknown): string {
  if (typeof message === "string") return message;
  return message === undefined || message === null ? "" : JSON.stringify(message);
}

function senderOf(sender: string, { creator }: ChatRow, source: Source): string {
  if (botNames.has(sender)) return ASSISTANT;
  if (userNames.has(sender) || sender.trim() === "" || sender === creator) return creator;
  return source === "app" ? sender.slice(0, 200) : ASSISTANT;
}
