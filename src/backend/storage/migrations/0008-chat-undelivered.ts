import { sql } from "kysely";
import { columnTypes } from "./column-types.ts";
import type { Migration } from "./migration.ts";

/** What a registered address of the chat did not take is kept, so that it can be sent again. */
export const chatUndelivered: Migration = {
  name: "0008-chat-undelivered",
  async up(database, dialect) {
    const { integer } = columnTypes(dialect);
    const statements = [
      sql`ALTER TABLE chat_webhook_events ADD COLUMN created ${integer} NOT NULL DEFAULT 0`,
      sql`ALTER TABLE chat_webhook_events ADD COLUMN given_up ${integer}`,
      sql`ALTER TABLE chat_webhook_events ADD COLUMN reason text`,
      sql`DROP INDEX chat_webhook_events_due`,
      sql`CREATE INDEX chat_webhook_events_due ON chat_webhook_events (due, webhook) WHERE given_up IS NULL`,
      sql`CREATE INDEX chat_webhook_events_next ON chat_webhook_events (webhook, id) WHERE given_up IS NULL`,
      sql`CREATE INDEX chat_webhook_events_given_up ON chat_webhook_events (webhook, id) WHERE given_up IS NOT NULL`,
    ];
    for (const statement of statements) await statement.execute(database);
  },
};
