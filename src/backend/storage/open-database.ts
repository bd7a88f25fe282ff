import { findDatabaseFault, isPostgresAddress } from "../../config/schema/database-address.ts";
import { AfterwordError } from "../../errors.ts";
import { type MigrateOptions, migrateOrClose } from "../../storage/migrate.ts";
import { openSqlite } from "../../storage/sqlite/open-sqlite.ts";
import { MIGRATIONS } from "./migrations/list.ts";
import type { BackendDatabase, Tables } from "./tables/database.ts";

/** The listener that hears about the steps that bring an older database up to this release. */
export type OpeningOptions = Pick<MigrateOptions, "report">;

/**
 * Opens a database and brings it up to this release.
 *
 * @param address a SQLite file, made when there is none; `postgres://…`; or null for SQLite in
 *   memory
 * @throws AfterwordError `data-directory-unusable` for a file, `database-unusable` for PostgreSQL:
 *   it can't be opened, or it is of a newer release, or another program's; `database-unusable` for
 *   an address of any other kind
 *
 * @example
 * const database = await openDatabase(".afterword/backend.db");
 * const rows = await database.kysely.selectFrom("sessions").select("key").execute();
 * await database.close();
 */
export async function openDatabase(
  address: string | null,
  options: OpeningOptions = {},
): Promise<BackendDatabase> {
  const fault = address === null ? null : findDatabaseFault(address);
  if (fault !== null) throw new AfterwordError("database-unusable", `The database: ${fault}`);
  const migrations = { ...options, migrations: MIGRATIONS };
  if (address === null || !isPostgresAddress(address)) {
    return migrateOrClose(await openSqlite<Tables>(address), migrations);
  }
  // A server that keeps a file does without the driver.
  const { openPostgres } = await import("../../storage/postgres/open-postgres.ts");
  // A step over a large table, or a wait for another process, may outlast any request's statement.
  const patient = await migrateOrClose(
    await openPostgres<Tables>(address, { patient: true }),
    migrations,
  );
  await patient.close();
  return openPostgres<Tables>(address);
}
