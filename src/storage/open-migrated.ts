import { findDatabaseFault, isPostgresAddress } from "../database-address.ts";
import { AfterwordError } from "../errors.ts";
import type { Database } from "./database.ts";
import { migrate, type MigrateOptions } from "./migrate.ts";
import { openSqlite } from "./sqlite/open-sqlite.ts";

/**
 * Opens a database and brings it up to this release.
 *
 * @param address a SQLite file, made when there is none; `postgres://…`; or null for SQLite in
 *   memory
 * @throws AfterwordError `data-directory-unusable` for a file, `database-unusable` for PostgreSQL:
 *   it can't be opened, or it is of a newer release, or another program's; `database-unusable` for
 *   an address of any other kind
 */
export async function openMigrated<Tables>(
  address: string | null,
  migrations: MigrateOptions,
): Promise<Database<Tables>> {
  const fault = address === null ? null : findDatabaseFault(address);
  if (fault !== null) throw new AfterwordError("database-unusable", `The database: ${fault}`);
  if (address === null || !isPostgresAddress(address)) {
    return migrateOrClose(await openSqlite<Tables>(address), migrations);
  }
  // With a SQLite file the PostgreSQL driver is not loaded.
  const { openPostgres } = await import("./postgres/open-postgres.ts");
  // A step over a large table, or the wait for another process, may take longer than the limit of a statement.
  const patient = await migrateOrClose(
    await openPostgres<Tables>(address, { patient: true }),
    migrations,
  );
  await patient.close();
  return openPostgres<Tables>(address);
}

/** Migrates a database, and closes it if that fails. */
async function migrateOrClose<Tables>(
  database: Database<Tables>,
  options: MigrateOptions,
): Promise<Database<Tables>> {
  try {
    await migrate(database, options);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
