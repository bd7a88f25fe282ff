import { sql } from "kysely";
import { toColumnTypes, type CreateTables, executeAll } from "../../../storage/migrate.ts";

/** API keys, and counters of their use that several processes share. */
export const createKeyTables: CreateTables = async (database, dialect) => {
  const { integer, strict } = toColumnTypes(dialect);
  await executeAll(database, [
    sql`CREATE TABLE api_keys (
      key_digest text PRIMARY KEY, name text NOT NULL UNIQUE, project text NOT NULL,
      document text NOT NULL, created ${integer} NOT NULL, revoked ${integer}
    ) ${strict}`,
    sql`CREATE TABLE rate_windows (
      name text PRIMARY KEY, start ${integer} NOT NULL, ends ${integer} NOT NULL, taken ${integer} NOT NULL
    ) ${strict}`,
    sql`CREATE INDEX rate_windows_ends ON rate_windows (ends)`,
  ]);
};
