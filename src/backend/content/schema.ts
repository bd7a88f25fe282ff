import { z } from "zod";
import { languageTag, mapping, text } from "../../config/schema-values.ts";
import { FLAGS } from "../../direct-answers/flags.ts";
import { contentId, itemSchema, place, slug } from "./schema-item.ts";
import type { Category, EngineTexts } from "./types.ts";

/**
 * The parts of a content file. Each is validated by itself, so that a mistake in one does not hide
 * those in another.
 */

export const language: z.ZodType<string, string> = languageTag.transform((tag) =>
  tag.toLowerCase(),
);

/** One category as it was written. */
export interface WrittenCategory extends Omit<Category, "slug" | "order"> {
  readonly slug?: string | undefined;
  readonly order?: number | undefined;
}

export const categorySchema: z.ZodType<WrittenCategory> = mapping({
  id: contentId.describe("What contents name it by"),
  name: text.describe("What readers see"),
  slug: slug.optional().describe("Part of an address; default: the name in ASCII, else the id"),
  parent: contentId.nullable().default(null).describe("Id of the category above"),
  order: place.optional().describe("Place among its siblings; default: as written"),
});

/** Which of the five flags there are is checked later: the error for another one names them. */
export const customizedSchema: z.ZodType<Readonly<Record<string, number>>> = z.record(
  z.string(),
  contentId,
);

export const synonymsSchema: z.ZodType<readonly (readonly string[])[]> = z.array(
  z.array(text).min(2, { error: "a group of synonyms has at least two words" }),
);

export const appDataSchema: z.ZodType<Readonly<Record<string, Readonly<Record<string, string>>>>> =
  z.record(z.string(), z.record(z.string(), z.string()));

/** The keys of a file; what stands behind them is looked at one by one. */
export const fileKeys: z.ZodType = mapping({
  language: z.unknown().optional(),
  contents: z.array(z.unknown()).nullable().optional(),
  categories: z.array(z.unknown()).nullable().optional(),
  customized: z.unknown().optional(),
  synonyms: z.unknown().optional(),
  appData: z.unknown().optional(),
});

/** A whole file, for the published JSON Schema. */
export const contentFileSchema: z.ZodType = mapping({
  language: language.optional().describe("Language of what follows, such as en or pt-BR"),
  contents: z.array(itemSchema).optional().describe("What the bot knows in this language"),
  categories: z.array(categorySchema).optional().describe("The tree that contents are filed in"),
  customized: z
    .partialRecord(
      z.enum([
        "all-options-discarded",
        "follow-up-question",
        "no-question",
        "no-results",
        "welcome",
      ]),
      contentId,
    )
    .optional()
    .describe("Contents that answer in place of a flag, by id"),
  synonyms: synonymsSchema.optional().describe("Groups of words that mean the same"),
  appData: appDataSchema.optional().describe("Named values of GET /app/data/{id}"),
});

/** One file of engine texts: every direct answer and the related title, none left out. */
export const textsFile: z.ZodType<EngineTexts> = mapping(eachIs(text, FLAGS, ["related-title"]));

function eachIs<Schema, Key extends string>(
  schema: Schema,
  ...names: readonly (readonly Key[])[]
): Record<Key, Schema> {
  return Object.assign({}, ...names.flat().map((name) => ({ [name]: schema })));
}
