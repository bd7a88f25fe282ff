import { z } from "zod";
import {
  acceptFilledText,
  measureJson,
  describeTooLong,
  dropEmpty,
  formatNumber,
  numberList,
  type OutputOf,
  acceptText,
  booleanLike,
  skipEmpty,
  wholeNumber,
} from "../call/fields.ts";
import { LIMITS } from "../call/limits.ts";

/** Shapes of requests, as query, JSON or form. Unknown members have no effect. */

/** Accepts a boolean. Without a value, or with an empty one, it is the default. */
export function acceptBoolean(fallback: boolean): z.ZodType<boolean> {
  return z.preprocess(dropEmpty, booleanLike.default(fallback));
}

function acceptBetween(least: number, most: number): z.ZodType<number> {
  return wholeNumber.refine((value) => value >= least && value <= most, {
    error: `must be from ${least} to ${most}`,
  });
}

/** The language of the contents. An unknown code means the project's own language. */
const lang = skipEmpty(acceptText(LIMITS.id)).meta({
  description: "The language of the contents; the default is the project's",
});

const searchedText = acceptFilledText(LIMITS.query).transform((value) =>
  value.trim().replaceAll(/\s+/g, " "),
);

export const searchRequest = z.object({
  query: searchedText.meta({
    description: "What the reader searches for",
    examples: ["return an item"],
  }),
  tracking: acceptBoolean(true).meta({ description: "`false`: the search is not recorded" }),
  type: skipEmpty(acceptText(LIMITS.id)).meta({
    description: "`instant`: the reader is still typing, so beginnings of words count",
  }),
  splitQuery: acceptBoolean(false).meta({
    description: "`true`: a query for several things is answered part by part",
  }),
  splitQueriesLimit: skipEmpty(acceptBetween(1, 10)).meta({
    description: "The most parts, 1 to 10; the default is 5",
  }),
  dynabs: acceptBoolean(false).meta({
    description: "`true`: `dynamicAbstract` is the part of the answer that matches best",
  }),
  categoryId: skipEmpty(numberList).meta({
    description: "Ids separated by commas; categories below are included",
  }),
  length: skipEmpty(acceptBetween(1, 100)).meta({
    description: "The most entries, 1 to 100; the default is 5",
  }),
  lang,
});
export type SearchRequest = OutputOf<typeof searchRequest>;

const paged = {
  length: skipEmpty(acceptBetween(1, 1000)).meta({
    description: "The most entries, 1 to 1,000; the default is 50",
  }),
  offset: skipEmpty(wholeNumber).meta({ description: "How many entries to skip" }),
  lang,
};

export const paging = z.object(paged);
export type Paging = OutputOf<typeof paging>;

export const contentsRequest = z.object({
  ...paged,
  categoryId: skipEmpty(numberList).meta({
    description: "Ids separated by commas; categories below are not included",
  }),
  sortBy: skipEmpty(z.enum(["modificationDate", "creationDate"])).meta({
    description: "By a date, the newest first",
  }),
});
export type ContentsRequest = OutputOf<typeof contentsRequest>;

export const idsRequest = z.object({
  ids: numberList
    .refine((ids) => ids.length > 0 && ids.length <= 100, {
      error: "must name 1 to 100 contents",
    })
    .describe("Ids of contents, separated by commas"),
  lang,
});

export const readRequest = z.object({
  tracking: acceptBoolean(true).meta({ description: "`false`: no click is recorded" }),
  autocompleterClick: acceptBoolean(false).meta({
    description: "`true`: the click is recorded as one in the autocompleter",
  }),
  lang,
});
export type ReadRequest = OutputOf<typeof readRequest>;

export const languageRequest = z.object({ lang });

const depth = z
  .union(
    [
      z.int().min(-1),
      z
        .string()
        .max(40)
        .regex(/^\s*(?:-1|\d{1,9})\s*$/),
    ],
    {
      error: "must be -1 (all) or a whole number",
    },
  )
  .transform(Number);

export const treeRequest = z.object({
  maxDepth: z.preprocess(dropEmpty, depth.default(-1)).meta({
    description: "Levels below the category; -1, the default, for all",
  }),
  lang,
});

export const crossSellingRequest = z.object({
  ...paged,
  query: skipEmpty(searchedText).meta({ description: "What the reader searches for" }),
  contentId: skipEmpty(wholeNumber).meta({ description: "Id of the content that is shown" }),
  tracking: acceptBoolean(true).meta({ description: "`false`: the search is not recorded" }),
});
export type CrossSellingRequest = OutputOf<typeof crossSellingRequest>;

export const sessionRequest = z.object({
  sdkVersion: skipEmpty(acceptText(100)).meta({
    description: "The version of the client, which events record with `logUserAgent`",
  }),
});

export const sessionUser = z.object({
  data: acceptMapping(LIMITS.answer),
});

/** A body whose members are stored unchecked. */
export const conversion = acceptMapping(20_000);

function acceptMapping(most: number): z.ZodType<Readonly<Record<string, unknown>>> {
  return z
    .record(z.string(), z.unknown())
    .refine((data) => measureJson(data) <= most, { error: describeTooLong(most) })
    .meta({ description: `at most ${formatNumber(most)} characters as JSON` });
}

export const detectQuery = z.object({
  query: searchedText.meta({
    description: "The text whose language is wanted",
    examples: ["Where is my order?"],
  }),
});

export const detectRequest = z.preprocess(
  // Clients send the text as `query` or as `text`.
  (value) =>
    typeof value === "object" && value !== null && "text" in value && !("query" in value)
      ? { query: value.text }
      : value,
  detectQuery,
);

export const appDataRequest = z.object({
  name: skipEmpty(acceptText(LIMITS.name)).meta({ description: "Only the values called so" }),
});
