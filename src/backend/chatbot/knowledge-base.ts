import type { Content, ContentItem, EngineTexts } from "../content/types.ts";
import type { Project } from "../projects.ts";
import { knownLanguage } from "./language.ts";
import { createMatcher } from "./matcher.ts";
import type { Matcher } from "./matcher.ts";

/** The contents of one language, ready to be searched. */
export interface Shelf {
  readonly language: string;
  readonly matcher: Matcher;
  readonly byId: ReadonlyMap<number, ContentItem>;
  readonly byDirectCall: ReadonlyMap<string, ContentItem>;
}

/** Content as conversations use it. */
export interface KnowledgeBase {
  /** The language a conversation is held in, for the code a client sent: never refused, at worst the project's own. */
  language(code: string | null, project: Project): string;
  /** The contents for a conversation's language, else the project's, else English, else whichever there are. */
  shelf(language: string, project: Project): Shelf;
  /** The engine's own lines in a conversation's language, else in English. */
  texts(language: string): EngineTexts;
}

export function createKnowledgeBase(content: Content): KnowledgeBase {
  const shelves = new Map<string, Shelf>(
    [...content.items].map(([language, items]) => [language, toShelf(language, items)]),
  );
  const shelved = new Set(shelves.keys());
  const spoken = new Set(content.texts.keys());
  const all = new Set([...shelved, ...spoken]);
  const english = content.texts.get("en");
  if (english === undefined) throw new Error("unreachable: content is loaded with English texts");

  return {
    language: (code, project) =>
      knownLanguage(code, all) ?? knownLanguage(project.language, all) ?? "en",
    shelf(language, project) {
      const found =
        knownLanguage(language, shelved) ??
        knownLanguage(project.language, shelved) ??
        knownLanguage("en", shelved) ??
        "";
      return shelves.get(found) ?? shelves.values().next().value ?? toShelf("en", []);
    },
    texts: (language) => content.texts.get(knownLanguage(language, spoken) ?? "en") ?? english,
  };
}

function toShelf(language: string, items: readonly ContentItem[]): Shelf {
  return {
    language,
    matcher: createMatcher(items, language),
    byId: new Map(items.map((item) => [item.id, item])),
    byDirectCall: new Map(
      items.flatMap((item) => (item.directCall === null ? [] : [[item.directCall, item]])),
    ),
  };
}
