import { z } from "zod";
import {
  acceptFilledText,
  measureJson,
  listOf,
  describeTooLong,
  booleanLike,
  skipEmpty,
  acceptRecord,
  wholeNumber,
} from "../call/fields.ts";
import { LIMITS } from "../call/limits.ts";
import { readAlias, idList, language, languages } from "./schema.ts";
import { CHAT_TRIGGERS } from "./states.ts";

/** Shapes of requests about settings, canned answers, surveys and webhooks. */

export const newSurvey = z.object({
  name: acceptFilledText(LIMITS.name),
  url: z
    .url({ protocol: /^https?$/, error: "must be an http or https address" })
    .max(LIMITS.address),
});

export const settingsChange = z.preprocess(
  (value) => readAlias(value, "allowedMediaTypes", ["mediaTypes", "media", "media_types"]),
  z.object({
    queue: z
      .object({ active: booleanLike.describe("`true`: new chats wait in the queue of their room") })
      .optional()
      .describe("Queue mode"),
    languages: languages.optional().describe("Passed to clients"),
    // The list is stored exactly as sent, neither sorted nor normalized (seed.md, 2018.11.21).
    allowedMediaTypes: z
      .array(z.string("must be a list of texts").max(LIMITS.id), "must be a list of texts")
      .max(LIMITS.entries)
      .optional()
      .describe(
        "Files that may be sent: `image/png`, `image/*`, `*/*` or extensions such as `png`",
      ),
    invitationTimeout: wholeNumber
      .refine((value) => value >= 1 && value <= 3600, { error: "must be from 1 to 3600 seconds" })
      .optional()
      .describe("Seconds in which an agent has to answer an invitation, 1 to 3,600"),
    inactivity: wholeNumber
      .refine((value) => value <= 2_592_000, { error: "must be at most 30 days" })
      .optional()
      .describe("Seconds without a message or typing before a chat closes; 0: never"),
    domains: z
      .array(z.string("must be a list of hosts").max(253), "must be a list of hosts")
      .max(100)
      .optional()
      .describe("Hosts whose pages may open event streams; none: all"),
  }),
);

/** The new canned answers of an app, which replace all former ones. */
export const cannedAnswersChange = z.object({
  cannedAnswers: listOf(
    z.object({
      name: acceptFilledText(LIMITS.name)
        .refine((name) => !/[\s/]/.test(name), { error: "must have neither spaces nor slashes" })
        .meta({ examples: ["hours"] }),
      texts: acceptRecord(acceptFilledText(LIMITS.chatMessage), language).meta({
        description: "Its text in each language; `{user}` and `{agent}` stand for the names",
        examples: [{ en: "Hello {user}, we are open until six." }],
      }),
    }),
    LIMITS.entries,
  )
    .refine((answers) => measureJson(answers) <= LIMITS.cannedAnswers, {
      error: describeTooLong(LIMITS.cannedAnswers),
    })
    .refine((answers) => new Set(answers.map(({ name }) => name)).size === answers.length, {
      error: "must have every name once",
    })
    .describe("All canned answers; those that are not listed are removed"),
});

const triggers: ReadonlySet<string> = new Set(CHAT_TRIGGERS);

/** A new webhook. `events` is a list, or a text with commas. */
export const newWebhook = z.preprocess(
  (value) => readAlias(value, "target", ["url"]),
  z.object({
    events: idList
      .refine((events) => events.length > 0, { error: "must name at least one event" })
      .refine((events) => events.every((event) => triggers.has(event)), {
        error: `must be among ${CHAT_TRIGGERS.join(", ")}`,
      })
      .meta({
        description: `Names of events, also separated by commas: ${CHAT_TRIGGERS.map((name) => `\`${name}\``).join(", ")}`,
        examples: [["messages:new", "chats:close"]],
      }),
    target: z
      .string()
      .max(LIMITS.address)
      .describe("The address that events are sent to, whose host is allowed"),
    secret: skipEmpty(
      z
        .string()
        .max(LIMITS.secret)
        .regex(/^[\x21-\x7e]+$/, "must be visible ASCII characters"),
    ).describe("The key of the signature of every delivery"),
  }),
);

/** The ids of the undelivered events to send again. Default: all. */
export const resending = z.object({
  ids: z
    .array(z.int())
    .max(1_000)
    .optional()
    .describe("Ids of undelivered events; the default is all"),
});
