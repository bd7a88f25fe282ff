import { type Kysely, sql, type Transaction } from "kysely";
import type { BackendDatabase } from "./tables/database.ts";
import type { ContentTable, ContentSourceTable } from "./tables/contents.ts";
import type { Tables } from "./tables/database.ts";
import type { ContentRow, ContentScope, ContentStore, StoredContents } from "./types.ts";

/** Rows of one statement, and of one message to the thread. */
const pageSize = 200;

/** Contents in a database. */
export function createContents(database: BackendDatabase): ContentStore {
  const { kysely } = database;
  return {
    revision: () => revisionOf(kysely),
    async all() {
      for (;;) {
        const revision = await revisionOf(kysely);
        const stored = await readAll(kysely, revision);
        // Read page by page: after a write in between, reading begins again.
        if ((await revisionOf(kysely)) === revision) return stored;
      }
    },
    replace: (source, rows, progress) =>
      database.transaction(async (transaction) => {
        const { project, language, document } = source;
        await changeRevision(transaction);
        for (const table of ["contents", "content_sources"] as const) {
          await transaction
            .deleteFrom(table)
            .where("project", "=", project)
            .where("language", "=", language)
            .execute();
        }
        const row = { project, language, document: JSON.stringify(document) };
        await transaction.insertInto("content_sources").values(row).execute();
        await insert(transaction, source, rows, progress);
      }),
    upsert: (scope, rows, progress) =>
      database.transaction(async (transaction) => {
        await changeRevision(transaction);
        await insert(transaction, scope, rows, progress);
      }),
  };
}

async function revisionOf(kysely: Kysely<Tables>): Promise<number> {
  const row = await kysely
    .selectFrom("revisions")
    .select("revision")
    .where("subject", "=", "contents")
    .executeTakeFirst();
  return row?.revision ?? 0;
}

/** Locks contents; the first statement of a transaction, so that none waits in its middle. */
async function changeRevision(transaction: Transaction<Tables>): Promise<void> {
  await transaction
    .updateTable("revisions")
    .set(({ eb }) => ({ revision: eb("revision", "+", 1) }))
    .where("subject", "=", "contents")
    .execute();
}

async function insert(
  transaction: Transaction<Tables>,
  { project, language }: ContentScope,
  rows: readonly ContentRow[],
  progress: ((done: number, of: number) => void) | undefined,
): Promise<void> {
  for (let done = 0; done < rows.length; done += pageSize) {
    const page = rows.slice(done, done + pageSize).map(({ id, document, modified }) => ({
      project,
      language,
      id,
      document: JSON.stringify(document),
      modified,
    }));
    await transaction
      .insertInto("contents")
      .values(page)
      .onConflict((conflict) =>
        conflict.columns(["project", "language", "id"]).doUpdateSet((eb) => ({
          document: eb.ref("excluded.document"),
          modified: eb.ref("excluded.modified"),
        })),
      )
      .execute();
    progress?.(done + page.length, rows.length);
  }
}

async function readAll(kysely: Kysely<Tables>, revision: number): Promise<StoredContents> {
  const sources = await kysely.selectFrom("content_sources").selectAll().execute();
  const rows: ContentTable[] = [];
  for (let last: ContentTable | undefined; ;) {
    const page = await pageAfter(kysely, last);
    rows.push(...page);
    last = page.at(-1);
    if (page.length < pageSize) break;
  }
  return {
    revision,
    sources: sources.map(({ document, ...scope }: ContentSourceTable) => ({
      ...scope,
      document: JSON.parse(document) as unknown,
    })),
    rows: rows.map(({ document, ...row }) => ({
      ...row,
      document: JSON.parse(document) as unknown,
    })),
  };
}

function pageAfter(
  kysely: Kysely<Tables>,
  last: ContentTable | undefined,
): Promise<ContentTable[]> {
  const page = kysely
    .selectFrom("contents")
    .selectAll()
    .orderBy("project")
    .orderBy("language")
    .orderBy("id")
    .limit(pageSize);
  if (last === undefined) return page.execute();
  const after = sql<boolean>`(project, language, id) > (${last.project}, ${last.language}, ${last.id})`;
  return page.where(after).execute();
}
