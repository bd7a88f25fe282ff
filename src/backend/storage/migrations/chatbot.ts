import { sql } from "kysely";
import { toColumnTypes, type CreateTables, executeAll } from "../../../storage/migrate.ts";

/**
 * Conversations, reported events and contents. A session's revision marks its last write, so that
 * processes do not overwrite each other's turns.
 */
export const createChatbotTables: CreateTables = async (database, dialect) => {
  const { identity, integer, strict } = toColumnTypes(dialect);
  await executeAll(database, [
    sql`CREATE TABLE sessions (
        key text PRIMARY KEY, project text NOT NULL, expires ${integer} NOT NULL, document text NOT NULL,
        revision text NOT NULL DEFAULT ''
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
  ]);
};
