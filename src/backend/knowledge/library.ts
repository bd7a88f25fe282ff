import type { WordsOf } from "../../matching/types.ts";
import type { ChangingContent } from "../chatbot/live-base.ts";
import type { Content, LanguageContent } from "../content/types.ts";
import type { BackendDatabase } from "../storage/tables/database.ts";
import { createCatalog } from "./catalog.ts";
import type { Catalog } from "./catalog.ts";
import type { CompiledQuery } from "kysely";

/** The present contents of all languages, with their former slugs. */
export interface Library {
  content(): Content;
  catalog(language: string): Catalog;
  /** Returns when this content was first recorded, in milliseconds since the epoch. */
  since(language: string, id: number): number;
  /** Finds the id of the content that last had this slug, or null. */
  former(language: string, slug: string): Promise<number | null>;
  /** Resolves after the slugs of the present contents were recorded, or that failed. Never rejects. */
  ready(): Promise<void>;
}

export interface LibraryOptions {
  readonly content: Content | ChangingContent;
  readonly words: WordsOf;
  readonly database: BackendDatabase;
  readonly now: () => number;
  readonly report: (error: unknown) => void;
}

export function createLibrary({ content, words, database, now, report }: LibraryOptions): Library {
  const current = "onChange" in content ? () => content.current() : () => content;
  const catalogs = new WeakMap<LanguageContent, Catalog>();
  const history = createSlugHistory(database, now);
  const started = now();
  let recorded: Content | null = null;
  let recording: Promise<void> = Promise.resolve();

  return {
    content: current,
    catalog(language) {
      const one = current().languages.get(language) ?? noContent;
      const known = catalogs.get(one);
      if (known !== undefined && known.language === language) return known;
      const catalog = createCatalog(language, one, words(language));
      catalogs.set(one, catalog);
      return catalog;
    },
    since: (language, id) => history.since(language, id) ?? started,
    former: (language, slug) => history.former(language, slug),
    // Every request waits for this, so that no slug is given out before it is recorded.
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

const noContent: LanguageContent = { items: [], categories: [], customized: {}, synonyms: [] };

/** The slugs that contents had, and the time of their first record. */
interface SlugHistory {
  /** Records the slugs of these contents, and keeps earlier records. */
  record(content: Content): Promise<void>;
  former(language: string, slug: string): Promise<number | null>;
  /** Null for a content without a record. */
  since(language: string, id: number): number | null;
}

/** Rows of one statement, which stays far below a database's limit of parameters. */
const ROWS = 200;

/** Creates the history of slugs. A former slug leads to its content until another content gets it. */
function createSlugHistory(database: BackendDatabase, now: () => number): SlugHistory {
  const { kysely } = database;
  let seen = new Map<string, number>();

  return {
    async record(content) {
      const rows = await kysely.selectFrom("content_slugs").selectAll().execute();
      const owners = new Map(rows.map((row) => [keyOf(row.language, row.slug), row.content]));
      const present = [...content.languages].flatMap(([language, { items }]) =>
        items.map(({ id, slug }) => ({ language, slug, content: id, since: now() })),
      );
      const fresh = present.filter(
        ({ language, slug, content: id }) => owners.get(keyOf(language, slug)) !== id,
      );
      const statements: CompiledQuery[] = [];
      for (let at = 0; at < fresh.length; at += ROWS) {
        const insert = kysely.insertInto("content_slugs").values(fresh.slice(at, at + ROWS));
        const upsert = insert.onConflict((conflict) =>
          conflict.columns(["language", "slug"]).doUpdateSet((builder) => ({
            content: builder.ref("excluded.content"),
            since: builder.ref("excluded.since"),
          })),
        );
        statements.push(upsert.compile());
      }
      if (statements.length > 0) await database.batch(statements);
      const first = new Map<string, number>();
      for (const row of [...rows, ...fresh]) {
        const key = keyOf(row.language, row.content);
        first.set(key, Math.min(first.get(key) ?? row.since, row.since));
      }
      seen = first;
    },
    async former(language, slug) {
      const row = await kysely
        .selectFrom("content_slugs")
        .select("content")
        .where("language", "=", language)
        .where("slug", "=", slug)
        .executeTakeFirst();
      return row?.content ?? null;
    },
    since: (language, id) => seen.get(keyOf(language, id)) ?? null,
  };
}

function keyOf(language: string, part: string | number): string {
  return `${language}\n${part}`;
}
