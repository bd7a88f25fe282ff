import { z } from "zod";
import { acceptText } from "../../api/call/fields.ts";
import { LIMITS } from "../../api/call/limits.ts";
import {
  actor,
  mediaFilter,
  messageFilter,
  newMedia,
  newMessage,
  newNote,
} from "../../api/chat/schema.ts";
import { downloadOf } from "../http/files.ts";
import { Refusal } from "../http/refusal.ts";
import { MEDIA_LIMIT, readStrictBase64 } from "../ticketing/media.ts";
import { parseQuery } from "../auth/handling.ts";
import { actorOf, parseFields, parseFieldsOrQuery, kyselyOf } from "./request.ts";
import type { ChatRequest, ChatHandler } from "./request.ts";
import { refuseUnknown } from "./errors.ts";
import { storeMedia } from "./chats/media.ts";
import { mediaColumns, readBytes, readMedia, toMedia } from "./chats/media-rows.ts";
import { readMessage, sendMessage, toMessages } from "./chats/messages.ts";
import { readChatNumbered } from "./chats/chat-rows.ts";
import { readPage } from "../http/paging.ts";
import { requireVisible, readVisibleChat } from "./chats/visible.ts";
import { refuseOverPersonalLimit } from "./access.ts";
import { addNote, listNotes } from "./chats/notes.ts";
import { readAgent } from "./agents/agents.ts";
import { requireNoUser } from "./rights.ts";

/** Messages, agents' notes and files. */
export const MESSAGE_HANDLERS: Readonly<Record<`chat.${string}`, ChatHandler>> = {
  async "chat.messages"(asked) {
    const { after, ...page } = parseQuery(messageFilter, asked);
    const chat = await readVisibleChat(kyselyOf(asked), asked, asked.id);
    const number = after === undefined ? 0 : await numberOf(asked, chat.number, after);
    const { data, hasMore } = await readPage(page, (limit, offset) =>
      kyselyOf(asked)
        .selectFrom("chat_messages")
        .selectAll()
        .where("chat", "=", chat.number)
        .where("number", ">", number)
        .orderBy("number")
        .limit(limit)
        .offset(offset)
        .execute(),
    );
    return { messages: await toMessages(kyselyOf(asked), data), hasMore };
  },
  async "chat.sendMessage"(asked) {
    const refused = await refuseOverPersonalLimit(asked.options, asked.caller, "messages");
    if (refused !== null) return refused;
    const { sender: named, message, type } = parseFields(newMessage, asked);
    const sender = actorOf(asked, named, "sender");
    await readVisibleChat(kyselyOf(asked), asked, asked.id);
    const request = { chat: asked.id, sender, message, type, key: asked.idempotencyKey };
    return { message: await sendMessage(asked.options, asked.app, request) };
  },
  async "chat.readMessage"(asked) {
    const reader = actorOf(asked, parseFieldsOrQuery(actor, asked).userId, "userId");
    const message = await readMessage(asked.options, asked.app, asked.id, reader, (queries, chat) =>
      requireVisible(queries, asked, chat),
    );
    return { reader, message };
  },
  async "chat.notes"(asked) {
    requireNoUser(asked);
    return {
      notes: await listNotes(
        kyselyOf(asked),
        await readVisibleChat(kyselyOf(asked), asked, asked.id),
      ),
    };
  },
  async "chat.addNote"(asked) {
    requireNoUser(asked);
    const refused = await refuseOverPersonalLimit(asked.options, asked.caller, "messages");
    if (refused !== null) return refused;
    const { author: named, text: written } = parseFields(newNote, asked);
    const { id: author } = await readAgent(
      kyselyOf(asked),
      asked.app,
      actorOf(asked, named, "author"),
    );
    await readVisibleChat(kyselyOf(asked), asked, asked.id);
    const request = { chat: asked.id, author, text: written, key: asked.idempotencyKey };
    return { note: await addNote(asked.options, asked.app, request) };
  },
  async "chat.mediaList"(asked) {
    const { chatId, ...page } = parseQuery(mediaFilter, asked);
    let query = kyselyOf(asked)
      .selectFrom("chat_media")
      .select(mediaColumns)
      .where("app", "=", asked.app);
    if (chatId !== undefined) {
      const { number } = await readVisibleChat(kyselyOf(asked), asked, chatId);
      query = query.where("chat", "=", number);
    }
    const { data, hasMore } = await readPage(page, (limit, offset) =>
      query.orderBy("number").limit(limit).offset(offset).execute(),
    );
    return { media: data.map((row) => toMedia(row)), hasMore };
  },
  async "chat.upload"(asked) {
    const refused = await refuseOverPersonalLimit(asked.options, asked.caller, "uploads");
    return refused ?? { media: await upload(asked) };
  },
  async "chat.download"(asked) {
    const { options, app, id } = asked;
    const row = await readMedia(kyselyOf(asked), app, id, options.now());
    if (row.chat !== null) {
      await requireVisible(
        kyselyOf(asked),
        asked,
        await readChatNumbered(kyselyOf(asked), row.chat),
      );
    }
    return downloadOf(row, await readBytes(kyselyOf(asked), row));
  },
};

/** Multipart has the file itself, JSON its base64. Where it goes may stand in the query too. */
async function upload(asked: ChatRequest): Promise<object> {
  const { file, fields } = asked.sent;
  const content = file === null ? parseFields(newMedia, asked) : null;
  const { chatId, senderId } =
    content ??
    parseFieldsOrQuery(
      z.object({
        chatId: acceptText(LIMITS.id).optional(),
        senderId: acceptText(LIMITS.id).optional(),
      }),
      asked,
    );
  const to = chatId === undefined ? null : { chat: chatId, sender: senderOf(asked, senderId) };
  if (to !== null) await readVisibleChat(kyselyOf(asked), asked, to.chat);
  const name = file?.name ?? content?.name ?? "";
  const type = file?.type ?? (typeof fields["type"] === "string" ? fields["type"] : "");
  const data = file === null ? decodeFile(content?.content ?? "") : await bytesOf(file);
  return storeMedia(asked.options, asked.app, { name, type, data, to });
}

function senderOf(asked: ChatRequest, senderId: string | undefined): string {
  return actorOf(asked, senderId, "senderId");
}

/** The file that a request has sent, as {@link upload} reads it. */
export async function readSentFile(
  asked: ChatRequest,
): Promise<{ readonly name: string; readonly data: Uint8Array }> {
  const { file } = asked.sent;
  if (file !== null) return { name: file.name, data: await bytesOf(file) };
  const { name, content } = parseFields(newMedia, asked);
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

async function numberOf(asked: ChatRequest, chat: number, id: string): Promise<number> {
  const row = await kyselyOf(asked)
    .selectFrom("chat_messages")
    .select("number")
    .where("chat", "=", chat)
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) throw refuseUnknown("message", id);
  return row.number;
}
