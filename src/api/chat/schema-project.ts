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
    queue: z.object({ active: booleanLike }).optional(),
    languages: languages.optional(),
    // The list is stored exactly as sent, neither sorted nor normalized (seed.md, 2018.11.21).
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

/** All canned answers of an app. Those that are not listed are removed. */
export const cannedAnswersChange = z.object({
  cannedAnswers: listOf(
    z.object({
      name: acceptFilledText(LIMITS.name).refine((name) => !/[\s/]/.test(name), {
        error: "must have neither spaces nor slashes",
      }),
      texts: acceptRecord(acceptFilledText(LIMITS.chatMessage), language),
    }),
    LIMITS.entries,
  )
    .refine((answers) => measureJson(answers) <= LIMITS.cannedAnswers, {
      error: describeTooLong(LIMITS.cannedAnswers),
    })
    .refine((answers) => new Set(answers.map(({ name }) => name)).size === answers.length, {
      error: "must have every name once",
    }),
});

const triggers: ReadonlySet<string> = new Set(CHAT_TRIGGERS);

/** Events come as one text with commas, or as a list. */
export const newWebhook = z.preprocess(
  (value) => readAlias(value, "target", ["url"]),
  z.object({
    events: idList
      .refine((events) => events.length > 0, { error: "must name at least one event" })
      .refine((events) => events.every((event) => triggers.has(event)), {
        error: `must be among ${CHAT_TRIGGERS.join(", ")}`,
      }),
    target: z.string().max(LIMITS.address),
    secret: skipEmpty(
      z
        .string()
        .max(LIMITS.secret)
        .regex(/^[\x21-\x7e]+$/, "must be visible ASCII characters"),
    ),
  }),
);

/** The undelivered events to send again; without ids, all of them. */
export const resending = z.object({
  ids: z.array(z.int()).max(1_000).optional(),
});
