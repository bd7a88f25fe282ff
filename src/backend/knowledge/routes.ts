import { Hono } from "hono";
import { createContentRoutes } from "./content-routes.ts";
import { createDataRoutes } from "./data-routes.ts";
import { createLibrary } from "./library.ts";
import { searchRoutes } from "./search-routes.ts";
import { createSessions } from "./sessions.ts";
import { createTrackingRoutes } from "./tracking-routes.ts";
import {
  type KnowledgeService,
  isListed,
  handleKnowledge,
  type KnowledgeCall,
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

const parts = [
  createTrackingRoutes,
  searchRoutes,
  createContentRoutes,
  createCategoryRoutes,
  createUserQuestionRoutes,
  createCrossSellingRoutes,
  createDataRoutes,
];

/** Knowledge (seed.md 6; knowledge.md), relative to `/v1` of the product. */
export function createKnowledgeRoutes(options: KnowledgeOptions): Hono {
  const { database, content, words, now } = options;
  const report = options.report ?? (() => undefined);
  const service: KnowledgeService = {
    ...options,
    report,
    library: createLibrary({ content, words, database, now, report }),
    sessions: createSessions(options),
  };
  const routes = new Hono({ strict: false });
  for (const part of parts) routes.route("/", part(service));
  return routes;
}

/** Categories, as a flat list with parents and children. */
function createCategoryRoutes(service: KnowledgeService): Hono {
  const routes = new Hono({ strict: false });

  routes.get(
    "/categories",
    handleKnowledge(service, "knowledge.categories", treeRequest, async (call, { maxDepth }) =>
      answer(call, ROOT, maxDepth),
    ),
  );
  routes.get(
    "/categories/slug/:slug",
    handleKnowledge(
      service,
      "knowledge.categoryBySlug",
      treeRequest,
      async (call, { maxDepth }) => {
        const slug = call.c.req.param("slug") ?? "";
        const id = createCategoryTree(call.catalog).bySlug(slug);
        if (id === null) throw refuseNotFound(`category with the slug ${toPrintable(slug)}`);
        return answer(call, id, maxDepth);
      },
    ),
  );
  routes.get(
    "/categories/:id",
    handleKnowledge(service, "knowledge.category", treeRequest, async (call, { maxDepth }) =>
      answer(call, categoryOf(call), maxDepth),
    ),
  );
  routes.get(
    "/categories/:id/contents",
    handleKnowledge(service, "knowledge.categoryContents", paging, async (call, request) => {
      const id = categoryOf(call);
      const items = call.catalog.items.filter(
        (item) =>
          isListed(item, call) &&
          (id === ROOT ? item.categories.length === 0 : item.categories.includes(id)),
      );
      return answerContents(items, call, service, request);
    }),
  );
  return routes;
}

/** The category that the path names. Throws 404. */
function categoryOf({ c, catalog }: KnowledgeCall): number {
  const id = c.req.param("id") ?? "";
  if (/^\d{1,15}$/.test(id) && createCategoryTree(catalog).has(Number(id))) return Number(id);
  throw refuseNotFound(`category ${toPrintable(id)}`);
}

function answer(call: KnowledgeCall, id: number, maxDepth: number): Response {
  const tree = createCategoryTree(call.catalog);
  const items = call.catalog.items.filter((item) => isListed(item, call));
  return Response.json({ results: countCategories(tree.below(id, maxDepth), tree, items) });
}

/** User questions, and the contents that each asks for. */
function createUserQuestionRoutes(service: KnowledgeService): Hono {
  const routes = new Hono({ strict: false });
  const answerOne = (question: CatalogQuestion): Response =>
    Response.json({ results: [toQuestion(question, createLog(service.random))] });

  routes.get(
    "/user-questions",
    handleKnowledge(service, "knowledge.userQuestions", paging, async (call, request) => {
      const all = call.catalog.questions.filter(({ item }) => isListed(item, call));
      const { results, hasMore } = pageOf(all, request);
      const log = createLog(service.random);
      return Response.json({
        results: results.map((question) => toQuestion(question, log)),
        hasMore,
      });
    }),
  );
  routes.get(
    "/user-questions/slug/:slug",
    handleKnowledge(service, "knowledge.userQuestionBySlug", languageRequest, async (call) => {
      const slug = call.c.req.param("slug") ?? "";
      return answerOne(requireFound(call, call.catalog.questionBySlug.get(slug), slug));
    }),
  );
  routes.get(
    "/user-questions/:id",
    handleKnowledge(service, "knowledge.userQuestion", languageRequest, async (call) =>
      answerOne(questionOf(call)),
    ),
  );
  const contents = handleKnowledge(
    service,
    "knowledge.contentsOfUserQuestion",
    paging,
    async (call, request) => {
      const question = questionOf(call);
      const items = call.catalog.questions
        .filter((other) => isSameQuestion(question, other) && isListed(other.item, call))
        .map(({ item }) => item);
      return answerContents([...new Set([question.item, ...items])], call, service, request);
    },
  );
  routes.get("/user-questions/:id/contents", contents);
  routes.get("/user-question/:id/contents", contents);
  return routes;
}

function questionOf(call: KnowledgeCall): CatalogQuestion {
  const id = call.c.req.param("id") ?? "";
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
function createCrossSellingRoutes(service: KnowledgeService): Hono {
  const routes = new Hono({ strict: false });

  routes.get(
    "/cross-selling/search",
    handleKnowledge(
      service,
      "knowledge.searchCrossSelling",
      crossSellingRequest,
      async (call, request) => {
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
        return Response.json({
          results: results.map((item) => toCrossSelling(item, call, service, log)),
          hasMore,
        });
      },
    ),
  );
  routes.get(
    "/cross-selling/:id",
    handleKnowledge(service, "knowledge.crossSelling", readRequest, async (call, { tracking }) => {
      const item = itemOf(call);
      const log = createLog(service.random);
      if (tracking) {
        const event = { type: "click_cross_selling", log, content: item.id, clicked: true };
        await recordEvent(service, call, event);
      }
      return Response.json({ results: [toCrossSelling(item, call, service, log)] });
    }),
  );
  return routes;
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
  const id = call.c.req.param("id") ?? "";
  const known = /^\d{1,15}$/.test(id) && call.catalog.offeredBeside.has(Number(id));
  const [item] = known ? visibleOf([Number(id)], call) : [];
  if (item === undefined) throw refuseNotFound(`cross-selling item ${toPrintable(id)}`);
  return item;
}
