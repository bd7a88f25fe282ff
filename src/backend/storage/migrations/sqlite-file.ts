import { sql, type Transaction } from "kysely";
import type { DatabaseHandle } from "../database-handle.ts";
import type { Database } from "../tables/database.ts";
import { refusal, writtenByNewer } from "./refusal.ts";

/**
 * What this release and those to come write as `user_version`: enough for the first release to
 * leave the file alone.
 */
const fileVersion = 2;
const firstRelease = 1;

/**
 * @throws AfterwordError `data-directory-unusable`: the file is another program's, or a release's
 * to come
 */
export async function refuseForeignFile(
  transaction: Transaction<Database>,
  database: DatabaseHandle,
): Promise<void> {
  const found = await sql<{ user_version: number }>`PRAGMA user_version`.execute(transaction);
  const version = found.rows[0]?.user_version ?? 0;
  const tables = await sql<{ name: string }>`
    SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'
  `.execute(transaction);
  const names = tables.rows.map(({ name }) => name);
  if (names.includes("afterword_migrations") || names.length === 0) {
    if (version > fileVersion) throw writtenByNewer(database, `version ${version}`);
    return;
  }
  const ours = ["sessions", "history", "events"].every((name) => names.includes(name));
  if (version === firstRelease && ours) return;
  throw refusal(
    database,
    `is another program's (it has the table ${names[0] ?? ""}): name a file of Afterword's own`,
  );
}

export async function claimFile(transaction: Transaction<Database>): Promise<void> {
  await sql`PRAGMA user_version = ${sql.lit(fileVersion)}`.execute(transaction);
}
