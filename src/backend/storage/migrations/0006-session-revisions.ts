import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/**
 * What the last write of a session is known by, so that two processes don't overwrite each other's
 * turns.
 */
export const sessionRevisions: Migration = {
  name: "0006-session-revisions",
  async up(database) {
    await sql`ALTER TABLE sessions ADD COLUMN revision text NOT NULL DEFAULT ''`.execute(database);
  },
};
