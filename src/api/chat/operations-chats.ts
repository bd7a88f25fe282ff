import { z } from "zod";
import { type Operation, row } from "../call/operation.ts";
import { agent, chat, event, media, message, note, queuePlace, success, user } from "./answers.ts";
import {
  actor,
  chatChange,
  closing,
  history,
  historyFormat,
  inbox,
  invitation,
  mediaFilter,
  messageFilter,
  newChat,
  newMedia,
  newMessage,
  newNote,
} from "./schema.ts";
import { chatFilter } from "./schema-lists.ts";

export const unknownId: Operation["errors"][number] = {
  status: 404,
  when: "This app has nothing with this id.",
};

const wrongState: Operation["errors"][number] = {
  status: 409,
  when: "The state of the chat does not allow it; the message says which state it is in.",
};

const notForUsers = { status: 403, when: "The token is a user's." };
const oneChat = z.object({ chat });
const acting = { persons: true, body: actor, bodyOptional: true, errors: [unknownId, wrongState] };
const full = {
  status: 409,
  when: "The agent has no free slot, or the chat's state does not allow it.",
};
// What a search found: nobody is an agent of null.
const found = z.object({ agent: agent.nullable(), chat });

/** Chats, and what happens in them. */
export const chatRows = {
  createChat: row(
    "Opens a chat, with what was said before. With an Idempotency-Key header it is opened once for that key.",
    oneChat,
    {
      persons: true,
      body: newChat,
      errors: [{ status: 409, when: "The user has an open chat, or the key was used otherwise." }],
    },
  ),
  chats: row(
    "Chats that the caller may see: all, or those that every given filter finds. A search takes the beginnings of words in messages, in who the chat is with and, for agents, in notes.",
    z.object({ chats: z.array(chat), hasMore: z.boolean(), next: z.string().nullable() }),
    {
      persons: true,
      query: chatFilter,
    },
  ),
  chat: row("One chat.", oneChat, { persons: true, errors: [unknownId] }),
  changeChat: row("Changes externalId or lang.", oneChat, {
    body: chatChange,
    errors: [unknownId, wrongState],
  }),
  closeChat: row(
    "Closes a chat on behalf of a user or agent, or else of the system. People close their own. Agents and the app may give a reason.",
    success,
    { ...acting, body: closing },
  ),
  assign: row(
    "Looks for an agent by the rule of the room, and invites that agent; `agent` is null if there is none.",
    found,
    { errors: [unknownId, wrongState] },
  ),
  toInbox: row(
    "Takes the chat from its agent, or from the one who is invited, and looks for another, in the room named or in its own.",
    found,
    { persons: true, body: inbox, bodyOptional: true, errors: [unknownId, wrongState] },
  ),
  join: row("Joins a chat.", success, { ...acting, errors: [unknownId, full] }),
  leave: row("Leaves it.", success, acting),
  transfer: row("Asks another agent to take the chat over.", success, {
    ...acting,
    bodyOptional: false,
    errors: [unknownId, full],
  }),
  chatUsers: row("Who is in the chat.", z.object({ users: z.array(user) }), {
    persons: true,
    errors: [unknownId],
  }),
  messages: row(
    "Messages, oldest first; `after` is the id of the last one that is known.",
    z.object({ messages: z.array(message), hasMore: z.boolean() }),
    {
      persons: true,
      query: messageFilter,
      errors: [unknownId],
    },
  ),
  sendMessage: row(
    "Says something in a chat. With an Idempotency-Key header it is said once for that key.",
    z.object({ message }),
    { persons: true, body: newMessage, errors: [unknownId, wrongState] },
  ),
  readMessage: row(
    "Notes that somebody has read a message.",
    z.object({ reader: z.string(), message }),
    { persons: true, body: actor, bodyOptional: true, errors: [unknownId] },
  ),
  notes: row(
    "Notes that agents keep about the chat, oldest first. No user sees them, and they are in no history, event or webhook.",
    z.object({ notes: z.array(note) }),
    { persons: true, errors: [unknownId, notForUsers] },
  ),
  addNote: row(
    "Keeps a note for agents. With an Idempotency-Key header it is kept once for that key.",
    z.object({ note }),
    {
      persons: true,
      body: newNote,
      errors: [unknownId, notForUsers, { status: 409, when: "The chat has 200 notes." }],
    },
  ),
  history: row(
    "Everything that happened, oldest first; with `format=csv` as CSV.",
    z.object({ history: z.array(event) }),
    {
      persons: true,
      query: historyFormat,
      errors: [unknownId],
    },
  ),
  importHistory: row("Adds what was said before.", z.object({ history: z.array(message) }), {
    body: z.object({ history }),
    errors: [unknownId, wrongState],
  }),
  invite: row("Invites an agent to a chat.", success, {
    persons: true,
    body: invitation,
    errors: [unknownId, full],
  }),
  accept: row("Accepts an invitation.", success, {
    persons: true,
    body: invitation,
    errors: [unknownId, wrongState],
  }),
  reject: row("Rejects an invitation, which goes to the next agent.", success, {
    persons: true,
    body: invitation,
    errors: [unknownId, wrongState],
  }),
  mediaList: row(
    "Files that were sent, all or those of a chat.",
    z.object({ media: z.array(media), hasMore: z.boolean() }),
    { query: mediaFilter },
  ),
  upload: row(
    "Sends a file: multipart (chatId, senderId, media), or JSON with name and base64 content. Without a chat it is kept for an hour.",
    z.object({ media }),
    {
      persons: true,
      body: newMedia,
      errors: [{ status: 403, when: "Files of this type are not allowed." }, unknownId, wrongState],
    },
  ),
  download: row("The file itself.", null, {
    persons: true,
    errors: [unknownId, { status: 410, when: "The file was not sent within an hour." }],
  }),
  queueStatus: row(
    "How many wait in each room, and how long the next one is likely to wait (seconds).",
    z.object({
      queues: z.record(
        z.string(),
        z.object({ waiting: z.int(), estimatedWait: z.int().nullable() }),
      ),
    }),
  ),
  queuePlace: row("The place of one chat in its queue.", z.object({ queue: queuePlace }), {
    persons: true,
    errors: [unknownId],
  }),
};
