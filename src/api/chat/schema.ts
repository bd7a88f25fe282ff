import { z } from "zod";
import { anything, filledText, listOf, longerThan, text, truth, wholeNumber } from "../fields.ts";
import { jsonLength } from "../json-length.ts";
import { LIMITS } from "../limits.ts";
import {
  chatId,
  externalId,
  extraInfo,
  idList,
  moment,
  numberOrText,
  roomId,
  unlessEmpty,
} from "./fields.ts";
import { ASSIGN_RULES, CHAT_TRIGGERS } from "./states.ts";
import type {
  ChatAgentChange,
  ChatUserChange,
  NewChat,
  NewChatAgent,
  NewChatRoom,
  NewChatUser,
} from "./types.ts";

/** Shapes of requests. Unknown members are let through and have no effect. */

/** Which records of a list. */
export const paging = { length: wholeNumber.optional(), offset: wholeNumber.optional() };

const name = filledText(LIMITS.name);
const contact = text(LIMITS.mailAddress);
const roomIds: z.ZodType<readonly string[]> = listOf(roomId, LIMITS.entries);
const languages: z.ZodType<readonly string[]> = listOf(
  text(LIMITS.id).refine((value) => /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*$/i.test(value), {
    error: "must be a language code such as en",
  }),
  LIMITS.entries,
);

export const newUser: z.ZodType<NewChatUser> = z.object({
  name,
  externalId: unlessEmpty(externalId),
  extraInfo: extraInfo.optional(),
  contact: unlessEmpty(contact),
});

export const userChange: z.ZodType<ChatUserChange> = z.object({
  name: name.optional(),
  externalId: externalId.optional(),
  extraInfo: extraInfo.optional(),
  contact: contact.optional(),
});

const password = z.string().min(8, "must have at least 8 characters").max(LIMITS.secret);
const agent = {
  password: unlessEmpty(password),
  nickname: text(LIMITS.name).optional(),
  contact: contact.optional(),
  externalId: externalId.optional(),
  extraInfo: extraInfo.optional(),
  rooms: roomIds.optional(),
  languages: languages.optional(),
  slots: wholeNumber.refine((value) => value <= 1000, { error: "must be at most 1000" }).optional(),
  online: truth.optional(),
  rights: z.object({ CHAT_EDIT_USER_INFO: truth.optional() }).optional(),
};

export const newAgent: z.ZodType<NewChatAgent> = z.object({
  ...agent,
  name,
  login: externalFilled(),
});

export const agentChange: z.ZodType<ChatAgentChange> = z.object({
  ...agent,
  name: name.optional(),
  login: externalFilled().optional(),
});

/** What an agent signs in with: `login` (or `email`, `username`) and `password`. */
export const agentLogin: z.ZodType<{ readonly login: string; readonly password: string }> =
  z.preprocess(
    (value) => aliased(value, "login", ["email", "username", "user", "name"]),
    z.object({ login: text(LIMITS.externalId), password: z.string().max(LIMITS.secret) }),
  );

export const agentLogout: z.ZodType<{
  readonly agentId?: string | undefined;
  readonly roomIds?: readonly string[] | undefined;
}> = z.preprocess(
  (value) => aliased(aliased(value, "agentId", ["userId", "id"]), "roomIds", ["rooms", "roomId"]),
  z.object({ agentId: chatId.optional(), roomIds: idList.optional() }),
);

/**
 * `roomIds` and `roomId`, one id or several with commas, on both questions (row 6 of the
 * spellings).
 */
export const availabilityQuery: z.ZodType<{
  readonly roomIds?: readonly string[] | undefined;
  readonly langs?: readonly string[] | undefined;
}> = z.preprocess(
  (value) =>
    aliased(aliased(value, "roomIds", ["roomId", "roomIds[]"]), "langs", ["lang", "language"]),
  z.object({ roomIds: idList.optional(), langs: idList.optional() }),
);

/** A line of an earlier conversation as it was read: `created` in milliseconds since the epoch. */
export interface HistoryLine {
  readonly sender: string;
  readonly message?: unknown;
  readonly created?: number | undefined;
  readonly type: "text" | "object";
}

const historyLine: z.ZodType<HistoryLine> = z.object({
  sender: text(LIMITS.id),
  message: anything(LIMITS.priorLine),
  created: moment.optional(),
  type: z.enum(["text", "object"]).catch("text"),
});

export const history: z.ZodType<readonly HistoryLine[]> = listOf(
  historyLine,
  LIMITS.priorLines,
).refine((lines) => jsonLength(lines) <= LIMITS.priorText, { error: longerThan(LIMITS.priorText) });

export const newChat: z.ZodType<
  Omit<NewChat, "history"> & { readonly history?: readonly HistoryLine[] | undefined }
> = z.object({
  room: numberOrText,
  creator: chatId,
  source: numberOrText.optional(),
  lang: z.preprocess((value) => value ?? undefined, text(LIMITS.id).optional()),
  externalId: z.preprocess((value) => value ?? undefined, externalId.optional()),
  history: history.optional(),
});

/** Who acts: may be left out by somebody who shows a token. */
export const actor: z.ZodType<{ readonly userId?: string | undefined }> = z.preprocess(
  (value) => aliased(value, "userId", ["user", "agentId", "reader", "id"]),
  z.object({ userId: unlessEmpty(chatId) }),
);

export const newMessage: z.ZodType<{
  readonly sender?: string | undefined;
  readonly message: unknown;
  readonly type: "text" | "media";
}> = z.object({
  sender: unlessEmpty(chatId),
  message: anything(LIMITS.chatMessage),
  type: z.enum(["text", "media"]).default("text"),
});

export const invitation: z.ZodType<{
  readonly chatId: string;
  readonly userId?: string | undefined;
  readonly type: "join" | "transfer";
}> = z.preprocess(
  (value) => aliased(aliased(value, "chatId", ["chat"]), "userId", ["user", "agentId"]),
  z.object({
    chatId,
    userId: unlessEmpty(chatId),
    type: z.enum(["join", "transfer"]).default("join"),
  }),
);

export const activity: z.ZodType<{
  readonly type: "writing" | "not-writing";
  readonly chatId?: string | undefined;
}> = z.preprocess(
  (value) => aliased(value, "chatId", ["chat"]),
  z.object({
    type: z
      .enum(["writing", "not-writing", "stop-writing"])
      .transform((value) => (value === "writing" ? value : ("not-writing" as const))),
    chatId: unlessEmpty(chatId),
  }),
);

/** A file as JSON; multipart has `chatId`, `senderId` and the file `media`. */
export const newMedia: z.ZodType<{
  readonly name: string;
  readonly content: string;
  readonly chatId?: string | undefined;
  readonly senderId?: string | undefined;
}> = z.object({
  name: filledText(LIMITS.fileName),
  content: z.string().max(LIMITS.fileContent),
  chatId: unlessEmpty(chatId),
  senderId: unlessEmpty(chatId),
});

export const appData: z.ZodType<{ readonly name: string }> = z.object({ name });
export const newRoom: z.ZodType<NewChatRoom & { readonly id: string }> = z.object({
  id: roomId,
  name: name.optional(),
  assign: unlessEmpty(z.enum(ASSIGN_RULES, { error: `must be among ${ASSIGN_RULES.join(", ")}` })),
});
export const newSurvey: z.ZodType<{ readonly name: string; readonly url: string }> = z.object({
  name,
  url: z
    .url({ protocol: /^https?$/, error: "must be an http or https address" })
    .max(LIMITS.address),
});

export const settingsChange: z.ZodType<{
  readonly queue?: { readonly active: boolean } | undefined;
  readonly languages?: readonly string[] | undefined;
  readonly allowedMediaTypes?: readonly string[] | undefined;
  readonly invitationTimeout?: number | undefined;
  readonly inactivity?: number | undefined;
  readonly domains?: readonly string[] | undefined;
}> = z.preprocess(
  (value) => aliased(value, "allowedMediaTypes", ["mediaTypes", "media", "media_types"]),
  z.object({
    queue: z.object({ active: truth }).optional(),
    languages: languages.optional(),
    // Exactly as passed: neither sorted nor cleaned (seed.md, 2018.11.21).
    allowedMediaTypes: z
      .array(z.string("must be a list of texts").max(LIMITS.id), "must be a list of texts")
      .max(LIMITS.entries)
      .optional(),
    invitationTimeout: wholeNumber
      .refine((value) => value >= 1 && value <= 3600, { error: "must be from 1 to 3600 seconds" })
      .optional(),
    inactivity: wholeNumber
      .refine((value) => value <= 2_592_000, { error: "must be at most 30 days" })
      .optional(),
    domains: z
      .array(z.string("must be a list of hosts").max(253), "must be a list of hosts")
      .max(100)
      .optional(),
  }),
);

const triggers: ReadonlySet<string> = new Set(CHAT_TRIGGERS);

/** Events come as one text with commas, or as a list. */
export const newWebhook: z.ZodType<{
  readonly events: readonly string[];
  readonly target: string;
  readonly secret?: string | undefined;
}> = z.preprocess(
  (value) => aliased(value, "target", ["url"]),
  z.object({
    events: idList
      .refine((events) => events.length > 0, { error: "must name at least one event" })
      .refine((events) => events.every((event) => triggers.has(event)), {
        error: `must be among ${CHAT_TRIGGERS.join(", ")}`,
      }),
    target: z.string().max(LIMITS.address),
    secret: unlessEmpty(
      z
        .string()
        .max(LIMITS.secret)
        .regex(/^[\x21-\x7e]+$/, "must be visible ASCII characters"),
    ),
  }),
);

function externalFilled(): z.ZodType<string> {
  return externalId.refine((value) => value.trim() !== "", { error: "must not be empty" });
}

function aliased(value: unknown, name: string, others: readonly string[]): unknown {
  if (typeof value !== "object" || value === null || Object.hasOwn(value, name)) return value;
  const found = Object.entries(value).find(([key]) => others.includes(key));
  return found === undefined ? value : { ...value, [name]: found[1] as unknown };
}

/** Which undelivered events are sent again: all of them where none are named. */
export const resending: z.ZodType<{ readonly ids?: readonly number[] | undefined }> = z.object({
  ids: z.array(z.int()).max(1_000).optional(),
});
