import {
  contentsRequest,
  idsRequest,
  languageRequest,
  paging,
  readRequest,
} from "../../api/knowledge/schema.ts";
import type { ContentsRequest, ReadRequest } from "../../api/knowledge/schema.ts";
import { isVisible } from "../chatbot/knowledge-base.ts";
import { readTextAttribute, readTruthAttribute } from "../content/attributes.ts";
import type { ContentItem } from "../content/types.ts";
import type { Answer } from "../http/operation-routes.ts";
import { refuseNotFound, toPrintable, createErrorAnswer } from "../http/refusal.ts";
import { filterByCategories } from "./category-tree.ts";
import { recordEvent, createLog } from "./recording.ts";
import {
  createdAt,
  modifiedAt,
  toContent,
  toQuestion,
  answerContents,
  pageOf,
  toContents,
} from "./records.ts";
import {
  createKnowledgeHandler,
  isListed,
  type KnowledgeCall,
  type KnowledgeHandlers,
  type KnowledgeService,
  visibleOf,
} from "./call.ts";
import type { DecisionNode } from "../../api/knowledge/answers.ts";
import type { BackendDatabase } from "../storage/tables/database.ts";

/** Milliseconds for which a click makes a content popular: 30 days. */
export const POPULAR_FOR: number = 30 * 86_400_000;

/** Contents: lists of them, and one by its id or slug. */
export function createContentHandlers(service: KnowledgeService) {
  const on = createKnowledgeHandler(service);
  const { database, library } = service;
  const readSince = ({ catalog }: KnowledgeCall, { id }: ContentItem): number =>
    library.since(catalog.language, id);

  return {
    contents: on(contentsRequest, (call, request) => {
      const items = listContents(call, request);
      const momentOf = request.sortBy === "creationDate" ? createdAt : modifiedAt;
      const sorted =
        request.sortBy === undefined
          ? items
          : sortNewestFirst(items, (item) => momentOf(item, readSince(call, item)));
      return answerContents(sorted, call, service, request);
    }),
    contentsByIds: on(idsRequest, (call, { ids }) => ({
      results: toContents(visibleOf([...new Set(ids)], call), call, service),
    })),
    popular: on(contentsRequest, async (call, request) => {
      const among = new Map(listContents(call, request).map((item) => [item.id, item]));
      const ids = await readPopularIds(database, call.project, call.audience.now);
      const items = ids.flatMap((id) => among.get(id) ?? []);
      return answerContents(items, call, service, request);
    }),
    push: on(contentsRequest, (call, request) => {
      const items = listPushed(listContents(call, request), (item) =>
        modifiedAt(item, readSince(call, item)),
      );
      return answerContents(items, call, service, request);
    }),
    contentBySlug: on(readRequest, (call, request) => answerSlug(service, call, request)),
    content: on(readRequest, (call, request) => answerOne(service, call, contentOf(call), request)),
    related: on(paging, (call, request) =>
      answerContents(visibleOf(contentOf(call).related, call), call, service, request),
    ),
    decisionTree: on(languageRequest, (call) => ({
      results: createDecisionTree(contentOf(call), call),
    })),
    userQuestionsOf: on(paging, (call, request) => answerQuestions(service, call, request)),
  } satisfies Partial<KnowledgeHandlers>;
}

/** The content that has this slug, or leads from it to the present one. Throws 404. */
async function answerSlug(
  service: KnowledgeService,
  call: KnowledgeCall,
  request: ReadRequest,
): Promise<Answer> {
  const { id: slug } = call;
  const item = call.catalog.bySlug.get(slug);
  if (item !== undefined && isVisible(item, call.audience))
    return answerOne(service, call, item, request);
  const present = item === undefined ? await presentOf(service, call, slug) : null;
  if (present === null) throw refuseNotFound(`content with the slug ${toPrintable(slug)}`);
  return movedTo(present, call);
}

/** Answers with the questions of readers that this content answers. */
function answerQuestions(
  { random }: KnowledgeService,
  call: KnowledgeCall,
  request: Parameters<typeof pageOf>[1],
): object {
  const { id } = contentOf(call);
  const own = call.catalog.questions.filter(({ item }) => item.id === id);
  const { results, hasMore } = pageOf(own, request);
  const log = createLog(random);
  return { results: results.map((question) => toQuestion(question, log)), hasMore };
}

/** The listed contents of the categories that a call names. */
function listContents(
  call: KnowledgeCall,
  { categoryId }: ContentsRequest,
): readonly ContentItem[] {
  const items = call.catalog.items.filter((item) => isListed(item, call));
  return filterByCategories(items, categoryId);
}

/** The content that the path names. Throws 404. */
function contentOf(call: KnowledgeCall): ContentItem {
  const { id } = call;
  const [item] = /^\d{1,15}$/.test(id) ? visibleOf([Number(id)], call) : [];
  if (item === undefined) throw refuseNotFound(`content ${toPrintable(id)}`);
  return item;
}

async function answerOne(
  service: KnowledgeService,
  call: KnowledgeCall,
  item: ContentItem,
  { tracking, autocompleterClick }: ReadRequest,
): Promise<object> {
  const log = createLog(service.random);
  if (tracking) {
    const type = autocompleterClick ? "autocompleter_click" : "click";
    await recordEvent(service, call, { type, log, content: item.id, clicked: true });
  }
  return { results: [toContent(item, call, service, log)] };
}

async function presentOf(
  service: KnowledgeService,
  call: KnowledgeCall,
  slug: string,
): Promise<ContentItem | null> {
  if (!/^[a-z0-9-]{1,300}$/.test(slug)) return null;
  const id = await service.library.former(call.catalog.language, slug);
  return id === null ? null : (visibleOf([id], call)[0] ?? null);
}

/** 301 to the current slug; relative, so that it holds behind any gateway. */
function movedTo({ slug }: ContentItem, { c }: KnowledgeCall): Response {
  const { pathname, search } = new URL(c.req.url);
  const location = `${pathname.endsWith("/") ? "../" : ""}${slug}${search}`;
  const answer = createErrorAnswer(c.req.path, 301, `The content has a new slug: ${slug}`);
  answer.headers.set("location", location);
  return answer;
}

/** Limit of a tree's nodes, because chains of options may have any length. */
const MAX_NODES = 500;

/**
 * Lists a content and all contents that its options lead to, nearest first, each once even in
 * cycles.
 */
function createDecisionTree(root: ContentItem, call: KnowledgeCall): readonly DecisionNode[] {
  const nodes = new Map<number, DecisionNode>();
  const open = [root];
  for (let item = open.shift(); item !== undefined && nodes.size < MAX_NODES; item = open.shift()) {
    if (nodes.has(item.id)) continue;
    const { id, title, slug } = item;
    const options = item.options.filter(({ content }) => visibleOf([content], call).length > 0);
    nodes.set(id, {
      id,
      title,
      slug,
      options: options.map(({ label, content }) => ({ label, contentId: content })),
    });
    open.push(
      ...visibleOf(
        options.map(({ content }) => content),
        call,
      ),
    );
  }
  return [...nodes.values()];
}

/**
 * Reads the ids of contents by recorded clicks, the most clicked first. Equal counts are ordered by
 * id.
 */
async function readPopularIds(
  { kysely }: BackendDatabase,
  project: string,
  now: number,
): Promise<readonly number[]> {
  const rows = await kysely
    .selectFrom("knowledge_events")
    .select((builder) => ["content", builder.fn.countAll<number>().as("clicks")])
    .where("project", "=", project)
    .where("clicked", "=", 1)
    .where("content", "is not", null)
    .where("at", ">", now - POPULAR_FOR)
    .groupBy("content")
    .orderBy("clicks", "desc")
    .orderBy("content")
    .execute();
  return rows.flatMap(({ content }) => (content === null ? [] : [content]));
}

/**
 * Lists the contents with the attribute PUSH by its number, lowest first, then those where it is only
 * true. If none has it, all are listed, the newest first.
 */
function listPushed(
  items: readonly ContentItem[],
  modified: (item: ContentItem) => number,
): readonly ContentItem[] {
  const placed = items.flatMap((item) => {
    const place = placeOf(item);
    return place === null ? [] : [{ item, place }];
  });
  if (placed.length > 0) {
    return placed.toSorted((a, b) => a.place - b.place).map(({ item }) => item);
  }
  return sortNewestFirst(items, modified);
}

function sortNewestFirst(
  items: readonly ContentItem[],
  moment: (item: ContentItem) => number,
): readonly ContentItem[] {
  return items.toSorted((a, b) => moment(b) - moment(a) || a.id - b.id);
}

function placeOf({ attributes }: ContentItem): number | null {
  const written = readTextAttribute(attributes, "PUSH")?.trim() ?? "";
  if (/^\d{1,9}$/.test(written)) return Number(written) === 0 ? null : Number(written);
  return readTruthAttribute(attributes, "PUSH") === true ? Number.MAX_SAFE_INTEGER : null;
}
