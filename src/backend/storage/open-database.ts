import type { MigrateOptions } from "../../storage/migrate.ts";
import { openMigrated } from "../../storage/open-migrated.ts";
import { MIGRATIONS } from "./migrations/list.ts";
import type { BackendDatabase, Tables } from "./tables/database.ts";

/** The listener for the steps that bring an older database up to this release. */
export type OpeningOptions = Pick<MigrateOptions, "report">;

/**
 * Opens the backend's database, made when there is none; null is one in memory.
 *
 * @throws AfterwordError as {@link openMigrated}
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
  return openMigrated<Tables>(address, { ...options, migrations: MIGRATIONS });
}
