import { sql } from "kysely";
import { columnTypes } from "./column-types.ts";
import type { Migration } from "./migration.ts";

/**
 * Whether agents are there, how a room chooses among them, and which messages are lines of a
 * transcript.
 */
export const chatAgents: Migration = {
  name: "0009-chat-agents",
  async up(database, dialect) {
    const { integer } = columnTypes(dialect);
    const messageId =
      dialect === "sqlite"
        ? sql`json_extract(data, '$.message.id')`
        : sql`data::json -> 'message' ->> 'id'`;
    const statements = [
      sql`ALTER TABLE chat_agents ADD COLUMN present_until ${integer}`,
      sql`ALTER TABLE chat_agents ADD COLUMN idle_since ${integer} NOT NULL DEFAULT 0`,
      sql`ALTER TABLE chat_rooms ADD COLUMN assign text`,
      sql`ALTER TABLE chat_messages ADD COLUMN imported ${integer} NOT NULL DEFAULT 0`,
      // Within JSON a text of somebody's has its quotes escaped, so nobody can write themselves
      // into this.
      sql`UPDATE chat_messages SET imported = 1 WHERE id IN (
        SELECT ${messageId} FROM chat_log
        WHERE trigger_name = 'messages:new' AND data LIKE '%},"imported":true}'
      )`,
    ];
    for (const statement of statements) await statement.execute(database);
  },
};
