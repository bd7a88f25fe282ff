import { z } from "zod";
import { type Operation, createRow, keyUsed } from "../call/operation.ts";
import {
  agent,
  chat,
  event,
  media,
  message,
  note,
  queuePosition,
  success,
  user,
} from "./answers.ts";
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
  transferee,
} from "./schema.ts";
import { chatFilter } from "./schema-lists.ts";

export const unknownId: Operation["errors"][number] = {
  status: 404,
  when: "The app has nothing with this id, or the caller may not see it.",
};

export const wrongState: Operation["errors"][number] = {
  status: 409,
  when: "The state of the chat does not allow this. The message says why.",
};

export const notForUsers: Operation["errors"][number] = {
  status: 403,
  when: "The token belongs to a user; only agents and the app may do this.",
};

const oneChat = z.object({ chat });
const acting = { persons: true, body: actor, bodyOptional: true, errors: [unknownId, wrongState] };
export const tooLarge: Operation["errors"][number] = {
  status: 413,
  when: "The file is larger than 7,340,032 bytes.",
};
const full = {
  status: 409,
  when: "The agent has no free slot, or the state of the chat does not allow this.",
};
const busy = {
  status: 409,
  when: "The agent is offline, busy, away, without a free slot or in the chat already; another agent is invited; or the state of the chat does not allow this.",
};
/** The result of a search for an agent, who is null if none was found. */
const found = z.object({ agent: agent.nullable(), chat });

/** Chats, and what happens in them. */
export const chatRows = {
  createChat: createRow(
    "Opens a chat for a user, who can have one open chat at a time. `history` is the conversation so far. In queue mode the chat joins the queue of its room. With their own token, users can only open a chat for themselves. Requests with the same Idempotency-Key header open one chat.",
    oneChat,
    {
      persons: true,
      body: newChat,
      errors: [{ status: 409, when: "The user has an open chat." }, keyUsed],
    },
  ),
  chats: createRow(
    "Lists the chats that the caller may see and that all given filters find, the oldest first. `search` finds chats that have words with these beginnings in messages, in the user's name, address or `externalId`, or in notes, which users cannot search. `next` is the `after` of the next page.",
    z.object({ chats: z.array(chat), hasMore: z.boolean(), next: z.string().nullable() }),
    {
      persons: true,
      query: chatFilter,
      errors: [
        { status: 403, when: "A user filters by `person` or `reason`." },
        { status: 404, when: "There is no chat with the id in `after`, or no such `person`." },
      ],
    },
  ),
  chat: createRow(
    "Returns a chat, with the people who are writing and how far each has read.",
    oneChat,
    { persons: true, errors: [unknownId] },
  ),
  changeChat: createRow("Changes the `externalId` or the language of an open chat.", oneChat, {
    body: chatChange,
    errors: [unknownId, wrongState],
  }),
  closeChat: createRow(
    "Closes a chat in the name of `userId`, else of the system. With their own token, users can close their chats, and agents the chats that they are in. Agents and the app can give a `reason`.",
    success,
    { ...acting, body: closing },
  ),
  assign: createRow(
    "Searches for an agent by the rule of the room, and invites that agent. `agent` is null if there is none. While an agent is invited, another call changes nothing and returns this agent.",
    found,
    { errors: [unknownId, wrongState] },
  ),
  toInbox: createRow(
    "Takes a chat from its agent, or from the agent who is invited, and searches for another one, in `room` or else in the room of the chat. With their own token, only this agent can do it.",
    found,
    {
      persons: true,
      body: inbox,
      bodyOptional: true,
      errors: [notForUsers, unknownId, wrongState],
    },
  ),
  join: createRow(
    "Brings a person into a chat. An agent takes the chat, or joins the agent who has it; its user comes back to it. If the person is in the chat already, nothing changes.",
    success,
    { ...acting, errors: [unknownId, full] },
  ),
  leave: createRow(
    "Removes a person from a chat. When its last agent leaves, it is open to other agents, and in queue mode back in the queue.",
    success,
    acting,
  ),
  transfer: createRow(
    "Asks another agent to take over a chat. With their own token, only the agent who has the chat can do this.",
    success,
    {
      ...acting,
      body: transferee,
      bodyOptional: false,
      errors: [notForUsers, unknownId, busy],
    },
  ),
  chatUsers: createRow("Lists the people who are in a chat.", z.object({ users: z.array(user) }), {
    persons: true,
    errors: [unknownId],
  }),
  messages: createRow(
    "Lists the messages of a chat, oldest first. `after` is the id of a message: only later ones are listed.",
    z.object({ messages: z.array(message), hasMore: z.boolean() }),
    {
      persons: true,
      query: messageFilter,
      errors: [unknownId],
    },
  ),
  sendMessage: createRow(
    "Sends a message of a person who is in the chat. For an uploaded file, `type` is `media`, and `message` its `url` or id. Requests with the same Idempotency-Key header send one message.",
    z.object({ message }),
    { persons: true, body: newMessage, errors: [unknownId, wrongState, keyUsed] },
  ),
  readMessage: createRow(
    "Marks a message as read by a person who is in its chat. Another call changes nothing.",
    z.object({ reader: z.string(), message }),
    { persons: true, body: actor, bodyOptional: true, errors: [unknownId] },
  ),
  notes: createRow(
    "Lists the notes that agents wrote about a chat, oldest first. Histories, events and webhooks do not contain them.",
    z.object({ notes: z.array(note) }),
    { persons: true, errors: [notForUsers, unknownId] },
  ),
  addNote: createRow(
    "Adds a note about a chat, open or closed, which users do not see. Requests with the same Idempotency-Key header add one note.",
    z.object({ note }),
    {
      persons: true,
      body: newNote,
      errors: [notForUsers, unknownId, { status: 409, when: "The chat has 200 notes." }, keyUsed],
    },
  ),
  history: createRow(
    "Lists the events of a chat except `users:activity`, oldest first. `format=csv` returns CSV.",
    z.object({ history: z.array(event) }),
    {
      persons: true,
      query: historyFormat,
      errors: [unknownId],
    },
  ),
  importHistory: createRow(
    "Adds earlier messages to an open chat, in the order of the list. Webhooks do not receive them.",
    z.object({ history: z.array(message) }),
    {
      body: z.object({ history }),
      errors: [unknownId, wrongState],
    },
  ),
  invite: createRow(
    "Invites an agent to a chat. If no agent has the chat, the invited one takes it. Otherwise the agent joins (`type` `join`) or replaces (`transfer`) the one who has it. With their own token, agents can invite into a chat that no agent has or that they are in; only the agent who has it can use `transfer`.",
    success,
    {
      persons: true,
      body: invitation,
      errors: [notForUsers, unknownId, busy],
    },
  ),
  accept: createRow("Accepts the invitation of an agent to a chat.", success, {
    persons: true,
    body: invitation,
    errors: [notForUsers, unknownId, wrongState],
  }),
  reject: createRow(
    "Rejects the invitation of an agent to a chat. If no agent has the chat, the next one is invited.",
    success,
    {
      persons: true,
      body: invitation,
      errors: [notForUsers, unknownId, wrongState],
    },
  ),
  mediaList: createRow(
    "Lists the files that were uploaded to the app, or those of a chat.",
    z.object({ media: z.array(media), hasMore: z.boolean() }),
    { query: mediaFilter },
  ),
  upload: createRow(
    "Uploads a file of up to 7 MB, as multipart (`chatId`, `senderId`, `media`) or as JSON with `name` and Base64 `content`. With `chatId`, it is sent as a message of that chat. Without, it is deleted after an hour unless a message names it.",
    z.object({ media }),
    {
      persons: true,
      body: newMedia,
      errors: [
        {
          status: 403,
          when: "The settings do not allow files of this type, or the content does not match the extension.",
        },
        tooLarge,
        unknownId,
        wrongState,
      ],
    },
  ),
  download: createRow("Downloads a file.", null, {
    persons: true,
    errors: [
      unknownId,
      { status: 410, when: "The file was not sent within an hour of its upload, and is deleted." },
    ],
  }),
  queueStatus: createRow(
    "Counts the chats in the queue of each room. `estimatedWait` is how many seconds the next chat is likely to wait, or null if too little is known.",
    z.object({
      queues: z.record(
        z.string(),
        z.object({ waiting: z.int(), estimatedWait: z.int().nullable() }),
      ),
    }),
  ),
  queuePosition: createRow(
    "Returns the position of a chat in its queue, which is 0 if it is in none, and the likely wait in seconds.",
    z.object({ queue: queuePosition }),
    {
      persons: true,
      errors: [unknownId],
    },
  ),
};
