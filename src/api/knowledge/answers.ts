import { z } from "zod";
import type { OutputOf } from "../call/fields.ts";

/** Shapes of the service's answers. */

const id = z.int().min(1);
/** 14 digits, `YYYYMMDDhhmmss`, in UTC. */
const moment = z.string().regex(/^\d{14}$/);
const code = z.base64();

const attributes: z.ZodType<Record<string, string>> = z.intersection(
  z.object({ ANSWER_TEXT: z.string() }),
  z.record(z.string(), z.string()),
);

/** A content. Every answer has it in this shape. */
export const content = z.object({
  id,
  title: z.string(),
  slug: z.string(),
  /** Ids of categories. */
  categories: z.array(id),
  hasRelated: z.boolean(),
  hasDecisionTree: z.boolean(),
  hasCrossSelling: z.boolean(),
  creationDate: moment,
  modificationDate: moment,
  /** `ANSWER_TEXT` has the main text as HTML. */
  attributes,
  attributeArrays: z.record(z.string(), z.array(z.string())),
  attributeGroups: z.record(z.string(), z.array(z.record(z.string(), z.array(z.string())))),
  /** Codes that report a click, a rating and a click on another site. Every answer has its own codes. */
  tracking: z.object({
    clickCode: code,
    /** Absent for a content that readers cannot rate. */
    rateCode: code.optional(),
    externalCode: code.optional(),
  }),
});
export type KnowledgeContent = OutputOf<typeof content>;

const field = z.enum(["title", "alternativeTitle", "answer"]);
export type MatchedField = z.output<typeof field>;

/** The fields in which a content matched, and how. */
const matchingDetails = z.object({
  /**
   * The fields that have words of the query. Empty when the content was found by similarity alone.
   */
  fields: z.array(field),
  /** True when a title equals the query apart from letter case, accents and punctuation. */
  exact: z.boolean(),
  /** Words of the query that the content has, in the query's spelling. */
  words: z.array(z.string()),
  /** HTML with `<strong>` around the words. `answer` has only the part around the first of them. */
  highlights: z.partialRecord(field, z.string()),
  /** The part of the query that found the content. It is the whole query unless that was split. */
  query: z.string(),
});
export type MatchingDetails = OutputOf<typeof matchingDetails>;

/** A content that a search found. */
const foundContent = content.extend({
  /** From 0 to 1. */
  score: z.number().min(0).max(1),
  /** The title as HTML, with `<strong>` around the words that matched. */
  titleHighlight: z.string(),
  matchingDetails,
  /** The part of the answer that matches best, as HTML. Absent without `dynabs`. */
  dynamicAbstract: z.string().optional(),
});
export type FoundContent = OutputOf<typeof foundContent>;

const queryPart = z.object({
  query: z.string(),
  /** Ids of contents, the best first; empty if the part found none. */
  results: z.array(id),
});
export type QueryPart = OutputOf<typeof queryPart>;

export const searchAnswer = z.object({
  results: z.array(foundContent),
  tracking: z.object({ searchCode: code }),
  /** The parts of a split query, with the contents that each found. Absent without `splitQuery`. */
  parts: z.array(queryPart).optional(),
});
export type SearchAnswer = OutputOf<typeof searchAnswer>;

export const generatedAnswer = searchAnswer.extend({ answer: z.string() });

export const category = z.object({
  id: z.int().min(0),
  name: z.string(),
  slug: z.string(),
  /** Id of the category above; `-` for the root, whose id is 0. */
  parent: z.union([z.int().min(0), z.literal("-")]),
  /** Ids of the categories below. */
  children: z.array(id),
  /** 0 for the root. */
  depth: z.int().min(0),
  /** The number of contents that are directly in it. */
  numContents: z.int().min(0),
  /** The number of contents in it or in a category below, each counted once. */
  numContentsDescendants: z.int().min(0),
});
export type KnowledgeCategory = OutputOf<typeof category>;

/** Another way in which readers ask for a content. */
export const userQuestion = z.object({
  id: z.int().min(1001),
  title: z.string(),
  slug: z.string(),
  /** Id of the content that answers it. */
  contentId: id,
  tracking: z.object({ clickCode: code }),
});
export type UserQuestion = OutputOf<typeof userQuestion>;

/** A content that is offered beside others. */
export const crossSellingItem = content.extend({
  /** Ids of the contents beside which it is offered. */
  contents: z.array(id),
});
export type CrossSellingItem = OutputOf<typeof crossSellingItem>;

/** One step of a decision tree. The first of a list is the content that was asked for. */
export const decisionNode = z.object({
  id,
  title: z.string(),
  slug: z.string(),
  options: z.array(z.object({ label: z.string(), contentId: id })),
});
export type DecisionNode = OutputOf<typeof decisionNode>;

/** An entry with which a front end completes typed words, without further requests. */
export const autocompleterEntry = z.object({
  id,
  title: z.string(),
  slug: z.string(),
  categories: z.array(id),
  userQuestions: z.array(z.object({ id, title: z.string() })),
});
export type AutocompleterEntry = OutputOf<typeof autocompleterEntry>;

export const detectedLanguage = z.object({
  /** ISO 639-1; null if the text is too short to tell. */
  language: z.string().nullable(),
  /** True if there are contents in this language. */
  available: z.boolean(),
  /** Likeliest first; scores add up to at most 1. */
  results: z.array(z.object({ language: z.string(), score: z.number().min(0).max(1) })).max(5),
});
export type DetectedLanguage = OutputOf<typeof detectedLanguage>;

export const startedSession = z.object({
  sessionToken: z.string().min(1),
  sessionId: z.string().min(1),
});
export type StartedSession = OutputOf<typeof startedSession>;

/** All lists have this form, even with a single item. */
export const resultsOf = <T>(item: z.ZodType<T>) => z.object({ results: z.array(item) });

export const oneOf = <T>(item: z.ZodType<T>) => z.object({ results: z.array(item).length(1) });

export const resultPageOf = <T>(item: z.ZodType<T>) =>
  z.object({ results: z.array(item), hasMore: z.boolean() });
