import { readTextAttribute } from "../content/attributes.ts";
import type { Category, ContentItem, LanguageContent } from "../content/types.ts";
import { createAnalyser } from "../../matching/analysis.ts";
import type { LanguageWords } from "../../matching/types.ts";
import { wordsOfHtml } from "../../locales/html-text.ts";
import { createCutter } from "./text-cuts.ts";
import type { Cutter } from "./text-cuts.ts";
import { slugsFor } from "../content/slugs.ts";

/** One language's contents, indexed for this interface whenever contents change. */
export interface Catalog {
  readonly language: string;
  /** In the edited order: by `order`, then by id. */
  readonly items: readonly ContentItem[];
  readonly byId: ReadonlyMap<number, ContentItem>;
  readonly bySlug: ReadonlyMap<string, ContentItem>;
  /** In their edited order. */
  readonly categories: readonly Category[];
  readonly questions: readonly CatalogQuestion[];
  readonly questionById: ReadonlyMap<number, CatalogQuestion>;
  readonly questionBySlug: ReadonlyMap<string, CatalogQuestion>;
  /** Maps the id of an offered content to the ids of the contents beside which it is offered. */
  readonly offeredBeside: ReadonlyMap<number, readonly number[]>;
  readonly cut: Cutter;
  /** Stop words, folded. */
  readonly stops: ReadonlySet<string>;
  /** Returns the answers of a content as one plain text. */
  readonly answerTextOf: (item: ContentItem) => string;
  /** Times at which a content appears or disappears, sorted. */
  readonly visibilityChanges: readonly number[];
}

export function createCatalog(
  language: string,
  content: LanguageContent,
  words: LanguageWords | null,
): Catalog {
  const analyser = createAnalyser(language, words);
  const items = content.items.toSorted((a, b) => a.order - b.order || a.id - b.id);
  const byId = new Map(items.map((item) => [item.id, item]));
  const questions = questionsOf(items);
  return {
    language,
    items,
    byId,
    bySlug: new Map(items.map((item) => [item.slug, item])),
    categories: content.categories.toSorted((a, b) => a.order - b.order || a.id - b.id),
    questions,
    questionById: new Map(questions.map((question) => [question.id, question])),
    questionBySlug: new Map(questions.map((question) => [question.slug, question])),
    offeredBeside: invert(items.map((item) => [item.id, crossSellingOf(item)])),
    stops: analyser.stops,
    cut: createCutter(language, analyser),
    answerTextOf: createAnswerTexts(),
    visibilityChanges: items
      .flatMap(({ publishFrom, expires }) => [publishFrom, expires])
      .filter((at) => at !== null)
      .toSorted((a, b) => a - b),
  };
}

function createAnswerTexts(): (item: ContentItem) => string {
  const cache = new WeakMap<ContentItem, string>();
  return (item) => {
    const cached = cache.get(item);
    if (cached !== undefined) return cached;
    const text = wordsOfHtml(item.answers.join(" "));
    cache.set(item, text);
    return text;
  };
}

function invert(
  pairs: readonly (readonly [number, readonly number[]])[],
): ReadonlyMap<number, readonly number[]> {
  const inverted = new Map<number, number[]>();
  for (const [from, targets] of pairs) {
    for (const to of targets) inverted.set(to, [...(inverted.get(to) ?? []), from]);
  }
  return inverted;
}

/** An alternative title of a content, with an id and a slug of its own. */
export interface CatalogQuestion {
  readonly id: number;
  readonly title: string;
  readonly slug: string;
  readonly item: ContentItem;
}

/**
 * Limit of a content's user questions. Alternatives beyond it are searched, but have no address.
 */
const MAX_QUESTIONS = 999;

/**
 * Lists the user questions of contents: each alternative title is one. Its id is the content's
 * times 1,000 plus its number among the alternatives: the third alternative of content 7 is 7003.
 * Its slug is made from its title, like a content's.
 */
function questionsOf(items: readonly ContentItem[]): readonly CatalogQuestion[] {
  const all = items.flatMap((item) =>
    item.alternatives
      .slice(0, MAX_QUESTIONS)
      .map((title, index) => ({ id: item.id * 1000 + index + 1, title, item })),
  );
  const slugs = slugsFor(all);
  return all.map((question) => ({ ...question, slug: slugs.get(question.id) ?? `${question.id}` }));
}

/** True for user questions whose titles differ in letter case only. */
export function isSameQuestion(one: CatalogQuestion, other: CatalogQuestion): boolean {
  return one.title.trim().toLowerCase() === other.title.trim().toLowerCase();
}

/** Ids of the attribute `CROSS_SELLING`, such as `"12, 15"`; anything else is ignored. */
export function crossSellingOf({ id, attributes }: ContentItem): readonly number[] {
  const ids = (readTextAttribute(attributes, "CROSS_SELLING") ?? "")
    .split(/[\s,;]+/)
    .filter((part) => /^\d{1,15}$/.test(part))
    .map(Number);
  return [...new Set(ids)].filter((other) => other !== id);
}
