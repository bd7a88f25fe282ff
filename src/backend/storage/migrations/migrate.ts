import { sql, type Transaction } from "kysely";
import type { DatabaseHandle } from "../database-handle.ts";
import type { Database } from "../tables/database.ts";
import { columnTypes } from "./column-types.ts";
import { MIGRATIONS } from "./list.ts";
import type { Migration } from "./migration.ts";
import { refusal, writtenByNewer } from "./refusal.ts";
import { claimFile, refuseForeignFile } from "./sqlite-file.ts";

export interface MigrateOptions {
  /** Told of every step before it begins. */
  readonly report?: (step: MigrationStep) => void;
  /** Milliseconds since the epoch. Default: the system's clock. */
  readonly now?: () => number;
  /** Default: this release's. */
  readonly migrations?: readonly Migration[];
}

export interface MigrationStep {
  readonly name: string;
  /** From 1 to `count`. */
  readonly number: number;
  readonly count: number;
}

/**
 * Any number that nobody else in the same database uses: processes that start at once take turns by
 * it.
 */
const advisoryLock = 7_236_251_401;

/**
 * Brings a database up to this release: all steps that it lacks, or none when one fails. Processes
 * that start at once take turns.
 *
 * @returns the names of the steps that were taken
 * @throws AfterwordError `data-directory-unusable` (a file) or `database-unusable` (PostgreSQL): a
 *   newer release wrote it, or
 * another program, or a step failed
 */
export async function migrate(
  database: DatabaseHandle,
  options: MigrateOptions = {},
): Promise<readonly string[]> {
  const { report, now = Date.now, migrations = MIGRATIONS } = options;
  return database.transaction(async (transaction) => {
    await takeTurn(transaction, database);
    const pending = await pendingOf(transaction, database, migrations);
    for (const [index, step] of pending.entries()) {
      const { name } = step;
      report?.({ name, number: index + 1, count: pending.length });
      await step.up(transaction, database.dialect).catch((cause: unknown) => {
        throw failedStep(database, name, cause);
      });
      const row = { name, applied: now() };
      await transaction.insertInto("afterword_migrations").values(row).execute();
    }
    if (database.dialect === "sqlite" && pending.length > 0) await claimFile(transaction);
    return pending.map(({ name }) => name);
  });
}

/** A transaction has a SQLite file alone anyway. */
async function takeTurn(
  transaction: Transaction<Database>,
  database: DatabaseHandle,
): Promise<void> {
  if (database.dialect === "sqlite") return refuseForeignFile(transaction, database);
  await sql`SELECT pg_advisory_xact_lock(${sql.lit(advisoryLock)})`.execute(transaction);
}

async function pendingOf(
  transaction: Transaction<Database>,
  database: DatabaseHandle,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  const { integer, strict } = columnTypes(database.dialect);
  await sql`CREATE TABLE IF NOT EXISTS afterword_migrations (
    name text PRIMARY KEY, applied ${integer} NOT NULL
  ) ${strict}`.execute(transaction);
  const rows = await transaction.selectFrom("afterword_migrations").select("name").execute();
  const applied = new Set(rows.map(({ name }) => name));
  const unknown = applied.difference(new Set(migrations.map(({ name }) => name)));
  if (unknown.size > 0) throw writtenByNewer(database, [...unknown].toSorted().join(", "));
  return migrations.filter(({ name }) => !applied.has(name));
}

function failedStep(database: DatabaseHandle, name: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const why = `cannot be brought up to this release, and was left as it was: step ${name} failed (${reason}). If other programs keep tables in it, give Afterword a database or schema of its own`;
  return refusal(database, why, cause);
}
