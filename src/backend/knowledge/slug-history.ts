import type { CompiledQuery } from "kysely";
import type { Content } from "../content/types.ts";
import type { DatabaseHandle } from "../storage/database-handle.ts";

/** Which content had which slug, and since when each has been here. */
export interface SlugHistory {
  /**
   * Puts the slugs of these contents on record. Those that are on record already stay as they are.
   */
  record(content: Content): Promise<void>;
  former(language: string, slug: string): Promise<number | null>;
  /** Null for a content that is not on record. */
  since(language: string, id: number): number | null;
}

/** Rows of one statement: far below the number of parameters that a database takes. */
const ROWS = 200;

/**
 * A slug is made of the title unless its author gave one, so that a changed title changes the
 * address. Whoever kept the old one is led on, as long as no other content has it.
 */
export function createSlugHistory(database: DatabaseHandle, now: () => number): SlugHistory {
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
