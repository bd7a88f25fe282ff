import { z } from "zod";
import { COMMON_ERRORS, operationsOf, createRow } from "../call/operation.ts";
import type { Operation } from "../call/operation.ts";
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
  conversion,
  crossSellingRequest,
  detectQuery,
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

const success = z.object({ success: z.boolean() });
const contents = resultPageOf(content);
const one = oneOf(content);

/** Knowledge (seed.md 6; knowledge.md 2), below `apis.knowledge`; `x-inbenta-session` optional. */
export const KNOWLEDGE_OPERATIONS: readonly Operation[] = operationsOf(
  "knowledge",
  { credentials: "token", errors: COMMON_ERRORS },
  {
    startSession: createRow(
      "Begins a session, which relates the events of one reader. Ends after 30 idle minutes.",
      startedSession,
      { domainKey: true, body: sessionRequest, bodyOptional: true },
    ),
    setSessionUser: createRow(
      "Stores the facts that a front end knows about the reader. `success` is false without a session.",
      success,
      { domainKey: true, body: sessionUser },
    ),
    track: createRow("Records an event. Events of unknown types are kept as they are.", success, {
      domainKey: true,
      body: publishedEvent,
    }),
    trackConversion: createRow("Records a conversion event. Its body is kept as it is.", success, {
      domainKey: true,
      body: conversion,
      bodyOptional: true,
    }),
    search: createRow(
      "Contents that answer a query, best first, with where and how they match.",
      searchAnswer,
      { domainKey: true, body: searchRequest, errors: [noMatch] },
    ),
    generateAnswer: createRow(
      "The text of the best content for a query, and the results of a search. No text is made up.",
      generatedAnswer,
      { domainKey: true, body: searchRequest, errors: [noMatch] },
    ),
    contents: createRow(
      "Contents in the edited order, or newest first. A category does not include those below it.",
      contents,
      { domainKey: true, query: contentsRequest },
    ),
    contentsByIds: createRow(
      "Up to 100 contents, in the order of `ids`. Unknown ids are skipped.",
      resultsOf(content),
      { domainKey: true, query: idsRequest },
    ),
    popular: createRow(
      "The contents with the most clicks in the last 30 days, most first.",
      contents,
      {
        domainKey: true,
        query: contentsRequest,
      },
    ),
    push: createRow(
      "Contents with the attribute PUSH, in the order of its numbers. If there are none, the newest.",
      contents,
      { domainKey: true, query: contentsRequest },
    ),
    content: createRow("One content. Records a click unless `tracking` is false.", one, {
      domainKey: true,
      query: readRequest,
      errors: [unknownId],
    }),
    contentBySlug: createRow("One content. Records a click unless `tracking` is false.", one, {
      domainKey: true,
      query: readRequest,
      errors: [formerSlug, unknownId],
    }),
    related: createRow("Contents that are offered below a content.", contents, {
      domainKey: true,
      query: paging,
      errors: [unknownId],
    }),
    userQuestionsOf: createRow("Other ways of asking for a content.", resultPageOf(userQuestion), {
      domainKey: true,
      query: paging,
      errors: [unknownId],
    }),
    decisionTree: createRow(
      "A content and every content that its options lead to, each once, nearest first.",
      resultsOf(decisionNode),
      { domainKey: true, query: languageRequest, errors: [unknownId] },
    ),
    categories: createRow(
      "The root and the categories below it down to `maxDepth`, each before those below it.",
      resultsOf(category),
      { domainKey: true, query: treeRequest },
    ),
    category: createRow("A category and those below it down to `maxDepth`.", resultsOf(category), {
      domainKey: true,
      query: treeRequest,
      errors: [unknownId],
    }),
    categoryBySlug: createRow(
      "A category and those below it down to `maxDepth`.",
      resultsOf(category),
      {
        domainKey: true,
        query: treeRequest,
        errors: [unknownId],
      },
    ),
    categoryContents: createRow(
      "Contents filed in a category itself, in the edited order.",
      contents,
      {
        domainKey: true,
        query: paging,
        errors: [unknownId],
      },
    ),
    userQuestions: createRow(
      "User questions: other ways of asking for contents.",
      resultPageOf(userQuestion),
      { domainKey: true, query: paging },
    ),
    userQuestion: createRow("One user question.", oneOf(userQuestion), {
      domainKey: true,
      query: languageRequest,
      errors: [unknownId],
    }),
    userQuestionBySlug: createRow("One user question.", oneOf(userQuestion), {
      domainKey: true,
      query: languageRequest,
      errors: [unknownId],
    }),
    contentsOfUserQuestion: createRow("Contents that a user question asks for.", contents, {
      domainKey: true,
      query: paging,
      errors: [unknownId],
    }),
    crossSelling: createRow(
      "One cross-selling item. Recorded unless `tracking` is false.",
      oneOf(crossSellingItem),
      { domainKey: true, query: readRequest, errors: [unknownId] },
    ),
    searchCrossSelling: createRow(
      "Cross-selling items for a query or for one content, or all. Recorded unless `tracking` is false.",
      resultPageOf(crossSellingItem),
      { domainKey: true, query: crossSellingRequest },
    ),
    autocompleterData: createRow(
      "Titles and user questions of every content that can be found, for autocompletion.",
      resultsOf(autocompleterEntry),
      { domainKey: true, query: languageRequest },
    ),
    detectLanguage: createRow("The language in which a text is written.", detectedLanguage, {
      domainKey: true,
      body: detectRequest,
    }),
    detectLanguageOf: createRow(
      "The language in which the text in `query` is written.",
      detectedLanguage,
      { domainKey: true, query: detectQuery },
    ),
    appData: createRow(
      "Named values for front ends: one result, or none for an unknown id.",
      resultsOf(
        z.object({
          value: z.object({ labels: z.array(z.object({ name: z.string(), value: z.string() })) }),
        }),
      ),
      { domainKey: true, query: appDataRequest },
    ),
    userTypes: createRow(
      "The user types that contents name, and 0.",
      resultsOf(z.object({ id: z.string(), name: z.string() })),
    ),
  },
);
