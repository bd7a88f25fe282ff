import { z } from "zod";
import { type Operation, createRow } from "../call/operation.ts";
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
// The result of a search: agent is null when nobody was found.
const found = z.object({ agent: agent.nullable(), chat });

/** Chats, and what happens in them. */
export const chatRows = {
  createChat: createRow(
    "Opens a chat, with what was said before. With an Idempotency-Key header it is opened once for that key.",
    oneChat,
    {
      persons: true,
      body: newChat,
      errors: [{ status: 409, when: "The user has an open chat, or the key was used otherwise." }],
    },
  ),
  chats: createRow(
    "Chats that the caller may see: all, or those that every given filter finds. A search takes the beginnings of words in messages, in who the chat is with and, for agents, in notes.",
    z.object({ chats: z.array(chat), hasMore: z.boolean(), next: z.string().nullable() }),
    {
      persons: true,
      query: chatFilter,
    },
  ),
  chat: createRow("One chat.", oneChat, { persons: true, errors: [unknownId] }),
  changeChat: createRow("Changes externalId or lang.", oneChat, {
    body: chatChange,
    errors: [unknownId, wrongState],
  }),
  closeChat: createRow(
    "Closes a chat on behalf of a user or agent, or else of the system. People close their own. Agents and the app may give a reason.",
    success,
    { ...acting, body: closing },
  ),
  assign: createRow(
    "Looks for an agent by the rule of the room, and invites that agent; `agent` is null if there is none.",
    found,
    { errors: [unknownId, wrongState] },
  ),
  toInbox: createRow(
    "Takes the chat from its agent, or from the one who is invited, and looks for another, in the room named or in its own.",
    found,
    { persons: true, body: inbox, bodyOptional: true, errors: [unknownId, wrongState] },
  ),
  join: createRow("Joins a chat.", success, { ...acting, errors: [unknownId, full] }),
  leave: createRow("Leaves it.", success, acting),
  transfer: createRow("Asks another agent to take the chat over.", success, {
    ...acting,
    bodyOptional: false,
    errors: [unknownId, full],
  }),
  chatUsers: createRow("Who is in the chat.", z.object({ users: z.array(user) }), {
    persons: true,
    errors: [unknownId],
  }),
  messages: createRow(
    "Messages, oldest first; `after` is the id of the last one that is known.",
    z.object({ messages: z.array(message), hasMore: z.boolean() }),
    {
      persons: true,
      query: messageFilter,
      errors: [unknownId],
    },
  ),
  sendMessage: createRow(
    "Says something in a chat. With an Idempotency-Key header it is said once for that key.",
    z.object({ message }),
    { persons: true, body: newMessage, errors: [unknownId, wrongState] },
  ),
  readMessage: createRow(
    "Notes that somebody has read a message.",
    z.object({ reader: z.string(), message }),
    { persons: true, body: actor, bodyOptional: true, errors: [unknownId] },
  ),
  notes: createRow(
    "Notes that agents keep about the chat, oldest first. No user sees them, and they are in no history, event or webhook.",
    z.object({ notes: z.array(note) }),
    { persons: true, errors: [unknownId, notForUsers] },
  ),
  addNote: createRow(
    "Keeps a note for agents. With an Idempotency-Key header it is kept once for that key.",
    z.object({ note }),
    {
      persons: true,
      body: newNote,
      errors: [unknownId, notForUsers, { status: 409, when: "The chat has 200 notes." }],
    },
  ),
  history: createRow(
    "Everything that happened, oldest first; with `format=csv` as CSV.",
    z.object({ history: z.array(event) }),
    {
      persons: true,
      query: historyFormat,
      errors: [unknownId],
    },
  ),
  importHistory: createRow("Adds what was said before.", z.object({ history: z.array(message) }), {
    body: z.object({ history }),
    errors: [unknownId, wrongState],
  }),
  invite: createRow("Invites an agent to a chat.", success, {
    persons: true,
    body: invitation,
    errors: [unknownId, full],
  }),
  accept: createRow("Accepts an invitation.", success, {
    persons: true,
    body: invitation,
    errors: [unknownId, wrongState],
  }),
  reject: createRow("Rejects an invitation, which goes to the next agent.", success, {
    persons: true,
    body: invitation,
    errors: [unknownId, wrongState],
  }),
  mediaList: createRow(
    "Files that were sent, all or those of a chat.",
    z.object({ media: z.array(media), hasMore: z.boolean() }),
    { query: mediaFilter },
  ),
  upload: createRow(
    "Sends a file: multipart (chatId, senderId, media), or JSON with name and base64 content. Without a chat it is kept for an hour.",
    z.object({ media }),
    {
      persons: true,
      body: newMedia,
      errors: [{ status: 403, when: "Files of this type are not allowed." }, unknownId, wrongState],
    },
  ),
  download: createRow("The file itself.", null, {
    persons: true,
    errors: [unknownId, { status: 410, when: "The file was not sent within an hour." }],
  }),
  queueStatus: createRow(
    "How many wait in each room, and how long the next one is likely to wait (seconds).",
    z.object({
      queues: z.record(
        z.string(),
        z.object({ waiting: z.int(), estimatedWait: z.int().nullable() }),
      ),
    }),
  ),
  queuePlace: createRow("The place of one chat in its queue.", z.object({ queue: queuePlace }), {
    persons: true,
    errors: [unknownId],
  }),
};
