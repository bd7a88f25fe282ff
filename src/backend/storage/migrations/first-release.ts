import { sql, type Transaction } from "kysely";
import type { Database } from "../tables/database.ts";

/**
 * Puts aside what the first release kept in SQLite (`user_version` 1), under names that leave room
 * for today's tables. False when there is nothing of it.
 */
export async function beforeFirstRelease(database: Transaction<Database>): Promise<boolean> {
  const found = await sql<{ user_version: number }>`PRAGMA user_version`.execute(database);
  if (found.rows[0]?.user_version !== 1) return false;
  for (const index of ["sessions_expires", "history_session"]) {
    await sql`DROP INDEX IF EXISTS ${sql.id(index)}`.execute(database);
  }
  for (const table of ["sessions", "history", "events"]) {
    await sql`ALTER TABLE ${sql.id(table)} RENAME TO ${sql.id(`${table}_1`)}`.execute(database);
  }
  return true;
}

/** Moves it into today's tables: open conversations go on, with their history. */
export async function afterFirstRelease(database: Transaction<Database>): Promise<void> {
  const statements = [
    sql`INSERT INTO sessions (key, project, expires, document)
      SELECT key, json_extract(state, '$.project'), expires, state FROM sessions_1
      WHERE CASE WHEN json_valid(state) THEN json_type(state, '$.project') = 'text' END`,
    sql`INSERT INTO history (id, session, item)
      SELECT id, session, item FROM history_1 WHERE session IN (SELECT key FROM sessions)`,
    sql`INSERT INTO events (id, at, project, session, type, data)
      SELECT id, at, project, session, type, data FROM events_1`,
    // History first: it refers to the sessions.
    ...["history_1", "sessions_1", "events_1"].map((table) => sql`DROP TABLE ${sql.id(table)}`),
  ];
  for (const statement of statements) await statement.execute(database);
}
