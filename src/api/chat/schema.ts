import { z } from "zod";
import {
  acceptAnything,
  acceptFilledText,
  measureJson,
  listOf,
  describeTooLong,
  type OutputOf,
  acceptText,
  skipEmpty,
  wholeNumber,
} from "../call/fields.ts";
import { LIMITS } from "../call/limits.ts";
import { isRecord } from "../../json/values.ts";
import type { NumberOrText } from "./answers.ts";
import { ASSIGN_RULES } from "./states.ts";

/** Shapes of requests. Unknown members are ignored. */

/** An id in a body or a query: a text, or a number that is read as text. */
export const chatId = acceptText(LIMITS.id).refine((value) => value.trim() !== "", {
  error: "must be an id of at most 200 characters",
});

/** A room's id, without commas, since they separate several ids in a query. */
const roomId = chatId
  .transform((value) => value.trim())
  .refine((value) => !value.includes(","), { error: "must not have a comma" });

/** Ids separated by commas, or a list of them. */
export const idList = z.preprocess(
  (value) => (value === undefined ? undefined : splitIds(value)),
  z.array(chatId).max(LIMITS.entries),
);

function splitIds(value: unknown): readonly unknown[] {
  return (Array.isArray(value) ? value : [value])
    .flatMap((one: unknown) => (typeof one === "string" ? one.split(",") : [one]))
    .map((one) => (typeof one === "string" ? one.trim() : one))
    .filter((one) => one !== "")
    .slice(0, LIMITS.entries + 1);
}

/** A number or a text, which keeps its type (row 23 of the spellings). */
const numberOrText = z
  .union([z.number(), z.string().max(LIMITS.id)], {
    error: ({ input }) => (input === undefined ? undefined : "must be a number or a text"),
  })
  .refine((value) => String(value).trim() !== "" && String(value).length <= 200, {
    error: "must be a number or a text of at most 200 characters",
  });

export const externalId = acceptText(LIMITS.externalId).describe(
  "The id in a program of your own, which no other user or agent has",
);

/** An object of 64 KB at most, all keys kept (`__proto__` too). PHP sends [] for an empty one. */
export const extraInfo = z
  .preprocess(
    (value) => (value === null || (Array.isArray(value) && value.length === 0) ? {} : value),
    z
      .custom<Readonly<Record<string, unknown>>>(isRecord, "must be an object")
      .refine((value) => JSON.stringify(value).length <= 65_536, {
        error: describeTooLong(65_536),
      }),
  )
  .meta({
    title: "object",
    description: "at most 65,536 characters as JSON; anything else about the person",
  });

/** A time in Unix seconds, converted to milliseconds. Some transcripts have ms or dates (chat.md 5). */
const moment = z
  .union([z.number(), z.string().max(40)])
  .transform((value) => {
    const number = Number(value);
    if (Number.isNaN(number)) return Date.parse(String(value));
    return number < 100_000_000_000 ? number * 1000 : number;
  })
  .refine((value) => Number.isFinite(value) && value >= 0 && value < 8_640_000_000_000_000, {
    error: "must be a time in Unix seconds",
  })
  .transform((value) => Math.floor(value));

/** The part of a list to return. */
export const paging = {
  length: wholeNumber
    .optional()
    .meta({ description: "The most entries, 1 to 200; the default is 50" }),
  offset: wholeNumber.optional().meta({ description: "How many entries to skip" }),
};

export const page = z.object(paging);
export const userFilter = z.object({
  ...paging,
  externalId: externalId.optional().describe("The exact `externalId` of a user"),
});
export const messageFilter = z.object({
  ...paging,
  after: acceptText(LIMITS.id).optional().describe("Id of a message; only later ones are listed"),
});
export const mediaFilter = z.object({
  ...paging,
  chatId: acceptText(LIMITS.id).optional().describe("Id of a chat, whose files alone are listed"),
});
export const historyFormat = z.object({
  format: acceptText(LIMITS.id).optional().describe("`csv`; the default is JSON"),
});
export const surveyAbout = z.object({
  sourceType: acceptText(LIMITS.id).optional().describe("The kind of item that it is about"),
  sourceId: acceptText(LIMITS.id).optional().describe("Id of that item"),
});

const lang = acceptText(LIMITS.id).optional();
const languageOfUser = "The language that the user speaks, such as `pt`";
const chatsExternalId = "The id of the chat in a program of your own";

export const chatChange = z.object({
  externalId: externalId.optional().describe(chatsExternalId),
  lang: lang.describe(languageOfUser),
});

export const name = acceptFilledText(LIMITS.name);
export const contact = acceptText(LIMITS.mailAddress).describe("E-mail address");
export const roomIds = listOf(roomId, LIMITS.entries);
export const language: z.ZodType<string, string> = z
  .string()
  .max(LIMITS.id)
  .regex(/^[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*$/i, "must be a language code such as en");
export const languages = listOf(language, LIMITS.entries);

/** A name. Null or blank: the client does not know it. */
const nameIfKnown = z.preprocess(
  (value) => (value === null || (typeof value === "string" && value.trim() === "") ? "" : value),
  acceptText(LIMITS.name),
);

export const newUser = z.object({
  name: nameIfKnown,
  externalId: skipEmpty(externalId),
  extraInfo: extraInfo.optional(),
  contact: skipEmpty(contact),
});
export type NewChatUser = OutputOf<typeof newUser>;

export const userChange = z.object({
  name: name.optional(),
  externalId: externalId.optional(),
  extraInfo: extraInfo.optional(),
  contact: contact.optional(),
});
export type ChatUserChange = OutputOf<typeof userChange>;

/** A line of an earlier conversation, parsed: `created` is in milliseconds since the epoch. */
const historyLine = z.object({
  sender: acceptText(LIMITS.id).describe("The user's id, or `assistant` for the bot"),
  message: acceptAnything(LIMITS.priorLine),
  created: moment.optional().describe("Unix seconds"),
  type: z.enum(["text", "object"]).catch("text").describe("`text` or `object`"),
});
export type HistoryLine = OutputOf<typeof historyLine>;

/** A line of an earlier conversation, as a client sends it. */
export interface ChatHistoryLine {
  /** The user's id, or `assistant` for the bot. */
  readonly sender: string;
  readonly message: string;
  /** Unix seconds. */
  readonly created: number;
  readonly type?: "text" | "object" | undefined;
}

export const history = listOf(historyLine, LIMITS.priorLines)
  .refine((lines) => measureJson(lines) <= LIMITS.priorText, {
    error: describeTooLong(LIMITS.priorText),
  })
  .describe("The conversation so far, the oldest line first");

export const newChat = z.object({
  room: numberOrText.describe("Id of a room"),
  creator: chatId.describe("Id of the user whose chat it is; with a user's token, of this user"),
  source: numberOrText
    .optional()
    .describe("Where the chat comes from, as a number or a word of yours"),
  lang: z.preprocess((value) => value ?? undefined, lang).describe(languageOfUser),
  externalId: z
    .preprocess((value) => value ?? undefined, externalId.optional())
    .describe(chatsExternalId),
  history: history.optional(),
  reason: skipEmpty(acceptText(LIMITS.id)).describe(
    "A word that tells agents why a person is needed; only the app may send it",
  ),
  question: skipEmpty(acceptText(LIMITS.title)).describe(
    "What the user wants to know, for agents; only the app may send it",
  ),
});
/** The body that a client sends. */
export type NewChat = Omit<OutputOf<typeof newChat>, "history"> & {
  readonly history?: readonly ChatHistoryLine[] | undefined;
};

const readUserId = (value: unknown): unknown =>
  readAlias(value, "userId", ["user", "agentId", "reader", "id"]);

const acting = "Id of the user or agent who acts; with that person's token it can be left out";

/** The user or agent who acts. Callers with their own token need not name themselves. */
export const actor = z.preprocess(
  readUserId,
  z.object({ userId: skipEmpty(chatId).describe(acting) }),
);

/** The agent who is asked to take over a chat. */
export const transferee = z.preprocess(
  readUserId,
  z.object({ userId: chatId.describe("Id of the agent who is asked") }),
);

/** `room`: another room in which to look for an agent. */
export const inbox = z.preprocess(
  (value) => readAlias(value, "room", ["roomId"]),
  z.object({
    room: numberOrText.optional().describe("Id of another room in which to look for an agent"),
  }),
);

/** `reason`: a word such as `solved`; only agents and the app may send one. */
export const closing = z.preprocess(
  readUserId,
  z.object({
    userId: skipEmpty(chatId).describe(acting),
    reason: skipEmpty(acceptText(LIMITS.id)).describe(
      "A word such as `solved`, which only agents and the app may send",
    ),
  }),
);

export const newMessage = z.object({
  sender: skipEmpty(chatId).describe(acting),
  message: acceptAnything(LIMITS.chatMessage),
  type: z.enum(["text", "media"]).default("text").describe("`media` for an uploaded file"),
});

export const newNote = z.object({
  author: skipEmpty(chatId).describe(acting),
  text: acceptFilledText(LIMITS.chatMessage),
});

export const invitation = z.preprocess(
  (value) => readAlias(readAlias(value, "chatId", ["chat"]), "userId", ["user", "agentId"]),
  z.object({
    chatId: chatId.describe("Id of the chat"),
    userId: skipEmpty(chatId).describe(
      "Id of the agent who is invited, or who answers; with that agent's token, an answer needs none",
    ),
    type: z
      .enum(["join", "transfer"])
      .default("join")
      .describe("What becomes of an agent who has the chat: `transfer` replaces that agent"),
  }),
);

export const activity = z.preprocess(
  (value) => readAlias(value, "chatId", ["chat"]),
  z.object({
    type: z
      .enum(["writing", "not-writing", "stop-writing", "away", "back"])
      .transform((value) => (value === "stop-writing" ? ("not-writing" as const) : value))
      .describe("What the person does"),
    chatId: skipEmpty(chatId).describe("Id of a chat; the default is the latest open one"),
  }),
);

/** A file as JSON; multipart has `chatId`, `senderId` and the file `media`. */
export const newMedia = z.object({
  name: acceptFilledText(LIMITS.fileName).meta({
    description: "The file's name, with its extension",
    examples: ["dot.gif"],
  }),
  content: z
    .string()
    .max(LIMITS.fileContent)
    .meta({
      description: "The file as Base64",
      examples: ["R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs="],
    }),
  chatId: skipEmpty(chatId).describe("Id of the chat that it is sent to"),
  senderId: skipEmpty(chatId).describe(acting),
});

export const appData = z.object({ name });

/** Omitted members keep their values. A new room without a name is named after its id. */
export const newRoom = z.object({
  id: roomId.describe("A number or a word, by which chats name the room"),
  name: name.optional(),
  assign: skipEmpty(
    z.enum(ASSIGN_RULES, { error: `must be among ${ASSIGN_RULES.join(", ")}` }),
  ).describe("Which of the free agents is invited first; the default is `most-free-slots`"),
});
export type NewChatRoom = Omit<OutputOf<typeof newRoom>, "id"> & { readonly id: NumberOrText };

export function readAlias(value: unknown, name: string, others: readonly string[]): unknown {
  if (typeof value !== "object" || value === null || Object.hasOwn(value, name)) return value;
  const found = Object.entries(value).find(([key]) => others.includes(key));
  return found === undefined ? value : { ...value, [name]: found[1] as unknown };
}
