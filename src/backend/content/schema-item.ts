import { z } from "zod";
import { boolean, mapping, text } from "../../config/schema-values.ts";
import { formSchema } from "../forms/schema.ts";
import { instant } from "./instant.ts";
import type { ContentItem, ContentOption } from "./types.ts";

/**
 * What is written for one content: an entry of `contents:`, a row of the database, an element of an
 * imported file.
 */

/**
 * Ids are whole numbers from 1, and stay what they are: answers, options and the reader's history
 * name them.
 */
export const contentId: z.ZodInt = z
  .int({ error: "a whole number from 1 is needed here" })
  .min(1, { error: "a whole number from 1 is needed here" });

export const slug: z.ZodString = z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, {
  error: "a slug is made of a to z, digits and single hyphens",
});

export const place: z.ZodInt = z.int({ error: "a whole number is needed here" });

/** One content as it was written, with the defaults that need nothing else filled in. */
export interface WrittenItem extends Omit<ContentItem, "slug" | "order" | "answers" | "options"> {
  readonly slug?: string | undefined;
  readonly order?: number | undefined;
  readonly answer: readonly string[];
  /** An id alone is an option that is called as its content is. */
  readonly options: readonly (number | WrittenOption)[];
}

export interface WrittenOption extends Omit<ContentOption, "label"> {
  readonly label?: string | undefined;
}

const texts = z.record(z.string(), z.string());

/** What `x-inbenta-env` may say. In any other environment nobody would ever see the content. */
const environment = z.enum(["production", "preproduction", "development"], {
  error: "production, preproduction or development is needed here",
});

const action = mapping({
  callback: text.describe("What the front end is to do, such as escalationStart"),
  data: texts.default({}).describe("Values for it; a text may hold {{variable}}"),
});

const option = z.union(
  [
    contentId,
    mapping({
      content: contentId.describe("Id of the content that follows"),
      label: text.optional().describe("What the reader sees; default: the content's title"),
      attributes: texts.default({}).describe("For the front end, such as a short title"),
      revisitable: boolean.default(false).describe("True: can still be chosen in a later turn"),
    }),
  ],
  { error: "the id of a content is needed here, or a mapping with content: and label:" },
);

const answers = z.array(text).min(1, { error: "at least one answer is needed" });

export const itemSchema: z.ZodType<WrittenItem> = mapping({
  id: contentId.describe("The same id in another language is the same content"),
  title: text.describe("What the content is called, and the first way of asking for it"),
  slug: slug.optional().describe("Part of an address; default: the title in ASCII, else the id"),
  alternatives: z.array(text).default([]).describe("Other ways in which readers ask for it"),
  answer: z
    .union([text, answers], { error: "a text is needed here, or a list of texts" })
    .transform((written) => (typeof written === "string" ? [written] : written))
    .describe("HTML; several answers are shown one after the other"),
  sideBubble: z.string().default("").describe("HTML beside the answer"),
  attributes: texts.default({}).describe("Named values that go to the front end with the answer"),
  categories: z.array(contentId).default([]).describe("Ids of categories it is filed under"),
  order: place.optional().describe("Place in its categories, lowest first; default: as written"),
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
