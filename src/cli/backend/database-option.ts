import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { BackendDatabase } from "../../backend/storage/tables/database.ts";
import { openDatabase, type OpeningOptions } from "../../backend/storage/open-database.ts";
import { databaseFault, isPostgresAddress } from "../../config/schema/database-address.ts";
import { AfterwordError } from "../../errors.ts";
import type { Arguments, Option } from "../arguments.ts";
import { shortened } from "../shortened.ts";

const byDefault = ".afterword/backend.db";
/** That of `npm start`: beside its configuration. */
const byConfiguration = "config/.afterword/backend.db";

export const databaseOption: Option = {
  name: "database",
  value: "ADDRESS",
  help: `SQLite file or postgres://… (default: ${byDefault})`,
};

/**
 * The database that the arguments name: an absolute path, or an address of PostgreSQL's.
 *
 * @throws AfterwordError `argument-invalid` for the address of anything else
 */
export function databaseOf(args: Arguments): string {
  const given = args.one("database") ?? byDefault;
  const fault = databaseFault(given);
  if (fault !== null) throw new AfterwordError("argument-invalid", `--database: ${fault}`);
  return isPostgresAddress(given) ? given : resolve(given);
}

/** Where secrets and generated credentials of a backend with this database lie. */
export function dataDirectoryOf(database: string): string {
  return isPostgresAddress(database) ? resolve(".afterword") : dirname(database);
}

/**
 * Opens a database that is there already, and closes it when `work` has ended. Nobody wants an
 * empty database because of a mistyped path.
 *
 * @throws AfterwordError `database-unusable` for a file that is not there, and what `openDatabase`
 *   throws
 */
export async function withDatabase<T>(
  database: string,
  work: (handle: BackendDatabase) => Promise<T>,
  options: OpeningOptions = {},
): Promise<T> {
  refuseAbsent(database);
  const handle = await openDatabase(database, options);
  try {
    return await work(handle);
  } finally {
    await handle.close();
  }
}

/** @throws AfterwordError `database-unusable` for a file that is not there */
export function refuseAbsent(database: string): void {
  if (isPostgresAddress(database) || existsSync(database)) return;
  const way =
    database === resolve(byDefault) && existsSync(byConfiguration)
      ? `this folder's configuration keeps one, --database ${byConfiguration}`
      : "name it with --database, or make one with afterword backend init";
  throw new AfterwordError(
    "database-unusable",
    `There is no database ${shortened(database)}: ${way}`,
  );
}
