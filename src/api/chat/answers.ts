import { z } from "zod";
import { ASSIGN_RULES, CHAT_TRIGGERS } from "./states.ts";
import type {
  Chat,
  ChatAgent,
  ChatApp,
  ChatDelivery,
  ChatEvent,
  ChatMedia,
  ChatMessage,
  ChatQueuePlace,
  ChatRoom,
  ChatSettings,
  ChatSurvey,
  ChatUndelivered,
  ChatUser,
  ChatWebhook,
} from "./types.ts";

/** Shapes of answers, as the service gives them. */

const seconds = z.int().min(0);
const id = z.string().min(1);
const numberOrText = z.union([z.number(), z.string()]);

const userShape = {
  id,
  name: z.string(),
  nickname: z.string().optional(),
  contact: z.string(),
  externalId: z.string(),
  extraInfo: z.record(z.string(), z.unknown()),
  chats: z.array(id),
  providerId: z.string(),
};

export const user: z.ZodType<ChatUser> = z.object(userShape);

export const agent: z.ZodType<ChatAgent> = z.object({
  ...userShape,
  providerId: id,
  login: z.string(),
  rooms: z.array(z.string()),
  languages: z.array(z.string()),
  slots: z.int().min(0),
  load: z.int().min(0),
  online: z.boolean(),
  rights: z.object({ CHAT_EDIT_USER_INFO: z.boolean() }),
});

export const chat: z.ZodType<Chat> = z.object({
  id,
  status: z.enum(["active", "open", "waiting", "closed"]),
  room: numberOrText,
  creator: id,
  source: numberOrText,
  lang: z.string(),
  externalId: z.string(),
  inQueue: z.literal([0, 1]),
  agent: id.nullable(),
  invitation: z
    .object({ userId: id, type: z.enum(["assign", "join", "transfer"]), expires: seconds })
    .nullish(),
  closed: z.boolean(),
  created: seconds,
});

const mediaShape = {
  url: z.string().regex(/^\/media\//),
  type: z.string(),
  name: z.string(),
};

export const message: z.ZodType<ChatMessage> = z.object({
  id,
  chat: id,
  sender: id,
  type: z.enum(["text", "media", "object"]),
  message: z.union([z.string(), z.object(mediaShape)]),
  created: seconds,
  read: z.array(id),
  imported: z.literal(true).optional(),
});

export const media: z.ZodType<ChatMedia> = z.object({
  id,
  ...mediaShape,
  size: z.int(),
  created: seconds,
});

export const event: z.ZodType<ChatEvent> = z.object({
  id: z.int(),
  trigger: z.enum(CHAT_TRIGGERS),
  data: z.record(z.string(), z.unknown()),
  created_at: seconds,
});

export const chatDelivery: z.ZodType<ChatDelivery> = z.object({
  trigger: z.enum(CHAT_TRIGGERS),
  appId: z.string(),
  data: z.record(z.string(), z.unknown()),
  created_at: seconds,
});

export const undelivered: z.ZodType<ChatUndelivered> = z.object({
  id: z.int(),
  event: chatDelivery,
  attempts: z.int(),
  reason: z.string(),
  givenUp: seconds,
});

export const settings: z.ZodType<ChatSettings> = z.object({
  queue: z.object({ active: z.boolean() }),
  languages: z.array(z.string()),
  allowedMediaTypes: z.array(z.string()),
  invitationTimeout: z.int(),
  inactivity: z.int(),
  domains: z.array(z.string()),
});

/** What somebody without the secret sees of them. */
export const publicSettings: z.ZodType<Pick<ChatSettings, "queue" | "languages">> = z.object({
  queue: z.object({ active: z.boolean() }),
  languages: z.array(z.string()),
});

export const app: z.ZodType<ChatApp> = z.object({ id, name: z.string(), created: seconds });
export const room: z.ZodType<ChatRoom> = z.object({
  id,
  name: z.string(),
  assign: z.enum(ASSIGN_RULES),
});
export const survey: z.ZodType<ChatSurvey> = z.object({ id, name: z.string(), url: z.string() });

export const queuePlace: z.ZodType<ChatQueuePlace> = z.object({
  chatId: id,
  queuePosition: z.int().min(0),
  estimatedWait: z.int().min(0).nullable(),
});

export const webhook: z.ZodType<ChatWebhook> = z.object({
  id,
  events: z.string(),
  target: z.string(),
  created: seconds,
});

export const success: z.ZodType<{ readonly success: true }> = z.object({
  success: z.literal(true),
});
