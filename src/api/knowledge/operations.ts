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

const unknownId = {
  status: 404,
  when: "There is nothing with this id or slug, or the reader may not see it.",
};
const noMatch = {
  status: 404,
  when: "No content matches the query. A service can be configured to answer 200 with empty `results` instead.",
};
const formerSlug = { status: 301, when: "The content has a new slug, which is in `Location`." };

const success = z.object({ success: z.boolean() });
const contents = resultPageOf(content);
const one = oneOf(content);

/** Knowledge (seed.md 6; knowledge.md 2), below `apis.knowledge`; `x-inbenta-session` optional. */
export const KNOWLEDGE_OPERATIONS: readonly Operation[] = operationsOf(
  "knowledge",
  { credentials: "token", errors: COMMON_ERRORS },
  {
    startSession: createRow(
      "Starts a session, which relates the events of one reader to each other. After 30 minutes without a call, its token begins a new session by itself.",
      startedSession,
      { domainKey: true, body: sessionRequest, bodyOptional: true },
    ),
    setSessionUser: createRow(
      "Records what a front end knows about the reader. Without a session in `x-inbenta-session`, nothing is stored and `success` is false.",
      success,
      { domainKey: true, body: sessionUser },
    ),
    track: createRow(
      "Records an event. Events of other types than the listed ones are stored as they were sent.",
      success,
      {
        domainKey: true,
        body: publishedEvent,
      },
    ),
    trackConversion: createRow(
      "Records a conversion. The body is stored as it was sent.",
      success,
      {
        domainKey: true,
        body: conversion,
        bodyOptional: true,
      },
    ),
    search: createRow(
      "Lists the contents that answer a query, the best first, with the fields and words that match.",
      searchAnswer,
      { domainKey: true, body: searchRequest, errors: [noMatch] },
    ),
    generateAnswer: createRow(
      "Searches as `POST /v1/search` does, and returns the text of the best content as `answer`. The text is as its editors wrote it: no model generates it.",
      generatedAnswer,
      { domainKey: true, body: searchRequest, errors: [noMatch] },
    ),
    contents: createRow(
      "Lists contents in the order that their editors chose, or the newest first with `sortBy`.",
      contents,
      { domainKey: true, query: contentsRequest },
    ),
    contentsByIds: createRow(
      "Lists up to 100 contents in the order of `ids`. Ids of contents that do not exist, or that the reader may not see, are skipped.",
      resultsOf(content),
      { domainKey: true, query: idsRequest },
    ),
    popular: createRow(
      "Lists the contents that were clicked in the last 30 days, the most clicked first. `sortBy` has no effect.",
      contents,
      {
        domainKey: true,
        query: contentsRequest,
      },
    ),
    push: createRow(
      "Lists the contents with the attribute PUSH in the order of its numbers. If no content has it, lists all contents, the newest first. `sortBy` has no effect.",
      contents,
      { domainKey: true, query: contentsRequest },
    ),
    content: createRow(
      "Returns a content by its id. Records a click unless `tracking` is false.",
      one,
      {
        domainKey: true,
        query: readRequest,
        errors: [unknownId],
      },
    ),
    contentBySlug: createRow(
      "Returns a content by its slug. Records a click unless `tracking` is false.",
      one,
      {
        domainKey: true,
        query: readRequest,
        errors: [formerSlug, unknownId],
      },
    ),
    related: createRow(
      "Lists the contents that are related to a content, in the order that its editors chose.",
      contents,
      {
        domainKey: true,
        query: paging,
        errors: [unknownId],
      },
    ),
    userQuestionsOf: createRow(
      "Lists the user questions of a content: other ways to ask for it.",
      resultPageOf(userQuestion),
      {
        domainKey: true,
        query: paging,
        errors: [unknownId],
      },
    ),
    decisionTree: createRow(
      "Lists a content and the contents that its options lead to, each once, the nearest first, at most 500.",
      resultsOf(decisionNode),
      { domainKey: true, query: languageRequest, errors: [unknownId] },
    ),
    categories: createRow(
      "Lists the root category and `maxDepth` levels below it, each category before those below it.",
      resultsOf(category),
      { domainKey: true, query: treeRequest },
    ),
    category: createRow(
      "Lists a category, named by its id, and `maxDepth` levels below it.",
      resultsOf(category),
      {
        domainKey: true,
        query: treeRequest,
        errors: [unknownId],
      },
    ),
    categoryBySlug: createRow(
      "Lists a category, named by its slug, and `maxDepth` levels below it.",
      resultsOf(category),
      {
        domainKey: true,
        query: treeRequest,
        errors: [unknownId],
      },
    ),
    categoryContents: createRow(
      "Lists the contents that are directly in a category, in the order that their editors chose. The root category (0) has those without a category.",
      contents,
      {
        domainKey: true,
        query: paging,
        errors: [unknownId],
      },
    ),
    userQuestions: createRow(
      "Lists the user questions of all contents: other ways to ask for them.",
      resultPageOf(userQuestion),
      { domainKey: true, query: paging },
    ),
    userQuestion: createRow("Returns a user question by its id.", oneOf(userQuestion), {
      domainKey: true,
      query: languageRequest,
      errors: [unknownId],
    }),
    userQuestionBySlug: createRow("Returns a user question by its slug.", oneOf(userQuestion), {
      domainKey: true,
      query: languageRequest,
      errors: [unknownId],
    }),
    contentsOfUserQuestion: createRow(
      "Lists the contents that a user question asks for.",
      contents,
      {
        domainKey: true,
        query: paging,
        errors: [unknownId],
      },
    ),
    crossSelling: createRow(
      "Returns a content that is offered beside others. Records a click unless `tracking` is false.",
      oneOf(crossSellingItem),
      { domainKey: true, query: readRequest, errors: [unknownId] },
    ),
    searchCrossSelling: createRow(
      "Lists the contents that are offered beside the content `contentId`, beside the contents that `query` finds, or beside any content. Records the search unless `tracking` is false.",
      resultPageOf(crossSellingItem),
      { domainKey: true, query: crossSellingRequest },
    ),
    autocompleterData: createRow(
      "Lists the titles and user questions of every content that searches can find. A front end completes typed words with them.",
      resultsOf(autocompleterEntry),
      { domainKey: true, query: languageRequest },
    ),
    detectLanguage: createRow(
      "Detects the language of the text in `query`, or in `text`. `language` is null if the text says too little.",
      detectedLanguage,
      {
        domainKey: true,
        body: detectRequest,
      },
    ),
    detectLanguageOf: createRow(
      "Detects the language of the text in `query`. `language` is null if the text says too little.",
      detectedLanguage,
      { domainKey: true, query: detectQuery },
    ),
    appData: createRow(
      "Returns the values that the contents hold for front ends under an id, or only those called `name`, as one result. For an unknown id, there is no result.",
      resultsOf(
        z.object({
          value: z.object({ labels: z.array(z.object({ name: z.string(), value: z.string() })) }),
        }),
      ),
      { domainKey: true, query: appDataRequest },
    ),
    userTypes: createRow(
      "Lists the user types to which contents are limited, and the default type 0.",
      resultsOf(z.object({ id: z.string(), name: z.string() })),
    ),
  },
);
