import { z } from "zod";
import type { OutputOf } from "../call/fields.ts";
import { AGENT_STATUSES, ASSIGN_RULES, STREAM_TRIGGERS } from "./states.ts";

/** Shapes of answers, as the service gives them. Times are Unix seconds. */

const seconds = z.int().min(0);
const id = z.string().min(1);
const numberOrText = z.union([z.number(), z.string()]);
/** A JSON value whose type comes back as it was sent: clients compare strictly (chat.md 5). */
export type NumberOrText = z.output<typeof numberOrText>;

export const user = z.object({
  id,
  name: z.string(),
  /** Agents only: what users see instead of the name. */
  nickname: z.string().optional(),
  /** E-mail address, or empty. */
  contact: z.string(),
  /** Empty when there is none. */
  externalId: z.string(),
  extraInfo: z.record(z.string(), z.unknown()),
  /** Ids of the chats that are not closed; for a user one at most. */
  chats: z.array(id),
  /** Not empty for agents, and only for them. */
  providerId: z.string(),
});
export type ChatUser = OutputOf<typeof user>;

export const agent = user.extend({
  providerId: id,
  login: z.string(),
  /** Ids of rooms. */
  rooms: z.array(z.string()),
  /** ISO 639-1; none means every language. */
  languages: z.array(z.string()),
  /** How many chats at once. */
  slots: z.int().min(0),
  /** How many of them are taken, pending invitations included. */
  load: z.int().min(0),
  /** False: not there, whatever `status` says. */
  online: z.boolean(),
  /** `busy` and `away`: there, with no new invitations. */
  status: z.enum(AGENT_STATUSES),
  rights: z.object({
    /** To change the user info of a user whom the agent is chatting with. */
    CHAT_EDIT_USER_INFO: z.boolean(),
    /** To change the canned answers of the app. */
    CHAT_EDIT_CANNED_ANSWERS: z.boolean(),
    /** To read the tickets of the app's project. */
    TICKET_VIEW: z.boolean(),
    /** To answer, assign, mark and merge those that the agent may read, and to make new ones. */
    TICKET_EDIT: z.boolean(),
    /** To see how the chats of the own rooms go, and tickets of every queue, whatever `queues` says. */
    SUPERVISE: z.boolean(),
  }),
  /** Numbers of the queues that each right is limited to; none means every queue. */
  queues: z.object({ TICKET_VIEW: z.array(z.int()), TICKET_EDIT: z.array(z.int()) }),
});
export type ChatAgent = OutputOf<typeof agent>;

/** Asks an agent: to take a chat (`assign`), join its agent (`join`) or take over (`transfer`). */
const invitation = z.object({
  /** Id of the agent. */
  userId: id,
  type: z.enum(["assign", "join", "transfer"]),
  /** Then it goes to the next one. */
  expires: seconds,
});

/** Begin and length of the found word in the text, in UTF-16 units; a length of 0 where none is. */
export const excerpt = z.object({ text: z.string(), at: z.int(), length: z.int() });
export type ChatExcerpt = OutputOf<typeof excerpt>;

export const chat = z.object({
  id,
  /** `open` is the specification's word for `active` (row 22 of the spellings). */
  status: z.enum(["active", "open", "waiting", "closed"]),
  room: numberOrText,
  creator: id,
  source: numberOrText,
  /** ISO 639-1, or empty. */
  lang: z.string(),
  externalId: z.string(),
  /** 1 while it has a place in the queue. */
  inQueue: z.literal([0, 1]),
  /** Id of the agent who answers for it, or null. */
  agent: id.nullable(),
  /** The agent who is asked and has not answered, or null. */
  invitation: invitation.nullish(),
  closed: z.boolean(),
  /** Why a person is needed: a trigger of escalation, such as `no-results`. Not for users. */
  reason: z.string().optional(),
  /** The user's question before that. Not for users. */
  question: z.string().optional(),
  /** Since when its user waits for an answer; absent when an agent spoke last. Not for users. */
  waitingSince: seconds.optional(),
  /** True when nobody has answered for longer than the setting `inactivity`. Not for users. */
  unanswered: z.literal(true).optional(),
  /** The person who closed it, by id, or `system`. Not for users. */
  closedBy: z.string().optional(),
  /** Why it was closed: what the agent chose, or `inactivity`. Users are not given it. */
  closeReason: z.string().optional(),
  created: seconds,
  /** The user's name, and what a search found or the last words; with `search` or `preview`. */
  name: z.string().optional(),
  excerpt: excerpt.optional(),
  /**
   * The people who are writing now. This and `read` are in the answer for one chat, not in lists.
   */
  writing: z.array(id).optional(),
  /** By person, the newest message that they have read, among the last ones of the chat. */
  read: z.record(z.string(), id).optional(),
});
export type Chat = OutputOf<typeof chat>;

export const mediaShape = {
  /** Relative to the versioned base: `/media/<id>`. */
  url: z.string().regex(/^\/media\//),
  type: z.string(),
  name: z.string(),
};

export const message = z.object({
  id,
  /** Id of the chat. */
  chat: id,
  sender: id,
  type: z.enum(["text", "media", "object"]),
  /** A text (it may be HTML), or what a media message shows. */
  message: z.union([z.string(), z.object(mediaShape)]),
  created: seconds,
  /** Ids of those who have read it. */
  read: z.array(id),
  /** True for a line of a transcript: nobody said it in this chat. */
  imported: z.literal(true).optional(),
});
export type ChatMessage = OutputOf<typeof message>;
export type ChatMediaMessage = Exclude<ChatMessage["message"], string>;

export const note = z.object({
  id,
  /** Id of the chat. */
  chat: id,
  /** Id of the agent who wrote it. */
  author: id,
  text: z.string(),
  created: seconds,
});
/** A note that agents keep about a chat for themselves. */
export type ChatNote = OutputOf<typeof note>;

export const media = z.object({
  id,
  ...mediaShape,
  /** Bytes. */
  size: z.int(),
  created: seconds,
});
export type ChatMedia = OutputOf<typeof media>;

/** One line of a chat's history, oldest first, or an event of a stream with its id. */
export const event = z.object({
  id: z.int(),
  trigger: z.enum(STREAM_TRIGGERS),
  data: z.record(z.string(), z.unknown()),
  created_at: seconds,
});
export type ChatEvent = OutputOf<typeof event>;

/** One event, as a registered address is sent it and an event stream carries it. */
export const chatDelivery = z.object({
  trigger: z.enum(STREAM_TRIGGERS),
  appId: z.string(),
  data: z.record(z.string(), z.unknown()),
  created_at: seconds,
});
export type ChatDelivery = OutputOf<typeof chatDelivery>;

/** An event that a registered address did not take, in all its attempts. */
export const undelivered = z.object({
  id: z.int(),
  event: chatDelivery,
  attempts: z.int(),
  /** The result of the last attempt. */
  reason: z.string(),
  givenUp: seconds,
});
export type ChatUndelivered = OutputOf<typeof undelivered>;

export const settings = z.object({
  queue: z.object({ active: z.boolean() }),
  languages: z.array(z.string()),
  /** MIME types (`image/png`, `image/*`) or extensions (`png`); nothing else may be sent. */
  allowedMediaTypes: z.array(z.string()),
  /** Seconds that an agent has to answer an invitation. */
  invitationTimeout: z.int(),
  /** Seconds without a message after which a chat is closed; 0 for never. */
  inactivity: z.int(),
  /** Hosts whose pages may read event streams: `shop.example`, `.example.com`; none for all. */
  domains: z.array(z.string()),
});
export type ChatSettings = OutputOf<typeof settings>;

/** The part of the settings that a client without the secret sees. */
export const publicSettings = settings.pick({
  queue: true,
  languages: true,
  allowedMediaTypes: true,
});

export const cannedAnswer = z.object({
  /** The name that an agent types after `/`. */
  name: z.string(),
  /** By language. The desk puts names in the place of `{user}` and `{agent}`. */
  texts: z.record(z.string(), z.string()),
});
export type ChatCannedAnswer = OutputOf<typeof cannedAnswer>;

export const app = z.object({ id, name: z.string(), created: seconds });
export type ChatApp = OutputOf<typeof app>;

export const room = z.object({ id, name: z.string(), assign: z.enum(ASSIGN_RULES) });
export type ChatRoom = OutputOf<typeof room>;

export const survey = z.object({ id, name: z.string(), url: z.string() });
export type ChatSurvey = OutputOf<typeof survey>;

export const queuePlace = z.object({
  chatId: id,
  /** From 1; 0 for a chat that has no place. */
  queuePosition: z.int().min(0),
  /** Seconds until an agent is likely to answer, or null when nothing is known yet. */
  estimatedWait: z.int().min(0).nullable(),
  /** How many chats of the room came later, and were taken first. */
  overtaken: z.int().min(0),
});
export type ChatQueuePlace = OutputOf<typeof queuePlace>;

export const webhook = z.object({
  id,
  /** Separated by commas. */
  events: z.string(),
  target: z.string(),
  created: seconds,
});
export type ChatWebhook = OutputOf<typeof webhook>;

export const success = z.object({ success: z.literal(true) });
