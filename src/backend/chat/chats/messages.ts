import type { ChatMessage, ChatMediaMessage } from "../../../api/chat/answers.ts";
import { isObject } from "../../../json/values.ts";
import { Refusal } from "../../http/refusal.ts";
import { toStorable } from "../../../storage/storable.ts";
import { createOnce } from "../../ticketing/idempotency.ts";
import { lockChat, readChat } from "./chat-rows.ts";
import type { ChatRow } from "./chat-rows.ts";
import { refuseUnknown } from "../errors.ts";
import { createId } from "../ids.ts";
import { attachMedia } from "./media-rows.ts";
import { openChatsOf, requireIn } from "./members.ts";
import { cellOf, move } from "./move.ts";
import type { MoveContext } from "./move.ts";
import { addSearchedTexts, type SearchedText } from "../../storage/search-index.ts";
import type { Queries } from "../../storage/tables/database.ts";
import type { ChatOptions } from "../options.ts";
import { readSettings } from "../settings.ts";
import type { Selectable, Updateable } from "kysely";
import { z } from "zod";
import type { ChatMessageTable, ChatTable } from "../../storage/tables/chat.ts";

export interface MessageRequest {
  readonly chat: string;
  readonly sender: string;
  readonly type: "text" | "media";
  readonly message: unknown;
  /** From the header `Idempotency-Key`, or null. */
  readonly key: string | null;
}

/** Posts a message in an open chat, in order. Throws 409, 403, 422. */
export async function sendMessage(
  options: ChatOptions,
  app: string,
  request: MessageRequest,
): Promise<ChatMessage> {
  const { database } = options;
  return database.durable(async (queries) => {
    const { context, chat } = await lockOpenChat(queries, options, app, request.chat);
    const { key, ...message } = request;
    const project = `chat message ${app} ${toStorable(message.sender)}`;
    const once = { project, key, request: JSON.stringify(message), now: context.now };
    const fresh: { message: ChatMessage | null } = { message: null };
    const number = await createOnce(queries, once, async () => {
      cellOf(chat, "message");
      await requireIn(queries, chat, request.sender);
      const media = request.type === "media";
      const content = media
        ? await attachMedia(context, chat, readMediaId(request.message))
        : requireText(request.message);
      const { type, sender } = request;
      const stored = await storeMessage(context, options, chat, { sender, type, content });
      fresh.message = stored.message;
      return stored.number;
    });
    if (fresh.message !== null) return fresh.message;
    const query = queries.selectFrom("chat_messages").selectAll().where("number", "=", number);
    return toMessage(queries, await query.executeTakeFirstOrThrow());
  });
}

/** Locks an open chat. No slots change, so the app need not be locked. */
export async function lockOpenChat(
  queries: Queries,
  { now }: ChatOptions,
  app: string,
  id: string,
): Promise<{ readonly context: MoveContext; readonly chat: ChatRow }> {
  const chat = await lockChat(queries, app, id);
  return {
    context: { queries, app, now: now(), settings: await readSettings(queries, app) },
    chat,
  };
}

/** Stores a member's message and sends its event. Throws 409 if the chat accepts no messages. */
export async function storeMessage(
  context: MoveContext,
  { random }: Pick<ChatOptions, "random">,
  chat: ChatRow,
  what: {
    readonly sender: string;
    readonly type: "text" | "media";
    readonly content: string | ChatMediaMessage;
  },
): Promise<{ readonly number: number; readonly message: ChatMessage }> {
  const { queries, app, now } = context;
  const { sender, type, content } = what;
  const row = await queries
    .insertInto("chat_messages")
    .values({
      id: createId(random),
      app,
      chat: chat.number,
      created: now,
      sender,
      type,
      message: JSON.stringify(content),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const message = messageOf(row, chat.id, []);
  await addSearchedTexts(queries, [
    toSearchedText(row, typeof content === "string" ? content : content.name),
  ]);
  const set =
    sender === chat.creator ? toWaitingColumns(chat, now) : toAnsweredColumns(sender, chat, now);
  await move(context, chat, "message", { set, data: { "messages:new": { message } } });
  return { number: row.number, message };
}

/** Returns the text by which searches find a message. */
export function toSearchedText(
  { number, chat }: Pick<MessageRow, "number" | "chat">,
  text: string,
): SearchedText {
  return { kind: "message", source: number, subject: chat, text };
}

/** Columns of a chat in which an agent wrote last. The time of the first answer is kept. */
function toAnsweredColumns(
  agent: string,
  { answered }: ChatRow,
  now: number,
): Updateable<ChatTable> {
  const first = answered === null ? { answered: now, answered_by: agent } : {};
  return { awaits: null, unanswered: null, ...first };
}

/** Columns of a chat whose user waits. The wait counts from the first question without an answer. */
function toWaitingColumns({ awaits, idle }: ChatRow, now: number): Updateable<ChatTable> {
  return awaits === null ? { awaits: now } : { idle };
}

/** Notes that a member of the chat has read a message. Throws 404, 403. */
export async function readMessage(
  options: ChatOptions,
  app: string,
  id: string,
  reader: string,
  may: (queries: Queries, chat: ChatRow) => void | Promise<void>,
): Promise<ChatMessage> {
  return options.database.durable(async (queries) => {
    const row = await queries
      .selectFrom("chat_messages")
      .innerJoin("chat_chats", "chat_chats.number", "chat_messages.chat")
      .selectAll("chat_messages")
      .select("chat_chats.id as chatId")
      .where("chat_messages.id", "=", id)
      .where("chat_messages.app", "=", app)
      .executeTakeFirst();
    if (row === undefined) throw refuseUnknown("message", id);
    const { context, chat } = await lockOpenChat(queries, options, app, row.chatId);
    await may(queries, chat);
    await requireIn(queries, chat, reader);
    const noted = await queries
      .insertInto("chat_reads")
      .values({ message: row.number, reader, at: context.now })
      .onConflict((conflict) => conflict.columns(["message", "reader"]).doNothing())
      .returning("reader")
      .executeTakeFirst();
    if (noted !== undefined) {
      const message = { id: row.id, sender: row.sender, chat: chat.id };
      const set = { idle: chat.idle };
      const data = { "messages:read": { userId: reader, message } };
      await move(context, chat, "read", { set, data });
    }
    return toMessage(queries, row);
  });
}

/** Tells the others that a chat's user has left the page, or is back. Throws 409, 403. */
export async function notePresence(
  options: ChatOptions,
  app: string,
  id: string,
  person: string,
  type: "away" | "back",
): Promise<void> {
  await options.database.transaction(async (queries) => {
    const { context, chat } = await lockOpenChat(queries, options, app, id);
    cellOf(chat, "appear");
    await requireIn(queries, chat, person);
    if (person !== chat.creator) throw new Refusal(403, "Only the user of a chat is away or back.");
    const data = { "users:presence": { userId: person, type } };
    // Presence is no activity, so the chat's idle time goes on.
    await move(context, chat, "appear", { set: { idle: chat.idle }, data });
  });
}

/** Tells the others that a member is writing, or not any more. Throws 409, 403. */
export async function noteWriting(
  options: ChatOptions,
  app: string,
  id: string,
  person: string,
  type: "writing" | "not-writing",
): Promise<void> {
  await options.database.transaction(async (queries) => {
    const { context, chat } = await lockOpenChat(queries, options, app, id);
    cellOf(chat, "write");
    await requireIn(queries, chat, person);
    const data = { "users:activity": { userId: person, type } };
    const isWaiting = person === chat.creator && chat.awaits !== null;
    await move(context, chat, "write", { set: isWaiting ? { idle: chat.idle } : {}, data });
  });
}

/** Finds the chat of a writer who names none: a user's open one, or an agent's latest. */
export async function chatOf(queries: Queries, app: string, person: string): Promise<ChatRow> {
  const latest = (await openChatsOf(queries, app, person)).at(-1);
  if (latest === undefined) throw new Refusal(422, "chatId: is missing, and there is no open chat");
  return readChat(queries, app, latest);
}

function requireText(message: unknown): string {
  const text = typeof message === "number" ? String(message) : message;
  if (typeof text === "string" && text.trim() !== "") return text;
  throw new Refusal(422, "message: must be a text, and not empty");
}

/** Reads `/media/<id>`, or the id alone, from a message. */
function readMediaId(message: unknown): string {
  const named = isObject(message) ? (message["url"] ?? message["id"]) : message;
  if (typeof named === "string" && named !== "") return named.split("/").at(-1) ?? "";
  throw new Refusal(422, "message: must name an uploaded file by its url or id");
}

type MessageRow = Selectable<ChatMessageTable>;

const stored = z.union([
  z.string(),
  z.object({ url: z.string(), type: z.string(), name: z.string() }),
]);

/** Converts messages to their form in answers, with the ids of people who have read them. */
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

/** Converts a message of a known chat with known readers. */
function messageOf(row: MessageRow, chat: string, read: readonly string[]): ChatMessage {
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

async function toMessage(queries: Queries, row: MessageRow): Promise<ChatMessage> {
  const [message] = await toMessages(queries, [row]);
  if (message === undefined) throw new Error("unreachable: one row is one message");
  return message;
}
