import { type QueryExecutorProvider, type RawBuilder, sql } from "kysely";
import { AfterwordError } from "../errors.ts";
import type { Database, DialectName } from "./database.ts";

/** Creates some tables. */
export type CreateTables = (
  transaction: QueryExecutorProvider,
  dialect: DialectName,
) => Promise<void>;

/** One step to a newer database. Never change a released one: add a further step. */
export interface Migration {
  /**
   * Number and subject: `0001-first-release`; tables of another owner than the backend have its
   * name in front: `insights-0001-first-release`. Recorded in the database, and run in this order.
   */
  readonly name: string;
  /** All pending steps run in one transaction: one that throws leaves the database as it was. */
  readonly up: CreateTables;
}

export interface MigrateOptions {
  /** Every step of this release. */
  readonly migrations: readonly Migration[];
  /** Called before every step. */
  readonly report?: ((step: MigrationStep) => void) | undefined;
}

export interface MigrationStep {
  readonly name: string;
  /** From 1 to `count`. */
  readonly number: number;
  readonly count: number;
}

/** Records the names of the steps that a database has. */
export const MIGRATION_TABLE = "afterword_schema";

/**
 * Brings a database up to this release: all steps that it lacks, or none when one fails. Processes
 * that start at once take turns.
 *
 * @returns the names of the steps that were taken
 * @throws AfterwordError `data-directory-unusable` (a file) or `database-unusable` (PostgreSQL): a
 *   newer release wrote it, or an unreleased one, or another program, or a step failed
 */
export async function migrate<Tables>(
  database: Database<Tables>,
  { migrations, report }: MigrateOptions,
): Promise<readonly string[]> {
  const { dialect } = database;
  // Without pending steps no lock is needed, so the database opens while another process writes.
  if (await hasAll(database, migrations)) return [];
  return database.transaction(async (transaction) => {
    // A SQLite transaction locks the file anyway.
    if (dialect === "postgres") {
      await sql`SELECT pg_advisory_xact_lock(${sql.lit(advisoryLock)})`.execute(transaction);
    }
    const recorded = await readRecorded(transaction, database);
    const unknown = listUnknown(recorded, migrations, dialect);
    if (unknown.length > 0) throw refuseNewer(database, unknown.join(", "));
    const pending = migrations.filter(({ name }) => !recorded.has(name));
    for (const [index, { name, up }] of pending.entries()) {
      report?.({ name, number: index + 1, count: pending.length });
      await up(transaction, dialect).catch((cause: unknown) => {
        throw refuseFailed(database, name, cause);
      });
      const applied = new Date().toISOString();
      await sql`INSERT INTO ${table} (name, applied) VALUES (${name}, ${applied})`.execute(
        transaction,
      );
    }
    return pending.map(({ name }) => name);
  });
}

/** True for a database that has every step and no other one. */
async function hasAll<Tables>(
  { kysely, dialect }: Database<Tables>,
  migrations: readonly Migration[],
): Promise<boolean> {
  const names = await readTableNames(kysely, dialect);
  if (!names.includes(MIGRATION_TABLE)) return false;
  const recorded = await readNames(kysely);
  const unknown = listUnknown(recorded, migrations, dialect);
  return unknown.length === 0 && migrations.every(({ name }) => recorded.has(name));
}

/** Lists recorded steps that this release does not have. Owners that share a PostgreSQL database know only their own. */
function listUnknown(
  recorded: ReadonlySet<string>,
  migrations: readonly Migration[],
  dialect: DialectName,
): readonly string[] {
  const known = new Set(migrations.map(({ name }) => name));
  const owners = new Set(migrations.map(({ name }) => ownerOf(name)));
  return [...recorded]
    .filter((name) => !known.has(name) && (dialect === "sqlite" || owners.has(ownerOf(name))))
    .toSorted();
}

function ownerOf(step: string): string {
  return step.slice(0, step.search(/\d{4}-/));
}

/** Executes statements one after the other. */
export async function executeAll(
  transaction: QueryExecutorProvider,
  statements: readonly RawBuilder<unknown>[],
): Promise<void> {
  for (const statement of statements) await statement.execute(transaction);
}

/** The spellings in which the two dialects differ. `text`, keys and references are the same. */
export interface ColumnTypes {
  /** A primary key that the database assigns, greater with every row. */
  readonly identity: RawBuilder<unknown>;
  /** A whole number of up to 53 bits: milliseconds, counts, ids. */
  readonly integer: RawBuilder<unknown>;
  readonly bytes: RawBuilder<unknown>;
  /** Follows the closing parenthesis of a table: makes SQLite check types as PostgreSQL does. */
  readonly strict: RawBuilder<unknown>;
}

/**
 * @example
 * const { identity, integer, bytes, strict } = columnTypes(dialect);
 * const size = sql`size ${integer} NOT NULL, data ${bytes} NOT NULL`;
 * await sql`CREATE TABLE media (id ${identity}, ${size}) ${strict}`.execute(database);
 */
export function toColumnTypes(dialect: DialectName): ColumnTypes {
  return types[dialect];
}

const types: Readonly<Record<DialectName, ColumnTypes>> = {
  sqlite: {
    identity: sql`INTEGER PRIMARY KEY AUTOINCREMENT`,
    integer: sql`INTEGER`,
    bytes: sql`BLOB`,
    strict: sql`STRICT`,
  },
  postgres: {
    identity: sql`bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY`,
    integer: sql`bigint`,
    bytes: sql`bytea`,
    strict: sql``,
  },
};

/** The key of the lock that lets one process migrate at a time; any number that no other program uses. */
const advisoryLock = 7_236_251_401;

const table = sql.table(MIGRATION_TABLE);

type Named = Pick<Database<never>, "name" | "dialect">;

/** Reads the names of the steps that this database has. Creates their table if it is missing. */
async function readRecorded(
  transaction: QueryExecutorProvider,
  database: Named,
): Promise<ReadonlySet<string>> {
  const names = await readTableNames(transaction, database.dialect);
  if (names.includes(MIGRATION_TABLE)) return readNames(transaction);
  if (names.includes("afterword_migrations")) {
    const why =
      "was written by a version of Afterword from before the first release, which this one cannot read: move it away, or name another, and a new one is made at the next start";
    throw refuse(database, why);
  }
  // A PostgreSQL database may be shared with other programs.
  const [foreign] = database.dialect === "sqlite" ? names : [];
  if (foreign !== undefined) {
    const why = `is another program's (it has the table ${foreign}): name a file of Afterword's own`;
    throw refuse(database, why);
  }
  const { strict } = toColumnTypes(database.dialect);
  const columns = sql`name text PRIMARY KEY, applied text NOT NULL`;
  await sql`CREATE TABLE ${table} (${columns}) ${strict}`.execute(transaction);
  return new Set();
}

async function readNames(queries: QueryExecutorProvider): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM ${table}`.execute(queries);
  return new Set(rows.map(({ name }) => name));
}

async function readTableNames(
  transaction: QueryExecutorProvider,
  dialect: DialectName,
): Promise<readonly string[]> {
  const names =
    dialect === "sqlite"
      ? sql<{ name: string }>`
          SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'
        `
      : sql<{ name: string }>`
          SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()
        `;
  const { rows } = await names.execute(transaction);
  return rows.map(({ name }) => name);
}

function refuseFailed(database: Named, name: string, cause: unknown): AfterwordError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const why = `cannot be brought up to this release, and was left as it was: step ${name} failed (${reason}). If other programs keep tables in it, give Afterword a database or schema of its own`;
  return refuse(database, why, cause);
}

function refuseNewer(database: Named, what: string): AfterwordError {
  return refuse(
    database,
    `was written by a newer or an unreleased version of Afterword (${what} is unknown here): run that version, or name another database`,
  );
}

/** The reason is `why`, after the database's name. */
function refuse({ name, dialect }: Named, why: string, cause?: unknown): AfterwordError {
  const code = dialect === "sqlite" ? "data-directory-unusable" : "database-unusable";
  return new AfterwordError(code, `The database ${name} ${why}`, { cause });
}
