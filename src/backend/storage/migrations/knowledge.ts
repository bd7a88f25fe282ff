import { sql } from "kysely";
import { toColumnTypes, type CreateTables, executeAll } from "../../../storage/migrate.ts";

/** Knowledge: sessions, events, and the slugs that contents have had. */
export const createKnowledgeTables: CreateTables = async (database, dialect) => {
  const { identity, integer, strict } = toColumnTypes(dialect);
  await executeAll(database, [
    sql`CREATE TABLE knowledge_sessions (
        key text PRIMARY KEY, project text NOT NULL, session text NOT NULL, began ${integer} NOT NULL,
        last ${integer} NOT NULL, sdk_version text
      ) ${strict}`,
    sql`CREATE INDEX knowledge_sessions_last ON knowledge_sessions (last)`,
    sql`CREATE TABLE knowledge_events (
        id ${identity}, project text NOT NULL, at ${integer} NOT NULL, session text, type text NOT NULL, log text,
        content ${integer}, clicked ${integer} NOT NULL, user_question ${integer}, query text, found ${integer},
        rating text, comment text, language text, environment text NOT NULL, source text NOT NULL,
        user_type ${integer} NOT NULL, ip text, user_agent text, sdk_version text, data text NOT NULL
      ) ${strict}`,
    sql`CREATE INDEX knowledge_events_project ON knowledge_events (project, at)`,
    sql`CREATE INDEX knowledge_events_at ON knowledge_events (at)`,
    sql`CREATE INDEX knowledge_events_clicked ON knowledge_events (project, at, content) WHERE clicked = 1`,
    sql`CREATE TABLE content_slugs (
        language text NOT NULL, slug text NOT NULL, content ${integer} NOT NULL, since ${integer} NOT NULL,
        PRIMARY KEY (language, slug)
      ) ${strict}`,
  ]);
};
