import { databaseFault } from "../../config/database-address.ts";
import { AfterwordError } from "../../errors.ts";
import type { DatabaseHandle } from "./database-handle.ts";
import { migrate, type MigrateOptions } from "./migrations/migrate.ts";
import { isPostgresAddress } from "./postgres/address.ts";
import { openSqlite } from "./sqlite/open-sqlite.ts";

/**
 * Opens a database and brings it up to this release.
 *
 * @param address a SQLite file, made when there is none; `postgres://…`; or null for SQLite in
 *   memory
 * @throws AfterwordError `data-directory-unusable` for a file, `database-unusable` for PostgreSQL:
 *   it can't be opened, or it
 * is of a newer release, or another program's; `database-unusable` for an address of any other kind
 *
 * @example
 * const database = await openDatabase(".afterword/backend.db");
 * const rows = await database.kysely.selectFrom("sessions").select("key").execute();
 * await database.close();
 */
export async function openDatabase(
  address: string | null,
  options: MigrateOptions = {},
): Promise<DatabaseHandle> {
  const fault = address === null ? null : databaseFault(address);
  if (fault !== null) throw new AfterwordError("database-unusable", `The database: ${fault}`);
  if (address === null || !isPostgresAddress(address)) {
    return migrated(await openSqlite(address), options);
  }
  // Who keeps a file does without the driver.
  const { openPostgres } = await import("./postgres/open-postgres.ts");
  // A step over a large table, or waiting for another process's, may take longer than any statement
  // of a request.
  const patient = await migrated(await openPostgres(address, { patient: true }), options);
  await patient.close();
  return openPostgres(address);
}

async function migrated(
  database: DatabaseHandle,
  options: MigrateOptions,
): Promise<DatabaseHandle> {
  try {
    await migrate(database, options);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
