import { z } from "zod";
import { toFlag } from "../../direct-answers/flags.ts";
import { didYouMean } from "../../yaml/nearest.ts";
import { CONDITION_FIELDS, isConditionField } from "./messages.ts";
import {
  boolean,
  toCanonicalTag,
  duration,
  acceptInteger,
  acceptMapping,
  flagName,
  text,
  describeUnknownKey,
} from "./values.ts";

// `escalation` of the file or an instance. Missing keys keep the outer value or the default.

const flag = flagName.transform((name) => toFlag(name) ?? name);

const plain = z
  .union([text, z.number(), z.boolean()], { error: "one text, number or boolean is needed here" })
  .transform(String);

const byLanguage = z
  .string()
  .refine((key) => key === "*" || toCanonicalTag(key) !== null, {
    error: "a language tag such as fr, or * for all others, is needed here",
  })
  .transform((key) => (key === "*" ? key : (toCanonicalTag(key) ?? key)));

const condition = z.record(z.string(), plain).superRefine((written, context) => {
  for (const key of Object.keys(written)) {
    if (isConditionField(key)) continue;
    const message = describeUnknownKey(key, [...CONDITION_FIELDS, "variables.<name>"]);
    context.addIssue({ code: "custom", path: [key], message, params: { at: "key" } });
  }
});

const score = z.number({ error: "a number such as 0.5 is needed here" });

const rule = acceptMapping({
  name: text.describe("Stands in metrics and traces"),
  flag: text.optional().describe("A member of the answer's flags"),
  title: text.optional().describe("Title of the matched intent, any letter case"),
  attribute: acceptMapping({
    name: text.describe("The attribute's name"),
    value: plain.describe("Its value"),
  })
    .optional()
    .describe("An attribute of the answer and its value, any letter case"),
  scoreBelow: score.optional().describe("The intent's score is below this"),
  turns: acceptInteger(1, 1000)
    .optional()
    .describe("The reader has sent so many messages at least"),
  when: condition.optional().describe("Fields as in conditions of texts"),
}).superRefine((written, context) => {
  const { name: _, when = {}, ...fields } = written;
  if (Object.values(fields).some((value) => value !== undefined)) return;
  if (Object.keys(when).length > 0) return;
  context.addIssue({
    code: "custom",
    message: "this rule names nothing to look for, so it would hold for every answer",
  });
});

const triggers = acceptMapping({
  noResults: acceptInteger(0, 100).optional(),
  errors: acceptInteger(0, 100).optional(),
  negativeRatings: acceptInteger(0, 100).optional(),
  negative: z.array(plain).optional(),
  flags: z.array(flag).optional(),
  escalateFlag: boolean.optional(),
  directCalls: z.array(text).optional(),
  callbacks: z.array(text).optional(),
  words: boolean.optional(),
  moreWords: z.record(byLanguage, z.array(text)).optional(),
  rules: z.array(rule).optional(),
});

const identity = acceptMapping({
  ask: z.array(z.enum(["name", "email"])).optional(),
  consent: boolean.optional(),
  variables: acceptMapping({
    name: text.nullish().describe("Variable with the reader's name"),
    email: text.nullish().describe("Variable with the reader's e-mail address"),
  }).optional(),
  claims: acceptMapping({
    name: text.optional().describe("Claim with the reader's name"),
    email: text.optional().describe("Claim with the reader's e-mail address"),
    id: text.optional().describe("Claim that identifies the reader"),
  }).optional(),
});

/** From Monday, ISO weekday 1. */
export const DAY_NAMES: readonly string[] = "mon tue wed thu fri sat sun".split(" ");

const window = z.string().regex(/^\s*\d{1,2}:\d{2}\s*[-–]\s*\d{1,2}:\d{2}\s*$/, {
  error: 'a window such as "09:00-17:30" is needed here',
});

const dayKey = z.string().refine((key) => dayRange.test(key), {
  error: (issue) => {
    const written = String(issue.input);
    return `"${written}" is no weekday or range of them, such as mon or mon-fri.${didYouMean(written, DAY_NAMES)}`;
  },
});
const dayRange = new RegExp(`^(?:${DAY_NAMES.join("|")})(?:-(?:${DAY_NAMES.join("|")}))?$`);

const hours = z.union(
  [
    z.literal("always"),
    acceptMapping({
      zone: text.optional().describe("IANA zone, such as Europe/Madrid"),
      weekly: z
        .record(dayKey, z.array(window))
        .optional()
        .describe("By weekday or range of them; a day that is not named is closed"),
      holidays: z
        .array(
          z.string().regex(/^(?:\d{4}-)?\d{2}-\d{2}$/, {
            error: "a day such as 2026-12-25, or 01-01 for every year, is needed here",
          }),
        )
        .optional()
        .describe("Closed the whole day: 2026-12-25, or 01-01 for every year"),
    }),
  ],
  { error: "always, or a mapping with zone and weekly, is needed here" },
);

const chat = acceptMapping({
  rooms: z.record(byLanguage, z.union([text, z.number()])).nullish(),
  source: z.union([text, z.number()]).optional(),
  assignTimeout: duration.optional(),
  queueTimeout: duration.optional(),
  poll: duration.optional(),
  hookSecret: text.nullish(),
  survey: z.union([text, z.number()]).nullish(),
});

const ticket = acceptMapping({
  fields: z.record(text, z.union([z.string(), z.number(), z.boolean()])).optional(),
  link: z
    .string()
    .refine((address) => /^https?:\/\/\S+$/i.test(address), {
      error: "an address such as https://crm.example.com/{conversation} is needed here",
    })
    .nullish(),
  email: z.boolean().optional(),
});

export const escalationSchema = acceptMapping({
  mode: z.enum(["off", "signal", "managed"]).optional(),
  triggers: triggers.optional().describe("When a conversation leaves the bot"),
  offer: z.enum(["ask", "direct"]).optional(),
  coolDown: duration.optional(),
  atMost: acceptInteger(1, 1000).optional(),
  identity: identity.optional().describe("What is asked before a person is asked for"),
  hours: hours.optional(),
  ladder: z
    .array(z.enum(["agents", "queue", "ticket"]))
    .min(1, { error: "name at least one of agents, queue and ticket" })
    .refine((steps) => new Set(steps).size === steps.length, { error: "a step stands here twice" })
    .optional(),
  chat: chat.optional(),
  ticket: ticket.optional(),
});

export type WrittenEscalation = z.output<typeof escalationSchema>;
export type WrittenRule = z.output<typeof rule>;
export type WrittenHours = Exclude<z.output<typeof hours>, "always">;
export type WrittenChat = z.output<typeof chat>;
