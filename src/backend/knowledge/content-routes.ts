import { Hono } from "hono";
import {
  contentsRequest,
  idsRequest,
  languageRequest,
  paging,
  readRequest,
} from "../../api/knowledge/schema.ts";
import type { ContentsRequest, ReadRequest } from "../../api/knowledge/schema.ts";
import { isVisible } from "../chatbot/knowledge-base.ts";
import type { ContentItem } from "../content/types.ts";
import { notFound, shown, errorAnswer } from "../refusal.ts";
import { inCategories } from "./category-tree.ts";
import { newestFirst, popularIds, pushed } from "./popular.ts";
import { record, newLog } from "./recording.ts";
import {
  createdAt,
  modifiedAt,
  toContent,
  toQuestion,
  contentsPage,
  pageOf,
  toContents,
} from "./records.ts";
import { isListed, visibleOf, visiting } from "./visit.ts";
import type { Desk, Visit } from "./visit.ts";
import type { DecisionNode } from "../../api/knowledge/answers.ts";

/** Contents: lists of them, and one by its id or slug. */
export function contentRoutes(desk: Desk): Hono {
  const { database, library } = desk;
  const routes = new Hono({ strict: false });
  const since = ({ catalog }: Visit, { id }: ContentItem): number =>
    library.since(catalog.language, id);

  routes.get(
    "/contents",
    visiting(desk, "knowledge.contents", contentsRequest, async (visit, request) => {
      const items = listed(visit, request);
      const momentOf = request.sortBy === "creationDate" ? createdAt : modifiedAt;
      const sorted =
        request.sortBy === undefined
          ? items
          : newestFirst(items, (item) => momentOf(item, since(visit, item)));
      return contentsPage(sorted, visit, desk, request);
    }),
  );
  routes.get(
    "/contents/ids",
    visiting(desk, "knowledge.contentsByIds", idsRequest, async (visit, { ids }) => {
      const items = visibleOf([...new Set(ids)], visit);
      return Response.json({ results: toContents(items, visit, desk) });
    }),
  );
  routes.get(
    "/contents/popular",
    visiting(desk, "knowledge.popular", contentsRequest, async (visit, request) => {
      const among = new Map(listed(visit, request).map((item) => [item.id, item]));
      const ids = await popularIds(database, visit.project, visit.audience.now);
      const items = ids.flatMap((id) => among.get(id) ?? []);
      return contentsPage(items, visit, desk, request);
    }),
  );
  routes.get(
    "/contents/push",
    visiting(desk, "knowledge.push", contentsRequest, async (visit, request) => {
      const items = pushed(listed(visit, request), (item) => modifiedAt(item, since(visit, item)));
      return contentsPage(items, visit, desk, request);
    }),
  );
  routes.get(
    "/contents/slug/:slug",
    visiting(desk, "knowledge.contentBySlug", readRequest, async (visit, request) => {
      const slug = visit.c.req.param("slug") ?? "";
      const item = visit.catalog.bySlug.get(slug);
      if (item !== undefined && isVisible(item, visit.audience)) {
        return one(desk, visit, item, request);
      }
      const present = item === undefined ? await presentOf(desk, visit, slug) : null;
      if (present === null) throw notFound(`content with the slug ${shown(slug)}`);
      return movedTo(present, visit);
    }),
  );
  routes.get(
    "/contents/:id",
    visiting(desk, "knowledge.content", readRequest, async (visit, request) =>
      one(desk, visit, contentOf(visit), request),
    ),
  );
  routes.get(
    "/contents/:id/related",
    visiting(desk, "knowledge.related", paging, async (visit, request) =>
      contentsPage(visibleOf(contentOf(visit).related, visit), visit, desk, request),
    ),
  );
  routes.get(
    "/contents/:id/decision-tree",
    visiting(desk, "knowledge.decisionTree", languageRequest, async (visit) =>
      Response.json({ results: decisionTree(contentOf(visit), visit) }),
    ),
  );
  const userQuestions = visiting(
    desk,
    "knowledge.userQuestionsOf",
    paging,
    async (visit, request) => {
      const { id } = contentOf(visit);
      const own = visit.catalog.questions.filter(({ item }) => item.id === id);
      const { results, hasMore } = pageOf(own, request);
      const log = newLog(desk.random);
      return Response.json({
        results: results.map((question) => toQuestion(question, log)),
        hasMore,
      });
    },
  );
  routes.get("/contents/:id/user-questions", userQuestions);
  routes.get("/content/:id/user-questions", userQuestions);
  return routes;
}

/** What stands in lists, of the categories that a call names. */
function listed(visit: Visit, { categoryId }: ContentsRequest): readonly ContentItem[] {
  const items = visit.catalog.items.filter((item) => isListed(item, visit));
  return inCategories(items, categoryId);
}

/** The content that the path names. Throws 404. */
function contentOf(visit: Visit): ContentItem {
  const id = visit.c.req.param("id") ?? "";
  const [item] = /^\d{1,15}$/.test(id) ? visibleOf([Number(id)], visit) : [];
  if (item === undefined) throw notFound(`content ${shown(id)}`);
  return item;
}

async function one(
  desk: Desk,
  visit: Visit,
  item: ContentItem,
  { tracking, autocompleterClick }: ReadRequest,
): Promise<Response> {
  const log = newLog(desk.random);
  if (tracking) {
    const type = autocompleterClick ? "autocompleter_click" : "click";
    await record(desk, visit, { type, log, content: item.id, clicked: true });
  }
  return Response.json({ results: [toContent(item, visit, desk, log)] });
}

async function presentOf(desk: Desk, visit: Visit, slug: string): Promise<ContentItem | null> {
  if (!/^[a-z0-9-]{1,300}$/.test(slug)) return null;
  const id = await desk.library.former(visit.catalog.language, slug);
  return id === null ? null : (visibleOf([id], visit)[0] ?? null);
}

/** 301 to the current slug; relative, so that it holds behind any gateway. */
function movedTo({ slug }: ContentItem, { c }: Visit): Response {
  const { pathname, search } = new URL(c.req.url);
  const location = `${pathname.endsWith("/") ? "../" : ""}${slug}${search}`;
  const answer = errorAnswer(c.req.path, 301, `The content has a new slug: ${slug}`);
  answer.headers.set("location", location);
  return answer;
}

/** Nodes of a tree at most: chains may lead anywhere. */
const MOST = 500;

/** A content and all its options lead to, nearest first, each once even in cycles. */
function decisionTree(root: ContentItem, visit: Visit): readonly DecisionNode[] {
  const nodes = new Map<number, DecisionNode>();
  const open = [root];
  for (let item = open.shift(); item !== undefined && nodes.size < MOST; item = open.shift()) {
    if (nodes.has(item.id)) continue;
    const { id, title, slug } = item;
    const options = item.options.filter(({ content }) => visibleOf([content], visit).length > 0);
    nodes.set(id, {
      id,
      title,
      slug,
      options: options.map(({ label, content }) => ({ label, contentId: content })),
    });
    open.push(
      ...visibleOf(
        options.map(({ content }) => content),
        visit,
      ),
    );
  }
  return [...nodes.values()];
}
