import { Hono } from "hono";
import { contentRoutes } from "./content-routes.ts";
import { dataRoutes } from "./data-routes.ts";
import { createLibrary } from "./library.ts";
import { searchRoutes } from "./search-routes.ts";
import { createSessions } from "./sessions.ts";
import { trackingRoutes } from "./tracking-routes.ts";
import {
  type Desk,
  isListed,
  visiting,
  type Visit,
  visibleOf,
  type KnowledgeOptions,
} from "./visit.ts";
import {
  paging,
  treeRequest,
  languageRequest,
  crossSellingRequest,
  readRequest,
  type CrossSellingRequest,
} from "../../api/knowledge/schema.ts";
import { notFound, shown } from "../refusal.ts";
import { categoryTree, counted, ROOT } from "./category-tree.ts";
import { toQuestion, toCrossSelling, contentsPage, pageOf } from "./records.ts";
import { sameQuestion, type Question, crossSellingOf } from "./catalog.ts";
import type { ContentItem } from "../content/types.ts";
import { record, newLog } from "./recording.ts";

const parts = [
  trackingRoutes,
  searchRoutes,
  contentRoutes,
  categoryRoutes,
  userQuestionRoutes,
  crossSellingRoutes,
  dataRoutes,
];

/** Knowledge (seed.md 6; knowledge.md), relative to `/v1` of the product. */
export function knowledgeRoutes(options: KnowledgeOptions): Hono {
  const { database, content, now } = options;
  const report = options.report ?? (() => undefined);
  const desk: Desk = {
    ...options,
    library: createLibrary({ content, database, now, report }),
    sessions: createSessions(options),
  };
  const routes = new Hono({ strict: false });
  for (const part of parts) routes.route("/", part(desk));
  return routes;
}

/** Categories, as a flat list with parents and children. */
function categoryRoutes(desk: Desk): Hono {
  const routes = new Hono({ strict: false });

  routes.get(
    "/categories",
    visiting(desk, "knowledge.categories", treeRequest, async (visit, { maxDepth }) =>
      answer(visit, ROOT, maxDepth),
    ),
  );
  routes.get(
    "/categories/slug/:slug",
    visiting(desk, "knowledge.categoryBySlug", treeRequest, async (visit, { maxDepth }) => {
      const slug = visit.c.req.param("slug") ?? "";
      const id = categoryTree(visit.catalog).bySlug(slug);
      if (id === null) throw notFound(`category with the slug ${shown(slug)}`);
      return answer(visit, id, maxDepth);
    }),
  );
  routes.get(
    "/categories/:id",
    visiting(desk, "knowledge.category", treeRequest, async (visit, { maxDepth }) =>
      answer(visit, categoryOf(visit), maxDepth),
    ),
  );
  routes.get(
    "/categories/:id/contents",
    visiting(desk, "knowledge.categoryContents", paging, async (visit, request) => {
      const id = categoryOf(visit);
      const items = visit.catalog.items.filter(
        (item) =>
          isListed(item, visit) &&
          (id === ROOT ? item.categories.length === 0 : item.categories.includes(id)),
      );
      return contentsPage(items, visit, desk, request);
    }),
  );
  return routes;
}

/** The category that the path names. Throws 404. */
function categoryOf({ c, catalog }: Visit): number {
  const id = c.req.param("id") ?? "";
  if (/^\d{1,15}$/.test(id) && categoryTree(catalog).has(Number(id))) return Number(id);
  throw notFound(`category ${shown(id)}`);
}

function answer(visit: Visit, id: number, maxDepth: number): Response {
  const tree = categoryTree(visit.catalog);
  const items = visit.catalog.items.filter((item) => isListed(item, visit));
  return Response.json({ results: counted(tree.below(id, maxDepth), tree, items) });
}

/** User questions, and the contents that each asks for. */
function userQuestionRoutes(desk: Desk): Hono {
  const routes = new Hono({ strict: false });
  const one = (question: Question): Response =>
    Response.json({ results: [toQuestion(question, newLog(desk.random))] });

  routes.get(
    "/user-questions",
    visiting(desk, "knowledge.userQuestions", paging, async (visit, request) => {
      const all = visit.catalog.questions.filter(({ item }) => isListed(item, visit));
      const { results, hasMore } = pageOf(all, request);
      const log = newLog(desk.random);
      return Response.json({
        results: results.map((question) => toQuestion(question, log)),
        hasMore,
      });
    }),
  );
  routes.get(
    "/user-questions/slug/:slug",
    visiting(desk, "knowledge.userQuestionBySlug", languageRequest, async (visit) => {
      const slug = visit.c.req.param("slug") ?? "";
      return one(found(visit, visit.catalog.questionBySlug.get(slug), slug));
    }),
  );
  routes.get(
    "/user-questions/:id",
    visiting(desk, "knowledge.userQuestion", languageRequest, async (visit) =>
      one(questionOf(visit)),
    ),
  );
  const contents = visiting(
    desk,
    "knowledge.contentsOfUserQuestion",
    paging,
    async (visit, request) => {
      const question = questionOf(visit);
      const items = visit.catalog.questions
        .filter((other) => sameQuestion(question, other) && isListed(other.item, visit))
        .map(({ item }) => item);
      return contentsPage([...new Set([question.item, ...items])], visit, desk, request);
    },
  );
  routes.get("/user-questions/:id/contents", contents);
  routes.get("/user-question/:id/contents", contents);
  return routes;
}

function questionOf(visit: Visit): Question {
  const id = visit.c.req.param("id") ?? "";
  const known = /^\d{1,15}$/.test(id) ? visit.catalog.questionById.get(Number(id)) : undefined;
  return found(visit, known, id);
}

/** Throws 404 for a question of a content that this reader does not get to see. */
function found(visit: Visit, question: Question | undefined, asked: string): Question {
  if (question !== undefined && isListed(question.item, visit)) return question;
  throw notFound(`user question ${shown(asked)}`);
}

/** Cross-selling: contents offered beside those with `CROSS_SELLING`, under the offered id. */
function crossSellingRoutes(desk: Desk): Hono {
  const routes = new Hono({ strict: false });

  routes.get(
    "/cross-selling/search",
    visiting(desk, "knowledge.searchCrossSelling", crossSellingRequest, async (visit, request) => {
      const items = visibleOf(offered(visit, request), visit);
      const { results, hasMore } = pageOf(items, request);
      const log = newLog(desk.random);
      if (request.tracking) {
        await record(desk, visit, {
          type: "cross_selling_search",
          log,
          query: request.query ?? null,
          content: request.contentId ?? null,
          found: items.length,
          data: { results: results.map(({ id }) => id) },
        });
      }
      return Response.json({
        results: results.map((item) => toCrossSelling(item, visit, desk, log)),
        hasMore,
      });
    }),
  );
  routes.get(
    "/cross-selling/:id",
    visiting(desk, "knowledge.crossSelling", readRequest, async (visit, { tracking }) => {
      const item = itemOf(visit);
      const log = newLog(desk.random);
      if (tracking) {
        const event = { type: "click_cross_selling", log, content: item.id, clicked: true };
        await record(desk, visit, event);
      }
      return Response.json({ results: [toCrossSelling(item, visit, desk, log)] });
    }),
  );
  return routes;
}

/** What is offered beside the contents that a query finds, beside one content, or anywhere. */
function offered(visit: Visit, { query, contentId }: CrossSellingRequest): readonly number[] {
  const { catalog, shelf, audience } = visit;
  if (contentId !== undefined) return beside(visibleOf([contentId], visit));
  if (query === undefined) return beside(catalog.items.filter((item) => isListed(item, visit)));
  const found = shelf.answers(query, audience).map(({ id }) => id);
  return beside(visibleOf(found, visit));
}

function beside(items: readonly ContentItem[]): readonly number[] {
  return [...new Set(items.flatMap(crossSellingOf))];
}

/** The item that the path names. Throws 404, also for a content that is offered nowhere. */
function itemOf(visit: Visit): ContentItem {
  const id = visit.c.req.param("id") ?? "";
  const known = /^\d{1,15}$/.test(id) && visit.catalog.offeredBeside.has(Number(id));
  const [item] = known ? visibleOf([Number(id)], visit) : [];
  if (item === undefined) throw notFound(`cross-selling item ${shown(id)}`);
  return item;
}
