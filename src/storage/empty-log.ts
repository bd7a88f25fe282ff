import { sql } from "kysely";
import type { Database } from "./database.ts";

/**
 * Has SQLite empty its log into the file, so that no deleted row is left in it. False if another
 * process is reading, and for PostgreSQL, which removes deleted rows with VACUUM.
 */
export async function emptyLog<Tables>({
  dialect,
  kysely,
}: Pick<Database<Tables>, "dialect" | "kysely">): Promise<boolean> {
  if (dialect !== "sqlite") return false;
  const { rows } = await sql<{ busy: number }>`PRAGMA wal_checkpoint(TRUNCATE)`.execute(kysely);
  return rows[0]?.busy === 0;
}
