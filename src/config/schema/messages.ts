import { z } from "zod";
import { FLAGS } from "../../direct-answers/flags.ts";
import { findOwnLineUse } from "../../locales/own-lines.ts";
import { channelName, acceptMapping, text, describeUnknownKey } from "./values.ts";

// The value of one key of a messages file: a text, or a mapping of texts with conditions.

const format = z.enum(["html", "text"]).describe("html escapes inserted values, text does not");

const plural = acceptMapping({
  zero: text.optional().describe("Arabic: 0"),
  one: text.optional().describe("Most languages: 1"),
  two: text.optional().describe("Arabic, Hebrew: 2"),
  few: text.optional().describe("Slavic languages: 2 to 4; Arabic: 3 to 10"),
  many: text.optional().describe("Polish, Russian, Ukrainian: 5 and more; Arabic: 11 to 99"),
  other: text.describe("Every count without a form of its own"),
}).describe("By the count's CLDR category in the file's language; other is always needed");

const phrase = {
  text: text
    .optional()
    .describe(
      "What is said. Placeholders: {{query}}, {{maxLength}}, {{date}}, {{count}}, and listed conversation variables",
    ),
  variants: z
    .array(text)
    .min(1, { error: "at least one variant is needed" })
    .optional()
    .describe("One of these is said, always the same for the same question"),
  plural: plural.optional(),
};

/** The fields a condition may name, beside `variables.<name>`. */
export const CONDITION_FIELDS: readonly string[] = Object.freeze([
  "instance",
  "channel",
  "env",
  "userType",
  "source",
  "lang",
]);

const conditionValue = z.union([z.string(), z.number(), z.boolean()], {
  error: "a condition compares with one text, number or boolean",
});

const condition = z
  .object({
    ...phrase,
    instance: conditionValue.optional().describe("Name of an instance of the configuration"),
    channel: conditionValue.optional().describe("Channel, such as web or voice"),
    env: conditionValue.optional().describe("x-inbenta-env of the conversation's start"),
    userType: conditionValue.optional().describe("x-inbenta-user-type of the conversation's start"),
    source: conditionValue.optional().describe("x-inbenta-source of the conversation's start"),
    lang: conditionValue.optional().describe("Language that the conversation's start asked for"),
  })
  .catchall(conditionValue)
  .superRefine((written, context) => {
    const unknown = Object.keys(written).filter(
      (key) => !Object.hasOwn(phrase, key) && !isConditionField(key),
    );
    for (const key of unknown) {
      const known = [...CONDITION_FIELDS, "variables.<name>", ...Object.keys(phrase)];
      context.addIssue({
        code: "custom",
        path: [key],
        message: describeUnknownKey(key, known),
        params: { at: "key" },
      });
    }
    requirePhrase(written, context);
    if (unknown.length === 0 && !Object.keys(written).some(isConditionField)) {
      context.addIssue({
        code: "custom",
        message: "this condition names nothing to compare, so it would always win",
      });
    }
  })
  // The JSON Schema also allows `variables.<name>`, which no list of names can.
  .meta({
    patternProperties: {
      "^variables\\.[A-Za-z_][A-Za-z0-9_.-]*$": {
        type: ["string", "number", "boolean"],
        description: "A conversation variable that the instance lists",
      },
    },
    additionalProperties: false,
  });

const channelLine = z.union(
  [text, acceptMapping({ ...phrase, format: format.optional() }).superRefine(requirePhrase)],
  { error: "a text, or a mapping with text, variants, plural and format is needed here" },
);

const detailed = acceptMapping({
  ...phrase,
  channels: z.record(channelName, channelLine).optional().describe("Texts for single channels"),
  when: z.array(condition).optional().describe("Conditional texts; the first that fits is said"),
  format: format.optional(),
}).superRefine((written, context) => {
  if (written.channels === undefined && written.when === undefined) requirePhrase(written, context);
});

export const lineSchema = z.union([text, detailed], {
  error:
    "a text, or a mapping with text, channels, when, variants, plural and format is needed here",
});

const phrases = z
  .array(
    z
      .string({ error: "a phrase is needed here; put it in quotes" })
      .max(100, { error: "a phrase has at most 100 characters" })
      .regex(/^.*$/u, { error: "a phrase stands in one line" })
      .regex(/[\p{L}\p{N}]/u, { error: "a phrase needs a letter or a digit" }),
    { error: "a list of phrases is needed here" },
  )
  .max(100, { error: "at most 100 phrases" })
  .optional();

export const wordsSchema = acceptMapping({
  yes: phrases.describe("What readers type for yes"),
  no: phrases.describe("What readers type for no"),
  cancel: phrases.describe("What readers type to leave a form"),
  person: phrases.describe("What readers type to ask for a person"),
}).describe("Phrases beside those that Afterword knows: docs/recognition.md");

/** One key's value as it is written. */
export type WrittenLine = z.output<typeof lineSchema>;
export type WrittenChannelLine = Exclude<z.output<typeof channelLine>, string>;
/** Beside the phrase: condition fields with the values they must have. */
export type WrittenCondition = z.output<typeof condition>;
export type WrittenPhrase = Pick<WrittenChannelLine, keyof typeof phrase>;

/** The keys a messages file may have, beside the gateway's own lines. */
export const LINE_KEYS: readonly string[] = Object.freeze([...FLAGS, "related-title"]);

/** True for one of the gateway's own lines: `escalation.offer` and the like. */
export function isOwnLine(key: string): boolean {
  return findOwnLineUse(key) !== null;
}

/** `instance`, `lang`, …, or `variables.<name>`. */
export function isConditionField(key: string): boolean {
  return CONDITION_FIELDS.includes(key) || /^variables\.[A-Za-z_][A-Za-z0-9_.-]*$/.test(key);
}

/** The values that a condition compares with, by field, as the file writes them. */
export type ConditionFields = readonly (readonly [string, string | number | boolean])[];

export function fieldsOf(condition: Readonly<Record<string, unknown>>): ConditionFields {
  return Object.entries(condition).flatMap(([field, value]): ConditionFields => {
    if (!isConditionField(field)) return [];
    const plain =
      typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    return plain ? [[field, value]] : [];
  });
}

function requirePhrase(
  written: { text?: unknown; variants?: unknown; plural?: unknown },
  context: z.RefinementCtx,
): void {
  const forms = [written.text, written.variants, written.plural];
  if (forms.some((part) => part !== undefined)) return;
  context.addIssue({
    code: "custom",
    message: "nothing is said here: add text, variants or plural",
  });
}
