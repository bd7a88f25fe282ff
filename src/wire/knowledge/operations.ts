import { z } from "zod";
import { COMMON_ERRORS } from "../operation.ts";
import type { Operation } from "../operation.ts";
import {
  autocompleterEntry,
  category,
  content,
  crossSellingItem,
  decisionNode,
  detectedLanguage,
  generatedAnswer,
  oneOf,
  resultPageOf,
  resultsOf,
  searchAnswer,
  startedSession,
  userQuestion,
} from "./answers.ts";
import { publishedEvent } from "./events.ts";
import {
  appDataRequest,
  contentsRequest,
  crossSellingRequest,
  detectRequest,
  idsRequest,
  languageRequest,
  paging,
  readRequest,
  searchRequest,
  sessionRequest,
  sessionUser,
  treeRequest,
} from "./schema.ts";

const unknownId = { status: 404, when: "There is nothing with this id or slug." };
const noMatch = {
  status: 404,
  when: "Nothing matches the query, unless the service answers `results: []` for it.",
};
const formerSlug = { status: 301, when: "The slug is a former one; `Location` has the present." };

type Row = Pick<Operation, "id" | "method" | "path" | "summary" | "answer"> &
  Partial<Pick<Operation, "aliases" | "query" | "body" | "bodyOptional" | "errors">>;

function row({ errors = [], ...rest }: Row): Operation {
  return { credentials: "token", status: 200, ...rest, errors: [...COMMON_ERRORS, ...errors] };
}

const success = z.object({ success: z.boolean() });
const contents = resultPageOf(content);
const one = oneOf(content);

/** Knowledge (seed.md 6; knowledge.md 2), below `apis.knowledge`. `x-inbenta-session` is optional on each. */
export const KNOWLEDGE_OPERATIONS: readonly Operation[] = [
  row({
    id: "knowledge.startSession",
    method: "POST",
    path: "/v1/tracking/session",
    summary:
      "Begins a session, which relates the events of one reader. Ends after 30 idle minutes.",
    body: sessionRequest,
    bodyOptional: true,
    answer: startedSession,
  }),
  row({
    id: "knowledge.setSessionUser",
    method: "POST",
    path: "/v1/tracking/session/user",
    summary: "Keeps what a front end knows about the reader. `success` is false without a session.",
    body: sessionUser,
    answer: success,
  }),
  row({
    id: "knowledge.track",
    method: "POST",
    path: "/v1/tracking/events",
    summary: "Records an event. A type that the service does not know is kept as it comes.",
    body: publishedEvent,
    answer: success,
  }),
  row({
    id: "knowledge.trackConversion",
    method: "POST",
    path: "/v1/inbtrck/events",
    summary: "Records a conversion event: the body as it comes.",
    body: z.record(z.string(), z.unknown()),
    bodyOptional: true,
    answer: success,
  }),
  row({
    id: "knowledge.search",
    method: "POST",
    path: "/v1/search",
    summary: "Contents that answer a query, best first, with where and how they match.",
    body: searchRequest,
    answer: searchAnswer,
    errors: [noMatch],
  }),
  row({
    id: "knowledge.generateAnswer",
    method: "POST",
    path: "/v1/generate-answer",
    summary:
      "The words of the best content for a query, and what a search finds. No text is made up.",
    body: searchRequest,
    answer: generatedAnswer,
    errors: [noMatch],
  }),
  row({
    id: "knowledge.contents",
    method: "GET",
    path: "/v1/contents",
    summary: "Contents in the edited order, or newest first. A category has those below it too.",
    query: contentsRequest,
    answer: contents,
  }),
  row({
    id: "knowledge.contentsByIds",
    method: "GET",
    path: "/v1/contents/ids",
    summary: "Up to 100 contents, in the order of `ids`; those that are not there are left out.",
    query: idsRequest,
    answer: resultsOf(content),
  }),
  row({
    id: "knowledge.popular",
    method: "GET",
    path: "/v1/contents/popular",
    summary: "Contents by recorded clicks of the last 30 days, most first.",
    query: contentsRequest,
    answer: contents,
  }),
  row({
    id: "knowledge.push",
    method: "GET",
    path: "/v1/contents/push",
    summary: "Contents with the attribute PUSH by its number; without any, the newest.",
    query: contentsRequest,
    answer: contents,
  }),
  row({
    id: "knowledge.content",
    method: "GET",
    path: "/v1/contents/{contentId}",
    summary: "One content. Records a click unless `tracking` is false.",
    query: readRequest,
    answer: one,
    errors: [unknownId],
  }),
  row({
    id: "knowledge.contentBySlug",
    method: "GET",
    path: "/v1/contents/slug/{slug}",
    summary: "One content. Records a click unless `tracking` is false.",
    query: readRequest,
    answer: one,
    errors: [formerSlug, unknownId],
  }),
  row({
    id: "knowledge.related",
    method: "GET",
    path: "/v1/contents/{contentId}/related",
    summary: "Contents that are offered below a content.",
    query: paging,
    answer: contents,
    errors: [unknownId],
  }),
  row({
    id: "knowledge.userQuestionsOf",
    method: "GET",
    path: "/v1/contents/{contentId}/user-questions",
    aliases: ["/v1/content/{contentId}/user-questions"],
    summary: "Other ways of asking for a content.",
    query: paging,
    answer: resultPageOf(userQuestion),
    errors: [unknownId],
  }),
  row({
    id: "knowledge.decisionTree",
    method: "GET",
    path: "/v1/contents/{contentId}/decision-tree",
    summary: "A content and all that its options lead to, each once, nearest first.",
    query: languageRequest,
    answer: resultsOf(decisionNode),
    errors: [unknownId],
  }),
  row({
    id: "knowledge.categories",
    method: "GET",
    path: "/v1/categories",
    summary: "The root and the categories below it down to `maxDepth`, each before those below it.",
    query: treeRequest,
    answer: resultsOf(category),
  }),
  row({
    id: "knowledge.category",
    method: "GET",
    path: "/v1/categories/{categoryId}",
    summary: "A category and those below it down to `maxDepth`.",
    query: treeRequest,
    answer: resultsOf(category),
    errors: [unknownId],
  }),
  row({
    id: "knowledge.categoryBySlug",
    method: "GET",
    path: "/v1/categories/slug/{slug}",
    summary: "A category and those below it down to `maxDepth`.",
    query: treeRequest,
    answer: resultsOf(category),
    errors: [unknownId],
  }),
  row({
    id: "knowledge.categoryContents",
    method: "GET",
    path: "/v1/categories/{categoryId}/contents",
    summary: "Contents filed in a category itself, in the edited order.",
    query: paging,
    answer: contents,
    errors: [unknownId],
  }),
  row({
    id: "knowledge.userQuestions",
    method: "GET",
    path: "/v1/user-questions",
    summary: "User questions: other ways of asking for contents.",
    query: paging,
    answer: resultPageOf(userQuestion),
  }),
  row({
    id: "knowledge.userQuestion",
    method: "GET",
    path: "/v1/user-questions/{userQuestionId}",
    summary: "One user question.",
    query: languageRequest,
    answer: oneOf(userQuestion),
    errors: [unknownId],
  }),
  row({
    id: "knowledge.userQuestionBySlug",
    method: "GET",
    path: "/v1/user-questions/slug/{slug}",
    summary: "One user question.",
    query: languageRequest,
    answer: oneOf(userQuestion),
    errors: [unknownId],
  }),
  row({
    id: "knowledge.contentsOfUserQuestion",
    method: "GET",
    path: "/v1/user-questions/{userQuestionId}/contents",
    aliases: ["/v1/user-question/{userQuestionId}/contents"],
    summary: "Contents that a user question asks for.",
    query: paging,
    answer: contents,
    errors: [unknownId],
  }),
  row({
    id: "knowledge.crossSelling",
    method: "GET",
    path: "/v1/cross-selling/{crossSellingId}",
    summary: "One cross-selling item. Recorded unless `tracking` is false.",
    query: readRequest,
    answer: oneOf(crossSellingItem),
    errors: [unknownId],
  }),
  row({
    id: "knowledge.searchCrossSelling",
    method: "GET",
    path: "/v1/cross-selling/search",
    summary:
      "Items offered beside what a query finds, beside one content, or all. Recorded likewise.",
    query: crossSellingRequest,
    answer: resultPageOf(crossSellingItem),
  }),
  row({
    id: "knowledge.autocompleterData",
    method: "GET",
    path: "/v1/autocompleter/data",
    summary: "Titles and user questions of every content that can be found, to complete from.",
    query: languageRequest,
    answer: resultsOf(autocompleterEntry),
  }),
  row({
    id: "knowledge.detectLanguage",
    method: "POST",
    path: "/v1/language-detector",
    summary: "The language in which a text is written.",
    body: detectRequest,
    answer: detectedLanguage,
  }),
  row({
    id: "knowledge.detectLanguageOf",
    method: "GET",
    path: "/v1/language-detector",
    summary: "The language in which the text in `query` is written.",
    query: z.object({ query: z.string() }),
    answer: detectedLanguage,
  }),
  row({
    id: "knowledge.appData",
    method: "GET",
    path: "/v1/app/data/{dataId}",
    summary: "Named values for front ends: one result, or none for an unknown id.",
    query: appDataRequest,
    answer: resultsOf(
      z.object({
        value: z.object({ labels: z.array(z.object({ name: z.string(), value: z.string() })) }),
      }),
    ),
  }),
  row({
    id: "knowledge.userTypes",
    method: "GET",
    path: "/v1/user-types",
    summary: "The user types that contents name, and 0.",
    answer: resultsOf(z.object({ id: z.string(), name: z.string() })),
  }),
];
