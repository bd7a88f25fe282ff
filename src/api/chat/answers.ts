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
  /** Agents only: the name that users see. */
  nickname: z.string().optional(),
  /** E-mail address, or empty. */
  contact: z.string(),
  /** The app's own id for this person, or empty. */
  externalId: z.string(),
  extraInfo: z.record(z.string(), z.unknown()),
  /** Ids of the person's chats that are not closed. A user has one at most. */
  chats: z.array(id),
  /** Empty for users, but not for agents. Clients tell them apart by it. */
  providerId: z.string(),
});
export type ChatUser = OutputOf<typeof user>;

export const agent = user.extend({
  providerId: id,
  login: z.string(),
  /** Ids of rooms. */
  rooms: z.array(z.string()),
  /** Codes of languages. An empty list means every language. */
  languages: z.array(z.string()),
  /** The number of chats that the agent can have at once. */
  slots: z.int().min(0),
  /** The number of slots in use, including those of unanswered invitations. */
  load: z.int().min(0),
  /** False means offline, regardless of `status`. */
  online: z.boolean(),
  /** `busy` and `away`: online, but without new invitations. */
  status: z.enum(AGENT_STATUSES),
  rights: z.object({
    /** To change the user info of a user whom the agent is chatting with. */
    CHAT_EDIT_USER_INFO: z.boolean(),
    /** To change the canned answers of the app. */
    CHAT_EDIT_CANNED_ANSWERS: z.boolean(),
    /** To read the tickets of the app's project. */
    TICKET_VIEW: z.boolean(),
    /** To change and answer the tickets that the agent may read, and to create new ones. */
    TICKET_EDIT: z.boolean(),
    /** To see the figures of the agent's rooms, and of all queues, regardless of `queues`. */
    SUPERVISE: z.boolean(),
  }),
  /** Numbers of the queues to which each right is limited. An empty list means every queue. */
  queues: z.object({ TICKET_VIEW: z.array(z.int()), TICKET_EDIT: z.array(z.int()) }),
});
export type ChatAgent = OutputOf<typeof agent>;

/** Asks an agent to take a chat (`assign`), to join its agent (`join`) or to replace them (`transfer`). */
const invitation = z.object({
  /** Id of the agent. */
  userId: id,
  type: z.enum(["assign", "join", "transfer"]),
  /** The time at which the next agent is invited. */
  expires: seconds,
});

/** A text, and where the found word is in it, in UTF-16 units. Length 0 means no word. */
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
  /** 1 while the chat is in a queue. */
  inQueue: z.literal([0, 1]),
  /** Id of the agent who has the chat, or null. */
  agent: id.nullable(),
  /** The invitation that an agent has not answered yet, or null. */
  invitation: invitation.nullish(),
  closed: z.boolean(),
  /** Why a person is needed: a trigger of escalation, such as `no-results`. Not for users. */
  reason: z.string().optional(),
  /** The question that made a person necessary. Not for users. */
  question: z.string().optional(),
  /** The time since which its user waits; absent if an agent wrote last. Not for users. */
  waitingSince: seconds.optional(),
  /** True if no agent has answered for longer than the setting `inactivity`. Not for users. */
  unanswered: z.literal(true).optional(),
  /** The person who closed it, by id, or `system`. Not for users. */
  closedBy: z.string().optional(),
  /** Why it was closed: the agent's choice, or `inactivity`. Not for users. */
  closeReason: z.string().optional(),
  created: seconds,
  /** With `search` or `preview`: the user's name, and the found text or the last message. */
  name: z.string().optional(),
  excerpt: excerpt.optional(),
  /**
   * The people who are writing now. This and `read` are in the answer for one chat, not in lists.
   */
  writing: z.array(id).optional(),
  /** The newest of the chat's last messages that each person has read. */
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
  /** A text, which may be HTML, or the file of a media message. */
  message: z.union([z.string(), z.object(mediaShape)]),
  created: seconds,
  /** Ids of the people who have read it. */
  read: z.array(id),
  /** True for a line of a transcript, which was not written in this chat. */
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
/** A note of an agent about a chat, which users do not see. */
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

/** One event, as webhooks and event streams send it. */
export const chatDelivery = z.object({
  trigger: z.enum(STREAM_TRIGGERS),
  appId: z.string(),
  data: z.record(z.string(), z.unknown()),
  created_at: seconds,
});
export type ChatDelivery = OutputOf<typeof chatDelivery>;

/** An event that a registered address did not accept in any attempt. */
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
  /** Hosts whose pages may read event streams: `shop.example`, `.example.com`. Empty: all hosts. */
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
  /** The texts by language. The desk replaces `{user}` and `{agent}` with names. */
  texts: z.record(z.string(), z.string()),
});
export type ChatCannedAnswer = OutputOf<typeof cannedAnswer>;

export const app = z.object({ id, name: z.string(), created: seconds });
export type ChatApp = OutputOf<typeof app>;

export const room = z.object({ id, name: z.string(), assign: z.enum(ASSIGN_RULES) });
export type ChatRoom = OutputOf<typeof room>;

export const survey = z.object({ id, name: z.string(), url: z.string() });
export type ChatSurvey = OutputOf<typeof survey>;

export const queuePosition = z.object({
  chatId: id,
  /** From 1; 0 for a chat that is not queued. */
  queuePosition: z.int().min(0),
  /** Estimated seconds until an agent answers, or null without an estimate. */
  estimatedWait: z.int().min(0).nullable(),
  /** The number of later chats of the room that were taken first. */
  overtaken: z.int().min(0),
});
export type ChatQueuePosition = OutputOf<typeof queuePosition>;

export const webhook = z.object({
  id,
  /** The names of events, separated by commas. */
  events: z.string(),
  target: z.string(),
  created: seconds,
});
export type ChatWebhook = OutputOf<typeof webhook>;

export const success = z.object({ success: z.literal(true) });
