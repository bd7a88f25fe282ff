import { z } from "zod";
import type {
  AutocompleterEntry,
  CrossSellingItem,
  DecisionNode,
  DetectedLanguage,
  FoundContent,
  KnowledgeCategory,
  KnowledgeContent,
  ResultPage,
  Results,
  SearchAnswer,
  StartedSession,
  UserQuestion,
} from "./types.ts";

/** Shapes of answers, as the service gives them. */

const id = z.int().min(1);
const moment = z.string().regex(/^\d{14}$/);
const code = z.base64();

const contentShape = {
  id,
  title: z.string(),
  slug: z.string(),
  categories: z.array(id),
  hasRelated: z.boolean(),
  hasDecisionTree: z.boolean(),
  hasCrossSelling: z.boolean(),
  creationDate: moment,
  modificationDate: moment,
  attributes: z.intersection(
    z.object({ ANSWER_TEXT: z.string() }),
    z.record(z.string(), z.string()),
  ),
  attributeArrays: z.record(z.string(), z.array(z.string())),
  attributeGroups: z.record(z.string(), z.array(z.record(z.string(), z.array(z.string())))),
  tracking: z.object({ clickCode: code, rateCode: code.optional(), externalCode: code.optional() }),
};

export const content: z.ZodType<KnowledgeContent> = z.object(contentShape);

const field = z.enum(["title", "alternativeTitle", "answer"]);

export const foundContent: z.ZodType<FoundContent> = z.object({
  ...contentShape,
  score: z.number().min(0).max(1),
  titleHighlight: z.string(),
  matchingDetails: z.object({
    fields: z.array(field),
    exact: z.boolean(),
    words: z.array(z.string()),
    highlights: z.partialRecord(field, z.string()),
    query: z.string(),
  }),
  dynamicAbstract: z.string().optional(),
});

const searchShape = {
  results: z.array(foundContent),
  tracking: z.object({ searchCode: code }),
  parts: z.array(z.object({ query: z.string(), results: z.array(id) })).optional(),
};

export const searchAnswer: z.ZodType<SearchAnswer> = z.object(searchShape);

export const generatedAnswer: z.ZodType<SearchAnswer & { readonly answer: string }> = z.object({
  ...searchShape,
  answer: z.string(),
});

export const category: z.ZodType<KnowledgeCategory> = z.object({
  id: z.int().min(0),
  name: z.string(),
  slug: z.string(),
  parent: z.union([z.int().min(0), z.literal("-")]),
  children: z.array(id),
  depth: z.int().min(0),
  numContents: z.int().min(0),
  numContentsDescendants: z.int().min(0),
});

export const userQuestion: z.ZodType<UserQuestion> = z.object({
  id: z.int().min(1001),
  title: z.string(),
  slug: z.string(),
  contentId: id,
  tracking: z.object({ clickCode: code }),
});

export const crossSellingItem: z.ZodType<CrossSellingItem> = z.object({
  ...contentShape,
  contents: z.array(id),
});

export const decisionNode: z.ZodType<DecisionNode> = z.object({
  id,
  title: z.string(),
  slug: z.string(),
  options: z.array(z.object({ label: z.string(), contentId: id })),
});

export const autocompleterEntry: z.ZodType<AutocompleterEntry> = z.object({
  id,
  title: z.string(),
  slug: z.string(),
  categories: z.array(id),
  userQuestions: z.array(z.object({ id, title: z.string() })),
});

export const detectedLanguage: z.ZodType<DetectedLanguage> = z.object({
  language: z.string().nullable(),
  available: z.boolean(),
  results: z.array(z.object({ language: z.string(), score: z.number().min(0).max(1) })).max(5),
});

export const startedSession: z.ZodType<StartedSession> = z.object({
  sessionToken: z.string().min(1),
  sessionId: z.string().min(1),
});

export function resultsOf<T>(item: z.ZodType<T>): z.ZodType<Results<T>> {
  return z.object({ results: z.array(item) });
}

export function oneOf<T>(item: z.ZodType<T>): z.ZodType<Results<T>> {
  return z.object({ results: z.array(item).length(1) });
}

export function resultPageOf<T>(item: z.ZodType<T>): z.ZodType<ResultPage<T>> {
  return z.object({ results: z.array(item), hasMore: z.boolean() });
}
