import type { Hono } from "hono";
import { createContentHandlers } from "./handlers-contents.ts";
import { createDataHandlers } from "./handlers-data.ts";
import { createLibrary } from "./library.ts";
import { createSearchHandlers } from "./handlers-search.ts";
import { createSessions } from "./sessions.ts";
import { createTrackingHandlers } from "./handlers-tracking.ts";
import { KNOWLEDGE_OPERATIONS } from "../../api/knowledge/operations.ts";
import { createApiRoutes } from "../auth/handling.ts";
import {
  type KnowledgeService,
  isListed,
  createKnowledgeHandler,
  type KnowledgeCall,
  type KnowledgeHandlers,
  visibleOf,
  type KnowledgeOptions,
} from "./call.ts";
import {
  paging,
  treeRequest,
  languageRequest,
  crossSellingRequest,
  readRequest,
  type CrossSellingRequest,
} from "../../api/knowledge/schema.ts";
import { refuseNotFound, toPrintable } from "../http/refusal.ts";
import { createCategoryTree, countCategories, ROOT } from "./category-tree.ts";
import { toQuestion, toCrossSelling, answerContents, pageOf } from "./records.ts";
import { isSameQuestion, type CatalogQuestion, crossSellingOf } from "./catalog.ts";
import type { ContentItem } from "../content/types.ts";
import { recordEvent, createLog } from "./recording.ts";

/** Knowledge (seed.md 6; knowledge.md). */
export function createKnowledgeRoutes(options: KnowledgeOptions): Hono {
  const { database, content, words, now } = options;
  const report = options.report ?? (() => undefined);
  const service: KnowledgeService = {
    ...options,
    report,
    library: createLibrary({ content, words, database, now, report }),
    sessions: createSessions(options),
  };
  return createApiRoutes<"knowledge">(options, KNOWLEDGE_OPERATIONS, {
    ...createTrackingHandlers(service),
    ...createSearchHandlers(service),
    ...createContentHandlers(service),
    ...createCategoryHandlers(service),
    ...createUserQuestionHandlers(service),
    ...createCrossSellingHandlers(service),
    ...createDataHandlers(service),
  });
}

/** Categories, as a flat list with parents and children. */
function createCategoryHandlers(service: KnowledgeService) {
  const on = createKnowledgeHandler(service);
  return {
    categories: on(treeRequest, (call, { maxDepth }) => answer(call, ROOT, maxDepth)),
    categoryBySlug: on(treeRequest, (call, { maxDepth }) => {
      const { id: slug } = call;
      const id = createCategoryTree(call.catalog).bySlug(slug);
      if (id === null) throw refuseNotFound(`category with the slug ${toPrintable(slug)}`);
      return answer(call, id, maxDepth);
    }),
    category: on(treeRequest, (call, { maxDepth }) => answer(call, categoryOf(call), maxDepth)),
    categoryContents: on(paging, (call, request) => {
      const id = categoryOf(call);
      const items = call.catalog.items.filter(
        (item) =>
          isListed(item, call) &&
          (id === ROOT ? item.categories.length === 0 : item.categories.includes(id)),
      );
      return answerContents(items, call, service, request);
    }),
  } satisfies Partial<KnowledgeHandlers>;
}

/** The category that the path names. Throws 404. */
function categoryOf({ id, catalog }: KnowledgeCall): number {
  if (/^\d{1,15}$/.test(id) && createCategoryTree(catalog).has(Number(id))) return Number(id);
  throw refuseNotFound(`category ${toPrintable(id)}`);
}

function answer(call: KnowledgeCall, id: number, maxDepth: number): object {
  const tree = createCategoryTree(call.catalog);
  const items = call.catalog.items.filter((item) => isListed(item, call));
  return { results: countCategories(tree.below(id, maxDepth), tree, items) };
}

/** User questions, and the contents that each asks for. */
function createUserQuestionHandlers(service: KnowledgeService) {
  const on = createKnowledgeHandler(service);
  const answerOne = (question: CatalogQuestion): object => ({
    results: [toQuestion(question, createLog(service.random))],
  });
  return {
    userQuestions: on(paging, (call, request) => {
      const all = call.catalog.questions.filter(({ item }) => isListed(item, call));
      const { results, hasMore } = pageOf(all, request);
      const log = createLog(service.random);
      return {
        results: results.map((question) => toQuestion(question, log)),
        hasMore,
      };
    }),
    userQuestionBySlug: on(languageRequest, (call) => {
      const { id: slug } = call;
      return answerOne(requireFound(call, call.catalog.questionBySlug.get(slug), slug));
    }),
    userQuestion: on(languageRequest, (call) => answerOne(questionOf(call))),
    contentsOfUserQuestion: on(paging, (call, request) => {
      const question = questionOf(call);
      const items = call.catalog.questions
        .filter((other) => isSameQuestion(question, other) && isListed(other.item, call))
        .map(({ item }) => item);
      return answerContents([...new Set([question.item, ...items])], call, service, request);
    }),
  } satisfies Partial<KnowledgeHandlers>;
}

function questionOf(call: KnowledgeCall): CatalogQuestion {
  const { id } = call;
  const known = /^\d{1,15}$/.test(id) ? call.catalog.questionById.get(Number(id)) : undefined;
  return requireFound(call, known, id);
}

/** Throws 404 for a question of a content that this reader may not see. */
function requireFound(
  call: KnowledgeCall,
  question: CatalogQuestion | undefined,
  asked: string,
): CatalogQuestion {
  if (question !== undefined && isListed(question.item, call)) return question;
  throw refuseNotFound(`user question ${toPrintable(asked)}`);
}

/** Cross-selling: contents offered beside those with `CROSS_SELLING`, under the offered id. */
function createCrossSellingHandlers(service: KnowledgeService) {
  const on = createKnowledgeHandler(service);
  return {
    searchCrossSelling: on(crossSellingRequest, async (call, request) => {
      const items = visibleOf(listOffered(call, request), call);
      const { results, hasMore } = pageOf(items, request);
      const log = createLog(service.random);
      if (request.tracking) {
        await recordEvent(service, call, {
          type: "cross_selling_search",
          log,
          query: request.query ?? null,
          content: request.contentId ?? null,
          found: items.length,
          data: { results: results.map(({ id }) => id) },
        });
      }
      return {
        results: results.map((item) => toCrossSelling(item, call, service, log)),
        hasMore,
      };
    }),
    crossSelling: on(readRequest, async (call, { tracking }) => {
      const item = itemOf(call);
      const log = createLog(service.random);
      if (tracking) {
        const event = { type: "click_cross_selling", log, content: item.id, clicked: true };
        await recordEvent(service, call, event);
      }
      return { results: [toCrossSelling(item, call, service, log)] };
    }),
  } satisfies Partial<KnowledgeHandlers>;
}

/** Lists the contents to offer beside those that a query finds, beside one content, or anywhere. */
function listOffered(
  call: KnowledgeCall,
  { query, contentId }: CrossSellingRequest,
): readonly number[] {
  const { catalog, index, audience, matching } = call;
  if (contentId !== undefined) return listBeside(visibleOf([contentId], call));
  if (query === undefined) return listBeside(catalog.items.filter((item) => isListed(item, call)));
  const found = index.answers(query, audience, matching).map(({ id }) => id);
  return listBeside(visibleOf(found, call));
}

function listBeside(items: readonly ContentItem[]): readonly number[] {
  return [...new Set(items.flatMap(crossSellingOf))];
}

/** The item that the path names. Throws 404, also for a content that is offered nowhere. */
function itemOf(call: KnowledgeCall): ContentItem {
  const { id } = call;
  const known = /^\d{1,15}$/.test(id) && call.catalog.offeredBeside.has(Number(id));
  const [item] = known ? visibleOf([Number(id)], call) : [];
  if (item === undefined) throw refuseNotFound(`cross-selling item ${toPrintable(id)}`);
  return item;
}
