import type { CompiledQuery, Transaction } from "kysely";
import type { DialectName } from "./database.ts";

/**
 * Runs statements of a transaction that do not need each other's results, in their order. SQLite
 * gets them in one message: the way to its thread and back takes longer than most statements.
 */
export async function runTogether<Tables>(
  queries: Transaction<Tables>,
  statements: readonly CompiledQuery[],
  dialect: DialectName,
): Promise<void> {
  if (dialect === "sqlite") {
    await Promise.all(statements.map((statement) => queries.executeQuery(statement)));
    return;
  }
  // A connection to PostgreSQL takes one statement at a time.
  for (const statement of statements) await queries.executeQuery(statement);
}
