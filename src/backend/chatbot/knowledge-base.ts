import type {
  AppDatum,
  Content,
  ContentItem,
  Customized,
  EngineTexts,
  LanguageContent,
} from "../content/types.ts";
import type {
  Hit,
  MatchingSettings,
  SearchResult,
  Matcher,
  Searchable,
  WordsOf,
} from "../../matching/types.ts";
import { findOfferScore } from "../../matching/types.ts";
import { isTagShaped } from "../../locales/tag.ts";
import type { Project } from "./projects.ts";
import { buildMatcher, createMatcher } from "../../matching/matcher.ts";

const aliases: ReadonlyMap<string, string> = new Map([
  ["nb", "no"],
  ["nn", "no"],
  ["iw", "he"],
  ["in", "id"],
]);

/**
 * The language of `known` that a language code means: any letter case, with or without a region
 * (`fr-FR` is `fr`). Null for a code that means none of them, or is no code at all. `known` holds
 * lower-case tags.
 *
 * @example
 * knownLanguage("fr-FR", new Set(["en", "fr"])); // "fr"
 */
export function findKnownLanguage(code: string | null, known: ReadonlySet<string>): string | null {
  const tag = (code ?? "").trim().toLowerCase().replaceAll("_", "-");
  if (tag.length > 35 || !isTagShaped(tag)) return null;
  const subtags = tag.split("-");
  for (let length = subtags.length; length > 0; length--) {
    const candidate = subtags.slice(0, length).join("-");
    const found = aliases.get(candidate) ?? candidate;
    if (known.has(found)) return found;
  }
  return null;
}

/** The contents of one language, ready to be searched. */
export interface ContentIndex {
  readonly language: string;
  readonly byId: ReadonlyMap<number, ContentItem>;
  readonly byDirectCall: ReadonlyMap<string, ContentItem>;
  readonly customized: Customized;
  /** Finds the contents that a question asks for, among those that this audience may find. */
  search(question: string, audience: Audience): SearchResult;
  /** The hits of `search` that are answered or offered. */
  answers(
    question: string,
    audience: Audience,
    matching: MatchingSettings,
    most?: number,
  ): readonly Hit[];
  /** Like `search`, but only among these contents. */
  among(question: string, ids: readonly number[]): SearchResult;
}

/** Content as conversations use it. */
export interface KnowledgeBase {
  readonly appData: ReadonlyMap<string, readonly AppDatum[]>;
  /** The languages that the engine has its own lines in. */
  readonly languages: readonly string[];
  /** Finds the language for a client's code; the project's own for unknown codes. */
  language(code: string | null, project: Project): string;
  /** The contents of the conversation's language, else the project's, else English, else any. */
  index(language: string, project: Project): ContentIndex;
  /** The engine's own lines in a conversation's language, else in English. */
  texts(language: string): EngineTexts;
}

/** Builds everything that conversations look up, once per content. */
export function createKnowledgeBase(content: Content, matchers: Matchers): KnowledgeBase {
  const indexes = new Map<string, ContentIndex>(
    [...content.languages].map(([language, one]) => [language, indexOf(language, one, matchers)]),
  );
  if (indexes.size === 0) indexes.set("en", indexOf("en", nothing, matchers));
  const indexed = new Set(indexes.keys());
  const spoken = new Set(content.texts.keys());
  const all = new Set([...indexed, ...spoken]);
  const english = content.texts.get("en");
  if (english === undefined) throw new Error("unreachable: content is loaded with English texts");

  return {
    appData: content.appData,
    languages: [...spoken],
    language: (code, project) =>
      findKnownLanguage(code, all) ?? findKnownLanguage(project.language, all) ?? "en",
    index(language, project) {
      const found =
        findKnownLanguage(language, indexed) ??
        findKnownLanguage(project.language, indexed) ??
        findKnownLanguage("en", indexed) ??
        [...indexed][0];
      const index = indexes.get(found ?? "");
      if (index === undefined) throw new Error("unreachable: there is always a index");
      return index;
    },
    texts: (language) => content.texts.get(findKnownLanguage(language, spoken) ?? "en") ?? english,
  };
}

const nothing: LanguageContent = { items: [], categories: [], customized: {}, synonyms: [] };

/** Lists the contents that questions are searched in, in every language of a content. */
export function searchedIn({ languages }: Content): readonly Searched[] {
  return [...languages].map(([language, content]) => searchedOf(language, content));
}

/**
 * Returns the same object for the same contents, because prepared matchers are kept by that key.
 */
function searchedOf(language: string, content: LanguageContent): Searched {
  const before = searchedBefore.get(content);
  if (before?.language === language) return before;
  const searchables = content.items
    .filter(isFindable)
    .map(({ id, title, alternatives }) => ({ id, phrases: [title, ...alternatives] }));
  const searched = { language, searchables, synonyms: content.synonyms };
  searchedBefore.set(content, searched);
  return searched;
}

const searchedBefore = new WeakMap<LanguageContent, Searched>();

function isFindable({ published, hidden }: ContentItem): boolean {
  return published && !hidden;
}

// High enough to include all contents with the same phrase.
const maxHits = 50;

function indexOf(language: string, content: LanguageContent, matchers: Matchers): ContentIndex {
  const { items, customized } = content;
  const findable = items.filter(isFindable);
  const restricted = findable.filter(isRestricted);
  const matcher = matchers.for(searchedOf(language, content));
  /** Null when every reader may find all of them at any time. */
  const findableBy = (audience: Audience): readonly number[] | null => {
    const away = restricted.filter((item) => !isVisible(item, audience));
    if (away.length === 0) return null;
    const ids = new Set(findable.map(({ id }) => id));
    for (const { id } of away) ids.delete(id);
    return [...ids];
  };
  const search = (question: string, audience: Audience, most = maxHits): SearchResult => {
    const ids = findableBy(audience);
    return ids === null ? matcher.search(question, most) : matcher.within(question, ids, most);
  };
  return {
    language,
    byId: new Map(items.map((item) => [item.id, item])),
    byDirectCall: new Map(
      items.flatMap((item) => (item.directCall === null ? [] : [[item.directCall, item]])),
    ),
    customized,
    search,
    answers(question, audience, matching, most) {
      const found = search(question, audience, most);
      const least = findOfferScore(matching, found);
      return found.hits.filter(({ score }) => score >= least);
    },
    among: (question, ids) => matcher.among(question, ids),
  };
}

/** The person who is looking, and the time. */
export interface Audience {
  readonly environment: string;
  readonly userType: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** True when the content can be offered, related or called now; hidden ones too, if not found. */
export function isVisible(item: ContentItem, { environment, userType, now }: Audience): boolean {
  return (
    item.published &&
    (item.publishFrom === null || item.publishFrom <= now) &&
    (item.expires === null || now < item.expires) &&
    (item.userTypes.length === 0 || item.userTypes.includes(userType)) &&
    (item.environments.length === 0 || item.environments.includes(environment))
  );
}

/** True when the visibility of a published content depends on the reader or the time. */
function isRestricted(item: ContentItem): boolean {
  return (
    item.publishFrom !== null ||
    item.expires !== null ||
    item.userTypes.length > 0 ||
    item.environments.length > 0
  );
}

/** The searchable contents of one language. */
interface Searched {
  readonly language: string;
  readonly searchables: readonly Searchable[];
  readonly synonyms: readonly (readonly string[])[];
}

/** The matchers that conversations search with, one for each language. */
interface Matchers {
  /** Builds a matcher at once if none is prepared. */
  for(searched: Searched): Matcher;
  /** Builds a matcher in small steps, so that it is ready for later searches. */
  prepare(searched: Searched): Promise<void>;
}

/** Keeps each language's latest matcher, as building is slow; unchanged titles need no new one. */
export function createMatchers(
  wordsOf: WordsOf,
  build: typeof createMatcher = createMatcher,
): Matchers {
  const kept = new Map<string, KeptMatcher>();
  const others = build === createMatcher ? keptByAll(wordsOf) : kept;
  // The same contents are prepared and then taken, so their titles are collected only once.
  const keys = new WeakMap<Searched, string>();
  const keyOf = (searched: Searched): string => {
    const key = keys.get(searched) ?? JSON.stringify([searched.searchables, searched.synonyms]);
    keys.set(searched, key);
    return key;
  };
  const findKnown = (key: string, { language }: Searched): Matcher | null => {
    const before = [kept, others].map((one) => one.get(language));
    return before.find((one) => one?.searched === key)?.matcher ?? null;
  };
  const keep = (language: string, searched: string, matcher: Matcher): Matcher => {
    for (const one of [kept, others]) one.set(language, { searched, matcher });
    return matcher;
  };
  return {
    for(searched) {
      const key = keyOf(searched);
      const before = findKnown(key, searched);
      if (before !== null) return before;
      const { language, searchables, synonyms } = searched;
      const matcher = build(searchables, { language, synonyms, words: wordsOf(language) });
      return keep(language, key, matcher);
    },
    async prepare(searched) {
      const key = keyOf(searched);
      if (findKnown(key, searched) !== null) return;
      const { language, searchables, synonyms } = searched;
      const words = wordsOf(language);
      const matcher = await buildMatcher(searchables, { language, synonyms, words });
      keep(language, key, matcher);
    },
  };
}

/**
 * The latest of each language. Backends of one process share it, because they often search the same
 * contents.
 */
function keptByAll(wordsOf: WordsOf): Map<string, KeptMatcher> {
  const kept = keptBy.get(wordsOf) ?? new Map<string, KeptMatcher>();
  keptBy.set(wordsOf, kept);
  return kept;
}

const keptBy = new WeakMap<WordsOf, Map<string, KeptMatcher>>();

interface KeptMatcher {
  readonly searched: string;
  readonly matcher: Matcher;
}
