import type { ChangingContent } from "../chatbot/live-base.ts";
import type { Content, LanguageContent } from "../content/types.ts";
import type { DatabaseHandle } from "../storage/database-handle.ts";
import { createCatalog } from "./catalog.ts";
import type { Catalog } from "./catalog.ts";
import { createSlugHistory } from "./slug-history.ts";

/** The contents of all languages, as they are now, and what is known of their past. */
export interface Library {
  content(): Content;
  catalog(language: string): Catalog;
  /** When a content was first seen here, in milliseconds since the epoch. */
  since(language: string, id: number): number;
  /** Id of the content that had this slug last, or null. */
  former(language: string, slug: string): Promise<number | null>;
  /** Resolves when the slugs of the present contents are on record, or cannot be. Never rejects. */
  ready(): Promise<void>;
}

export interface LibraryOptions {
  readonly content: Content | ChangingContent;
  readonly database: DatabaseHandle;
  readonly now: () => number;
  readonly report: (error: unknown) => void;
}

export function createLibrary({ content, database, now, report }: LibraryOptions): Library {
  const current = "onChange" in content ? () => content.current() : () => content;
  const made = new WeakMap<LanguageContent, Catalog>();
  const history = createSlugHistory(database, now);
  const begun = now();
  let recorded: Content | null = null;
  let recording: Promise<void> = Promise.resolve();

  return {
    content: current,
    catalog(language) {
      const one = current().languages.get(language) ?? nothing;
      const known = made.get(one);
      if (known !== undefined && known.language === language) return known;
      const catalog = createCatalog(language, one);
      made.set(one, catalog);
      return catalog;
    },
    since: (language, id) => history.since(language, id) ?? begun,
    former: (language, slug) => history.former(language, slug),
    // At the first call of each state of the contents: a slug that nobody was told needs to lead
    // nowhere.
    ready() {
      const content = current();
      if (recorded === content) return recording;
      recorded = content;
      recording = recording
        .then(() => history.record(content))
        .catch((error: unknown) => {
          recorded = null;
          report(error);
        });
      return recording;
    },
  };
}

const nothing: LanguageContent = { items: [], categories: [], customized: {}, synonyms: [] };
