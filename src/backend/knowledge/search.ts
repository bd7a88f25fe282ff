import { LRUCache } from "lru-cache";
import type { QueryPart, MatchedField, MatchingDetails } from "../../api/knowledge/answers.ts";
import type { SearchRequest } from "../../api/knowledge/schema.ts";
import type { ContentItem } from "../content/types.ts";
import type { Hit } from "../../matching/types.ts";
import { isFiledIn } from "./category-tree.ts";
import type { Catalog } from "./catalog.ts";
import { soughtIn, countFound, highlight, cutMatchingPassage, cutPassage } from "./highlight.ts";
import type { QueryWords } from "./highlight.ts";
import { splitQuery } from "./split-query.ts";
import { isListed } from "./call.ts";
import type { KnowledgeCall } from "./call.ts";
import type { Cut, Cutter } from "./text-cuts.ts";

/** The results of a search, without codes, so that they can be cached. */
export interface SearchFindings {
  readonly found: readonly FoundContentItem[];
  /** Null if the query was not split. */
  readonly parts: readonly QueryPart[] | null;
}

export interface FoundContentItem {
  readonly item: ContentItem;
  readonly score: number;
  readonly details: Details;
}

export type Search = (call: KnowledgeCall, request: SearchRequest) => SearchFindings;

/**
 * Creates a search that caches results until contents change, or until one of them appears or
 * expires.
 */
export function createKnowledgeSearch(): Search {
  const cache = new LRUCache<string, CachedFindings>({ max: 2000 });
  let cachedFor: Pick<KnowledgeCall, "base" | "content"> | null = null;
  return (call, request) => {
    const { catalog, audience } = call;
    const { tracking: _, lang: __, ...criteria } = request;
    const { environment, userType, now } = audience;
    const key = JSON.stringify([catalog.language, environment, userType, criteria]);
    const until = catalog.visibilityChanges.find((at) => at > now) ?? Infinity;
    if (cachedFor?.base !== call.base || cachedFor.content !== call.content) {
      cache.clear();
      cachedFor = { base: call.base, content: call.content };
    }
    const cached = cache.get(key);
    if (cached !== undefined && now < cached.until) return cached.found;
    const found = findContents(call, request);
    cache.set(key, { until, found });
    return found;
  };
}

interface CachedFindings {
  /** When the contents that are shown change, in milliseconds since the epoch. */
  readonly until: number;
  readonly found: SearchFindings;
}

function findContents(call: KnowledgeCall, request: SearchRequest): SearchFindings {
  const { query, length = 5, splitQuery: split, splitQueriesLimit: limit = 5 } = request;
  const typing = request.type?.trim().toLowerCase() === "instant";
  const { byId, items } = call.catalog;
  const isFiled = isFiledIn(request.categoryId, call.catalog);
  const isEligible = (item: ContentItem): boolean => isListed(item, call) && isFiled(item);
  const findEligible = (id: number): ContentItem | null => {
    const item = byId.get(id);
    return item !== undefined && isEligible(item) ? item : null;
  };
  const answersOf = (text: string, most?: number): readonly Hit[] =>
    call.index
      .answers(text, call.audience, call.matching, most)
      .filter(({ id }) => findEligible(id) !== null);
  const hitsOf = (text: string): readonly Hit[] => {
    // Contents of other categories are removed afterwards, so all hits are needed then.
    const most = split && request.categoryId === undefined ? Math.max(FEW, length) : undefined;
    const good = answersOf(text, most);
    return good.length === 0 && typing ? findBeginning(text, items.filter(isEligible)) : good;
  };
  const { language, stops } = call.catalog;
  const findBest = (text: string): Hit | null => answersOf(text, FEW)[0] ?? null;
  const texts = split ? splitQuery(query, { language, stops, limit, findBest }) : [query];
  const answered = texts.map((text) => ({ text, hits: hitsOf(text) }));
  const soughtBy = createSought(call.catalog, typing);
  const found = mergeHits(answered)
    .slice(0, length)
    .flatMap(({ id, score, exact, text }): readonly FoundContentItem[] => {
      const item = findEligible(id);
      if (item === null) return [];
      const of = { query: text, sought: soughtBy(text), exact, abstract: request.dynabs };
      const details = detailsOf(item, of, call.catalog);
      return [{ item, score, details }];
    });
  const shown = new Set(found.map(({ item }) => item.id));
  const parts = answered.map(({ text, hits }) => ({
    query: text,
    results: hits.map(({ id }) => id).filter((id) => shown.has(id)),
  }));
  return { found, parts: split ? parts : null };
}

/** Hits to look at when only the best is needed, since some may be in other categories. */
const FEW = 8;

/** Creates a function that looks up the terms of each part of a query once. */
function createSought({ cut }: Catalog, typing: boolean): (text: string) => QueryWords {
  const known = new Map<string, QueryWords>();
  return (text) => {
    const sought = known.get(text) ?? soughtIn(text, cut, typing);
    known.set(text, sought);
    return sought;
  };
}

type Answered = { readonly text: string; readonly hits: readonly Hit[] };

/** Takes hits from each part in turn, the best first, and each content once. */
function mergeHits(answered: readonly Answered[]): readonly (Hit & { readonly text: string })[] {
  const found = new Map<number, Hit & { readonly text: string }>();
  const most = Math.max(0, ...answered.map(({ hits }) => hits.length));
  for (let rank = 0; rank < most; rank += 1) {
    for (const { text, hits } of answered) {
      const hit = hits[rank];
      if (hit !== undefined && !found.has(hit.id)) found.set(hit.id, { ...hit, text });
    }
  }
  return [...found.values()];
}

/**
 * Finds contents for autocompletion: one of their titles has, for each typed word, a word that
 * begins with it.
 */
function findBeginning(text: string, items: readonly ContentItem[]): readonly Hit[] {
  const starts = wordsOf(text);
  if (starts.length === 0) return [];
  const begins = (words: readonly string[]): boolean =>
    starts.every((start) => words.some((word) => word.startsWith(start)));
  return items
    .filter((item) => titleWordsOf(item).some(begins))
    .map(({ id }) => ({ id, score: 0.5, exact: false }));
}

/** Splits the titles of a content into words, once. */
function titleWordsOf(item: ContentItem): readonly (readonly string[])[] {
  const known = titleWords.get(item) ?? [item.title, ...item.alternatives].map(wordsOf);
  titleWords.set(item, known);
  return known;
}

const titleWords = new WeakMap<ContentItem, readonly (readonly string[])[]>();

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

interface Details {
  readonly titleHighlight: string;
  readonly matchingDetails: MatchingDetails;
  /** HTML excerpt around the first matching word, else the beginning; null unless requested. */
  readonly abstract: string | null;
}

interface DetailsRequest {
  readonly query: string;
  /** The words of the query. */
  readonly sought: QueryWords;
  /** True when a phrase of the content is the query. */
  readonly exact: boolean;
  readonly abstract: boolean;
}

/** Finds the query's words in the title, alternative titles and answer of a content. */
function detailsOf(
  item: ContentItem,
  { query, sought, exact, abstract }: DetailsRequest,
  { cut, answerTextOf }: Catalog,
): Details {
  const title = highlight(cut(item.title), sought);
  const part = (abstract ? cutPassage : cutMatchingPassage)(answerTextOf(item), sought, cut);
  const answer = part === null ? noMatch : highlight(part, sought);
  const best = findBestAlternative(item, sought, cut);
  const alternative = best === null ? noMatch : highlight(best, sought);
  const all: readonly [MatchedField, typeof title][] = [
    ["title", title],
    ["alternativeTitle", alternative],
    ["answer", answer],
  ];
  const matched = all.filter(([, { stems }]) => stems.size > 0);
  const found = new Set(matched.flatMap(([, { stems }]) => [...stems]));
  return {
    titleHighlight: title.html,
    matchingDetails: {
      fields: matched.map(([field]) => field),
      exact,
      words: [...found].map((stem) => sought.stems.get(stem) ?? stem),
      highlights: Object.fromEntries(matched.map(([field, { html }]) => [field, html])),
      query,
    },
    abstract: abstract ? answer.html : null,
  };
}

/** Finds the alternative title with the most matches; null if none has any. */
function findBestAlternative(item: ContentItem, sought: QueryWords, cut: Cutter): Cut | null {
  let best: Cut | null = null;
  let most = 0;
  for (const title of item.alternatives) {
    const one = cut(title);
    const count = countFound(one, sought);
    if (count > most) [best, most] = [one, count];
  }
  return best;
}

const noMatch: ReturnType<typeof highlight> = { html: "", stems: new Set() };
