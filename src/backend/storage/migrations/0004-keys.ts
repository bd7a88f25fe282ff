import { sql } from "kysely";
import { columnTypes } from "./column-types.ts";
import type { Migration } from "./migration.ts";

/** API keys, and counters of their use that several processes share. */
export const keys: Migration = {
  name: "0004-keys",
  async up(database, dialect) {
    const { integer, strict } = columnTypes(dialect);
    await sql`CREATE TABLE api_keys (
      key_digest text PRIMARY KEY, name text NOT NULL UNIQUE, project text NOT NULL,
      document text NOT NULL, created ${integer} NOT NULL, revoked ${integer}
    ) ${strict}`.execute(database);
    await sql`CREATE TABLE rate_windows (
      name text PRIMARY KEY, start ${integer} NOT NULL, ends ${integer} NOT NULL, taken ${integer} NOT NULL
    ) ${strict}`.execute(database);
    await sql`CREATE INDEX rate_windows_ends ON rate_windows (ends)`.execute(database);
  },
};
