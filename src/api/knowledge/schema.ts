import { z } from "zod";
import { filledText, longerThan, numberList, text, truth, wholeNumber } from "../fields.ts";
import { LIMITS } from "../limits.ts";
import { jsonLength } from "../json-length.ts";
import type { SearchRequest } from "./types.ts";

/**
 * Shapes of requests, in the query, as JSON or as a form. Unknown members are let through and have
 * no effect.
 */

/** A boolean that is absent where it is empty. */
export function flag(absent: boolean): z.ZodType<boolean> {
  return z.preprocess(noneWhenEmpty, truth.default(absent));
}

function optional<T>(schema: z.ZodType<T>): z.ZodType<T | undefined> {
  return z.preprocess(noneWhenEmpty, schema.optional());
}

function noneWhenEmpty(value: unknown): unknown {
  return value === "" || value === null ? undefined : value;
}

function between(least: number, most: number): z.ZodType<number> {
  return wholeNumber.refine((value) => value >= least && value <= most, {
    error: `must be from ${least} to ${most}`,
  });
}

/** The language of a call's contents: any code; unknown ones mean the project's own. */
const lang = optional(text(LIMITS.id));

const searchedText: z.ZodType<string> = filledText(LIMITS.query).transform((value) =>
  value.trim().replaceAll(/\s+/g, " "),
);

export const searchRequest: z.ZodType<SearchRequest> = z.object({
  query: searchedText,
  tracking: flag(true),
  type: optional(text(LIMITS.id)),
  splitQuery: flag(false),
  splitQueriesLimit: optional(between(1, 10)),
  dynabs: flag(false),
  categoryId: optional(numberList),
  length: optional(between(1, 100)),
  lang,
});

export interface Paging {
  /** From 1 to 1,000. */
  readonly length?: number | undefined;
  readonly offset?: number | undefined;
  readonly lang?: string | undefined;
}

const paged = {
  length: optional(between(1, 1000)),
  offset: optional(wholeNumber),
  lang,
};

export const paging: z.ZodType<Paging> = z.object(paged);

export interface ContentsRequest extends Paging {
  readonly categoryId?: readonly number[] | undefined;
  readonly sortBy?: "modificationDate" | "creationDate" | undefined;
}

export const contentsRequest: z.ZodType<ContentsRequest> = z.object({
  ...paged,
  categoryId: optional(numberList),
  sortBy: optional(z.enum(["modificationDate", "creationDate"])),
});

export const idsRequest: z.ZodType<{
  readonly ids: readonly number[];
  readonly lang?: string | undefined;
}> = z.object({
  ids: numberList.refine((ids) => ids.length > 0 && ids.length <= 100, {
    error: "must name 1 to 100 contents",
  }),
  lang,
});

export interface ReadRequest {
  readonly tracking: boolean;
  readonly autocompleterClick: boolean;
  readonly lang?: string | undefined;
}

export const readRequest: z.ZodType<ReadRequest> = z.object({
  tracking: flag(true),
  autocompleterClick: flag(false),
  lang,
});

export interface LanguageRequest {
  readonly lang?: string | undefined;
}

export const languageRequest: z.ZodType<LanguageRequest> = z.object({ lang });

export interface TreeRequest extends LanguageRequest {
  readonly maxDepth: number;
}

const depth: z.ZodType<number> = z
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

export const treeRequest: z.ZodType<TreeRequest> = z.object({
  maxDepth: z.preprocess(noneWhenEmpty, depth.default(-1)),
  lang,
});

export interface CrossSellingRequest extends Paging {
  readonly query?: string | undefined;
  readonly contentId?: number | undefined;
  readonly tracking: boolean;
}

export const crossSellingRequest: z.ZodType<CrossSellingRequest> = z.object({
  ...paged,
  query: optional(searchedText),
  contentId: optional(wholeNumber),
  tracking: flag(true),
});

export interface SessionRequest {
  readonly sdkVersion?: string | undefined;
}

export const sessionRequest: z.ZodType<SessionRequest> = z.object({
  sdkVersion: optional(text(100)),
});

export const sessionUser: z.ZodType<{ readonly data: Readonly<Record<string, unknown>> }> =
  z.object({
    data: mapping(LIMITS.answer),
  });

/** The body as it comes. */
export const conversion: z.ZodType<Readonly<Record<string, unknown>>> = mapping(20_000);

function mapping(most: number): z.ZodType<Readonly<Record<string, unknown>>> {
  return z
    .record(z.string(), z.unknown())
    .refine((data) => jsonLength(data) <= most, { error: longerThan(most) })
    .meta({ description: `at most ${most} characters as JSON` });
}

export const detectQuery: z.ZodType<{ readonly query: string }> = z.object({ query: searchedText });

export const detectRequest: z.ZodType<{ readonly query: string }> = z.preprocess(
  // Both names are in use for what is to be looked at.
  (value) =>
    typeof value === "object" && value !== null && "text" in value && !("query" in value)
      ? { query: value.text }
      : value,
  detectQuery,
);

export const appDataRequest: z.ZodType<{ readonly name?: string | undefined }> = z.object({
  name: optional(text(LIMITS.name)),
});
