import { z } from "zod";
import { text, wholeNumber } from "../fields.ts";
import { LIMITS } from "../limits.ts";
import { agent, chat, event, media, message, queuePlace, success, user } from "./answers.ts";
import { operation, unknownId, wrongState } from "./operation.ts";
import type { ChatOperation } from "./operation.ts";
import { actor, history, invitation, newChat, newMedia, newMessage } from "./schema.ts";

const paging = { length: wholeNumber.optional(), offset: wholeNumber.optional() };
const oneChat = z.object({ chat });
const unversioned = (path: string): { readonly aliases: readonly string[] } => ({
  aliases: [path],
});
const acting = { persons: true, body: actor, bodyOptional: true, errors: [unknownId, wrongState] };
const full = {
  status: 409,
  when: "The agent has no free slot, or the chat's state does not allow it.",
};
// What a search found: nobody is an agent of null.
const found = z.object({ agent: agent.nullable(), chat });

/** Chats, and what happens in them. */
export const CHAT_CHAT_OPERATIONS: readonly ChatOperation[] = [
  operation(
    "chat.createChat",
    ["POST", "/chats"],
    "Opens a chat, with what was said before. With an Idempotency-Key header it is opened once for that key.",
    oneChat,
    {
      persons: true,
      body: newChat,
      errors: [{ status: 409, when: "The user has an open chat, or the key was used otherwise." }],
    },
  ),
  operation(
    "chat.chats",
    ["GET", "/chats"],
    "Chats, all or those with the given status, room, user or externalId.",
    z.object({ chats: z.array(chat), hasMore: z.boolean() }),
    {
      persons: true,
      query: z.object({
        ...paging,
        status: text(LIMITS.id).optional(),
        room: text(LIMITS.id).optional(),
        userId: text(LIMITS.id).optional(),
        externalId: text(LIMITS.externalId).optional(),
      }),
    },
  ),
  operation("chat.chat", ["GET", "/chats/{id}"], "One chat.", oneChat, {
    persons: true,
    errors: [unknownId],
  }),
  operation("chat.changeChat", ["PUT", "/chats/{id}"], "Changes externalId or lang.", oneChat, {
    body: z.object({
      externalId: text(LIMITS.externalId).optional(),
      lang: text(LIMITS.id).optional(),
    }),
    errors: [unknownId, wrongState],
  }),
  operation(
    "chat.closeChat",
    ["DELETE", "/chats/{id}"],
    "Closes a chat on behalf of a user or agent, or else of the system. People close their own.",
    success,
    acting,
  ),
  operation(
    "chat.assign",
    ["GET", "/chats/{id}/assign"],
    "Looks for an agent and invites the one with the most free slots; nobody is an agent of null.",
    found,
    { errors: [unknownId, wrongState] },
  ),
  operation(
    "chat.toInbox",
    ["POST", "/chats/{id}/toinbox"],
    "Takes the chat from its agent, or from the one who is invited, and looks for another.",
    found,
    { persons: true, errors: [unknownId, wrongState] },
  ),
  operation("chat.join", ["POST", "/chats/{id}/join"], "Joins a chat.", success, {
    ...acting,
    errors: [unknownId, full],
  }),
  operation("chat.leave", ["PUT", "/chats/{id}/leave"], "Leaves it.", success, acting),
  operation(
    "chat.transfer",
    ["POST", "/chats/{id}/transfer"],
    "Asks another agent to take the chat over.",
    success,
    { ...acting, bodyOptional: false, errors: [unknownId, full] },
  ),
  operation(
    "chat.chatUsers",
    ["GET", "/chats/{id}/users"],
    "Who is in the chat.",
    z.object({ users: z.array(user) }),
    { persons: true, errors: [unknownId] },
  ),
  operation(
    "chat.messages",
    ["GET", "/chats/{id}/messages"],
    "Messages, oldest first; `after` is the id of the last one that is known.",
    z.object({ messages: z.array(message), hasMore: z.boolean() }),
    {
      persons: true,
      query: z.object({ ...paging, after: text(LIMITS.id).optional() }),
      errors: [unknownId],
    },
  ),
  operation(
    "chat.sendMessage",
    ["POST", "/chats/{id}/messages"],
    "Says something in a chat. With an Idempotency-Key header it is said once for that key.",
    z.object({ message }),
    { persons: true, body: newMessage, errors: [unknownId, wrongState] },
  ),
  operation(
    "chat.readMessage",
    ["PUT", "/messages/{id}/read"],
    "Notes that somebody has read a message.",
    z.object({ reader: z.string(), message }),
    { persons: true, body: actor, bodyOptional: true, errors: [unknownId] },
  ),
  operation(
    "chat.history",
    ["GET", "/chats/{id}/history"],
    "Everything that happened, oldest first; with `format=csv` as CSV.",
    z.object({ history: z.array(event) }),
    { persons: true, query: z.object({ format: text(LIMITS.id).optional() }), errors: [unknownId] },
  ),
  operation(
    "chat.importHistory",
    ["POST", "/chats/{id}/history"],
    "Adds what was said before.",
    z.object({ history: z.array(message) }),
    { body: z.object({ history }), errors: [unknownId, wrongState] },
  ),
  operation("chat.invite", ["POST", "/invitations"], "Invites an agent to a chat.", success, {
    persons: true,
    body: invitation,
    errors: [unknownId, full],
  }),
  operation("chat.accept", ["POST", "/invitations/accept"], "Accepts an invitation.", success, {
    persons: true,
    body: invitation,
    errors: [unknownId, wrongState],
  }),
  operation(
    "chat.reject",
    ["POST", "/invitations/reject"],
    "Rejects an invitation, which goes to the next agent.",
    success,
    { persons: true, body: invitation, errors: [unknownId, wrongState] },
  ),
  operation(
    "chat.mediaList",
    ["GET", "/media"],
    "Files that were sent, all or those of a chat.",
    z.object({ media: z.array(media), hasMore: z.boolean() }),
    {
      query: z.object({ ...paging, chatId: text(LIMITS.id).optional() }),
      ...unversioned("/media"),
    },
  ),
  operation(
    "chat.upload",
    ["POST", "/media"],
    "Sends a file: multipart (chatId, senderId, media), or JSON with name and base64 content. Without a chat it is kept for an hour.",
    z.object({ media }),
    {
      persons: true,
      body: newMedia,
      errors: [{ status: 403, when: "Files of this type are not allowed." }, unknownId, wrongState],
      ...unversioned("/media"),
    },
  ),
  operation("chat.download", ["GET", "/media/{id}"], "The file itself.", null, {
    persons: true,
    errors: [unknownId, { status: 410, when: "The file was not sent within an hour." }],
    ...unversioned("/media/{id}"),
  }),
  operation(
    "chat.queueStatus",
    ["GET", "/queues/status"],
    "How many wait in each room, and how long the next one is likely to wait (seconds).",
    z.object({
      queues: z.record(
        z.string(),
        z.object({ waiting: z.int(), estimatedWait: z.int().nullable() }),
      ),
    }),
  ),
  operation(
    "chat.queuePlace",
    ["GET", "/queues/update/{id}"],
    "The place of one chat in its queue.",
    z.object({ queue: queuePlace }),
    { persons: true, errors: [unknownId] },
  ),
];
