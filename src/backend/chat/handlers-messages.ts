import {
  actor,
  mediaFilter,
  messageFilter,
  newMedia,
  newMessage,
  newNote,
} from "../../api/chat/schema.ts";
import { serveStoredFile } from "../http/files.ts";
import { Refusal } from "../http/refusal.ts";
import { MEDIA_LIMIT, readStrictBase64 } from "../ticketing/media.ts";
import { parseQuery } from "../auth/handling.ts";
import { actorOf, parseFields, parseFieldsOrQuery } from "./request.ts";
import type { ChatRequest, ChatHandler } from "./request.ts";
import { refuseUnknown } from "./errors.ts";
import { storeMedia } from "./chats/media.ts";
import { createMediaReader, mediaColumns, readMedia, toMedia } from "./chats/media-rows.ts";
import { readMessage, sendMessage, toMessages } from "./chats/messages.ts";
import { readChatNumbered } from "./chats/chat-rows.ts";
import { readPage } from "../http/paging.ts";
import { requireVisible, readVisibleChat } from "./chats/visible.ts";
import { requirePersonalLimit } from "./access.ts";
import { addNote, listNotes } from "./chats/notes.ts";
import { readAgent } from "./agents/agents.ts";
import { requireNoUser } from "./rights.ts";

/** Messages, agents' notes and files. */
export const MESSAGE_HANDLERS = {
  async messages(request) {
    const { after, ...page } = parseQuery(messageFilter, request);
    const chat = await readVisibleChat(request, request.id);
    const number = after === undefined ? 0 : await numberOf(request, chat.number, after);
    const { data, hasMore } = await readPage(page, (limit, offset) =>
      request.queries
        .selectFrom("chat_messages")
        .selectAll()
        .where("chat", "=", chat.number)
        .where("number", ">", number)
        .orderBy("number")
        .limit(limit)
        .offset(offset)
        .execute(),
    );
    return { messages: await toMessages(request.queries, data), hasMore };
  },
  async sendMessage(request) {
    await requirePersonalLimit(request, "messages");
    const { sender: named, message, type } = parseFields(newMessage, request);
    const sender = actorOf(request, named, "sender");
    await readVisibleChat(request, request.id);
    const draft = { chat: request.id, sender, message, type, key: request.idempotencyKey };
    return { message: await sendMessage(request.options, request.app, draft) };
  },
  async readMessage(request) {
    const reader = actorOf(request, parseFieldsOrQuery(actor, request).userId, "userId");
    const message = await readMessage(
      request.options,
      request.app,
      request.id,
      reader,
      (queries, chat) => requireVisible(queries, request, chat),
    );
    return { reader, message };
  },
  async notes(request) {
    requireNoUser(request);
    return {
      notes: await listNotes(request.queries, await readVisibleChat(request, request.id)),
    };
  },
  async addNote(request) {
    requireNoUser(request);
    await requirePersonalLimit(request, "messages");
    const { author: named, text: written } = parseFields(newNote, request);
    const { id: author } = await readAgent(
      request.queries,
      request.app,
      actorOf(request, named, "author"),
    );
    await readVisibleChat(request, request.id);
    const draft = { chat: request.id, author, text: written, key: request.idempotencyKey };
    return { note: await addNote(request.options, request.app, draft) };
  },
  async mediaList(request) {
    const { chatId, ...page } = parseQuery(mediaFilter, request);
    let query = request.queries
      .selectFrom("chat_media")
      .select(mediaColumns)
      .where("app", "=", request.app);
    if (chatId !== undefined) {
      const { number } = await readVisibleChat(request, chatId);
      query = query.where("chat", "=", number);
    }
    const { data, hasMore } = await readPage(page, (limit, offset) =>
      query.orderBy("number").limit(limit).offset(offset).execute(),
    );
    return { media: data.map((row) => toMedia(row)), hasMore };
  },
  async upload(request) {
    await requirePersonalLimit(request, "uploads");
    return { media: await upload(request) };
  },
  async download(request) {
    const { options, app, id } = request;
    const row = await readMedia(request.queries, app, id, options.now());
    if (row.chat !== null) {
      await requireVisible(
        request.queries,
        request,
        await readChatNumbered(request.queries, row.chat),
      );
    }
    return serveStoredFile(row, createMediaReader(request.queries, row));
  },
} satisfies Readonly<Record<string, ChatHandler>>;

/** Stores a file from multipart or, in base64, from JSON. The query may name chat and sender. */
async function upload(request: ChatRequest): Promise<object> {
  const { file, fields } = request.sent;
  const { chatId, senderId } =
    file === null ? parseFields(newMedia, request) : parseFieldsOrQuery(uploadTarget, request);
  const to =
    chatId === undefined ? null : { chat: chatId, sender: actorOf(request, senderId, "senderId") };
  if (to !== null) await readVisibleChat(request, to.chat);
  const type = file?.type ?? (typeof fields["type"] === "string" ? fields["type"] : "");
  return storeMedia(request.options, request.app, { ...(await readSentFile(request)), type, to });
}

const uploadTarget = newMedia.pick({ chatId: true, senderId: true });

/** Reads the file of a request, from multipart or, in base64, from JSON. */
export async function readSentFile(
  request: ChatRequest,
): Promise<{ readonly name: string; readonly data: Uint8Array }> {
  const { file } = request.sent;
  if (file !== null) return { name: file.name, data: await bytesOf(file) };
  const { name, content } = parseFields(newMedia, request);
  return { name, data: decodeFile(content) };
}

async function bytesOf(file: File): Promise<Uint8Array> {
  if (file.size > MEDIA_LIMIT) throw refuseTooLarge("media");
  return new Uint8Array(await file.arrayBuffer());
}

function decodeFile(content: string): Uint8Array {
  const data = readStrictBase64(content);
  if (data === null) throw new Refusal(422, "content: must be base64 (RFC 4648, 4)");
  if (data.byteLength > MEDIA_LIMIT) throw refuseTooLarge("content");
  return data;
}

function refuseTooLarge(field: string): Refusal {
  return new Refusal(413, `${field}: the file is larger than ${MEDIA_LIMIT} bytes`);
}

async function numberOf(request: ChatRequest, chat: number, id: string): Promise<number> {
  const row = await request.queries
    .selectFrom("chat_messages")
    .select("number")
    .where("chat", "=", chat)
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) throw refuseUnknown("message", id);
  return row.number;
}
