import { sql, type Transaction } from "kysely";
import type { Database } from "../tables/database.ts";
import { columnTypes } from "./column-types.ts";
import type { Migration } from "./migration.ts";
import { afterFirstRelease, beforeFirstRelease } from "./first-release.ts";

/** Conversations, reported events and contents. */
export const chatbot: Migration = {
  name: "0001-chatbot",
  async up(database, dialect) {
    const old = dialect === "sqlite" && (await beforeFirstRelease(database));
    const { identity, integer, strict } = columnTypes(dialect);
    await run(
      database,
      sql`CREATE TABLE sessions (
        key text PRIMARY KEY, project text NOT NULL, expires ${integer} NOT NULL, document text NOT NULL
      ) ${strict}`,
      sql`CREATE INDEX sessions_expires ON sessions (expires)`,
      sql`CREATE TABLE history (
        id ${identity}, session text NOT NULL REFERENCES sessions (key) ON DELETE CASCADE, item text NOT NULL
      ) ${strict}`,
      sql`CREATE INDEX history_session ON history (session, id)`,
      sql`CREATE TABLE events (
        id ${identity}, at ${integer} NOT NULL, project text NOT NULL,
        session text NOT NULL, type text NOT NULL, data text NOT NULL
      ) ${strict}`,
      sql`CREATE TABLE contents (
        project text NOT NULL, language text NOT NULL, id ${integer} NOT NULL,
        document text NOT NULL, modified ${integer}, PRIMARY KEY (project, language, id)
      ) ${strict}`,
      sql`CREATE TABLE content_sources (
        project text NOT NULL, language text NOT NULL, document text NOT NULL,
        PRIMARY KEY (project, language)
      ) ${strict}`,
      sql`CREATE TABLE revisions (subject text PRIMARY KEY, revision ${integer} NOT NULL) ${strict}`,
      sql`INSERT INTO revisions (subject, revision) VALUES ('contents', 0)`,
    );
    if (old) await afterFirstRelease(database);
  },
};

async function run(
  database: Transaction<Database>,
  ...statements: readonly ReturnType<typeof sql>[]
): Promise<void> {
  for (const statement of statements) await statement.execute(database);
}
