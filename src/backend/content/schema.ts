import { z } from "zod";
import { acceptMapping, text, boolean, spokenLanguage } from "../../config/schema/values.ts";
import { CUSTOMIZABLE_FLAGS, FLAGS } from "../../direct-answers/flags.ts";
import type { Category, EngineTexts, ContentItem, ContentOption } from "./types.ts";
import { formSchema } from "../forms/schema.ts";
import { isObject } from "../../json/values.ts";
import { isCalendarDate } from "../../direct-answers/default-content.ts";

const NO_INSTANT =
  "a moment is needed here: a day as 2026-12-31 (its beginning, UTC), or a time with its zone as 2026-12-31T18:00+01:00";

const WRITTEN = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d))?$/;

/**
 * A time in ISO 8601, parsed to milliseconds since the epoch. A date without a time is the start of
 * that day in UTC. A time needs a zone, because it must not depend on the server's.
 *
 * @example
 * instant.parse("2026-12-31"); // 1798675200000
 * instant.parse("2026-12-31T18:00+01:00"); // 1798736400000
 */
export const instant: z.ZodType<number, string> = z
  .string({ error: NO_INSTANT })
  .refine((written) => readInstant(written) !== null, { error: NO_INSTANT })
  .transform((written) => readInstant(written) ?? 0);

function readInstant(written: string): number | null {
  const [, day = "", time, zone] = WRITTEN.exec(written) ?? [];
  if (!isCalendarDate(day)) return null;
  const at = Date.parse(time === undefined ? `${day}T00:00Z` : `${day}T${time}${zone ?? "Z"}`);
  return Number.isNaN(at) ? null : at;
}

/** One content: an entry of `contents:`, a database row, an element of an imported file. */

/** Ids are whole numbers from 1 and never change: answers, options and history name them. */
const contentId: z.ZodInt = z
  .int({ error: "a whole number from 1 is needed here" })
  .min(1, { error: "a whole number from 1 is needed here" });

const slug: z.ZodString = z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, {
  error: "a slug is made of a to z, digits and single hyphens",
});

const position: z.ZodInt = z.int({ error: "a whole number is needed here" });

/** One content of a file, with the defaults that depend on nothing else filled in. */
export interface WrittenItem extends Omit<ContentItem, "slug" | "order" | "answers" | "options"> {
  readonly slug?: string | undefined;
  readonly order?: number | undefined;
  readonly answer: readonly string[];
  /** An id alone is an option with the title of its content. */
  readonly options: readonly (number | WrittenOption)[];
}

interface WrittenOption extends Omit<ContentOption, "label"> {
  readonly label?: string | undefined;
}

const texts = z.record(z.string(), z.string());

/** Any JSON. YAML also has values that JSON lacks, such as `.nan`. */
const jsonValue = z
  .unknown()
  .refine(isJsonValue, { error: "a value that JSON has is needed here" });

function isJsonValue(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJsonValue);
  if (isObject(value)) return Object.values(value).every(isJsonValue);
  return value === null || typeof value === "string" || typeof value === "boolean";
}

const attributes = z.record(z.string(), jsonValue);

/**
 * The values of `x-inbenta-env`. A content of any other environment would never be shown.
 */
const environment = z.enum(["production", "preproduction", "development"], {
  error: "production, preproduction or development is needed here",
});

const action = acceptMapping({
  callback: text.describe("What the front end is to do, such as escalationStart"),
  data: texts.default({}).describe("Values for it; a text may hold {{variable}}"),
});

const option = z.union(
  [
    contentId,
    acceptMapping({
      content: contentId.describe("Id of the content that follows"),
      label: text.optional().describe("What the reader sees; default: the content's title"),
      attributes: attributes.default({}).describe("For the front end, such as a short title"),
      revisitable: boolean.default(false).describe("True: can still be chosen in a later turn"),
    }),
  ],
  { error: "the id of a content is needed here, or a mapping with content: and label:" },
);

const answers = z.array(text).min(1, { error: "at least one answer is needed" });

export const itemSchema: z.ZodType<WrittenItem> = acceptMapping({
  id: contentId.describe("The same id in another language is the same content"),
  title: text.describe("What the content is called, and the first way of asking for it"),
  slug: slug.optional().describe("Part of an address; default: the title in ASCII, else the id"),
  alternatives: z.array(text).default([]).describe("Other ways in which readers ask for it"),
  answer: z
    .union([text, answers], { error: "a text is needed here, or a list of texts" })
    .transform((written) => (typeof written === "string" ? [written] : written))
    .describe("HTML; several answers are shown one after the other"),
  sideBubble: z.string().default("").describe("HTML beside the answer"),
  attributes: attributes
    .default({})
    .describe("Named values, any JSON, that go to the front end with the answer"),
  categories: z.array(contentId).default([]).describe("Ids of categories it is filed under"),
  order: position.optional().describe("Place in its categories, lowest first; default: as written"),
  related: z.array(contentId).default([]).describe("Ids of contents that are offered below it"),
  checkQuestion: text
    .nullable()
    .default(null)
    .describe("Asked before it is shown as one of several results"),
  options: z.array(option).default([]).describe("What follows it: the reader chooses one"),
  form: formSchema.nullable().default(null).describe("The form that begins after its answer"),
  actions: z.array(action).default([]).describe("What the front end is told to do"),
  directCall: text.nullable().default(null).describe("Name under which clients jump to it"),
  hidden: boolean.default(false).describe("True: no question finds it; links and calls do"),
  published: boolean.default(true).describe("False: nobody gets to see it"),
  publishFrom: instant.nullable().default(null).describe("From when on it is shown"),
  expires: instant.nullable().default(null).describe("From when on it is no longer shown"),
  modified: instant.nullable().default(null).describe("When it was last changed"),
  userTypes: z
    .array(z.int().min(0, { error: "a whole number from 0 is needed here" }))
    .default([])
    .describe("User types (profiles) that may see it; empty: all"),
  environments: z
    .array(environment)
    .default([])
    .describe("Environments it is shown in; empty: all"),
});

/** The parts of a content file, validated singly, so that no mistake hides another. */

export const language: z.ZodType<string, string> = spokenLanguage.transform((tag) =>
  tag.toLowerCase(),
);

/** One category as it was written. */
export interface WrittenCategory extends Omit<Category, "slug" | "order"> {
  readonly slug?: string | undefined;
  readonly order?: number | undefined;
}

export const categorySchema: z.ZodType<WrittenCategory> = acceptMapping({
  id: contentId.describe("What contents name it by"),
  name: text.describe("What readers see"),
  slug: slug.optional().describe("Part of an address; default: the name in ASCII, else the id"),
  parent: contentId.nullable().default(null).describe("Id of the category above"),
  order: position.optional().describe("Place among its siblings; default: as written"),
});

/** The flags are checked later, with an error that lists the five possible ones. */
export const customizedSchema: z.ZodType<Readonly<Record<string, number>>> = z.record(
  z.string(),
  contentId,
);

export const synonymsSchema: z.ZodType<readonly (readonly string[])[]> = z.array(
  z.array(text).min(2, { error: "a group of synonyms has at least two words" }),
);

export const appDataSchema: z.ZodType<Readonly<Record<string, Readonly<Record<string, unknown>>>>> =
  z.record(z.string(), z.record(z.string(), jsonValue));

/** The keys of a file; their values are checked one by one. */
export const fileKeys: z.ZodType = acceptMapping({
  language: z.unknown().optional(),
  contents: z.array(z.unknown()).nullable().optional(),
  categories: z.array(z.unknown()).nullable().optional(),
  customized: z.unknown().optional(),
  synonyms: z.unknown().optional(),
  appData: z.unknown().optional(),
});

/** A whole file, for the published JSON Schema. */
export const contentFileSchema: z.ZodType = acceptMapping({
  language: language.optional().describe("Language of what follows, such as en or pt-BR"),
  contents: z.array(itemSchema).optional().describe("What the bot knows in this language"),
  categories: z.array(categorySchema).optional().describe("The tree that contents are filed in"),
  customized: z
    .partialRecord(z.enum(CUSTOMIZABLE_FLAGS), contentId)
    .optional()
    .describe("Contents that answer in place of a flag, by id"),
  synonyms: synonymsSchema.optional().describe("Groups of words that mean the same"),
  appData: appDataSchema.optional().describe("Named values of GET /app/data/{id}, any JSON"),
});

/** One file of engine texts: every direct answer and the related title, none left out. */
export const textsFile: z.ZodType<EngineTexts> = acceptMapping(
  repeatSchema(text, FLAGS, ["related-title"]),
);

function repeatSchema<Schema, Key extends string>(
  schema: Schema,
  ...names: readonly (readonly Key[])[]
): Record<Key, Schema> {
  return Object.assign({}, ...names.flat().map((name) => ({ [name]: schema })));
}
