import { sql } from "kysely";
import { columnTypes } from "./column-types.ts";
import type { Migration } from "./migration.ts";

/**
 * Wrong passwords are counted by login and address together, for logins that nobody has as for
 * others.
 */
export const loginAttempts: Migration = {
  name: "0010-login-attempts",
  async up(database, dialect) {
    const { integer, strict } = columnTypes(dialect);
    const statements = [
      sql`CREATE TABLE chat_login_attempts (
        digest text PRIMARY KEY, failures ${integer} NOT NULL, ends ${integer} NOT NULL
      ) ${strict}`,
      sql`CREATE INDEX chat_login_attempts_ends ON chat_login_attempts (ends)`,
      sql`ALTER TABLE chat_agents DROP COLUMN failures`,
      sql`ALTER TABLE chat_agents DROP COLUMN locked`,
    ];
    for (const statement of statements) await statement.execute(database);
  },
};
