import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { BackendDatabase } from "../../backend/storage/tables/database.ts";
import { openDatabase, type OpeningOptions } from "../../backend/storage/open-database.ts";
import { findDatabaseFault, isPostgresAddress } from "../../database-address.ts";
import { AfterwordError } from "../../errors.ts";
import { readBackendDatabase } from "../../config/load/backend-database.ts";
import type { Arguments, Option } from "../command/arguments.ts";
import { findConfigFile, configOption, type Terminal } from "../command/command.ts";
import { shortenPath } from "../command/shortened.ts";

const byDefault = ".afterword/backend.db";
/** That of `npm start`: beside its configuration. */
const byConfiguration = "config/.afterword/backend.db";

export const databaseOption: Option = {
  name: "database",
  value: "ADDRESS",
  help: `SQLite file or postgres://… (default: ${byDefault})`,
};

/** For the commands that look after the database of a bot. */
export const databaseOptions: readonly Option[] = [
  {
    name: "database",
    value: "ADDRESS",
    help: `SQLite file or postgres://… (default: that of the configuration, else ${byDefault})`,
  },
  configOption,
];

/**
 * The database that the arguments name: an absolute path, or an address of PostgreSQL's.
 *
 * @throws AfterwordError `argument-invalid` for the address of anything else
 */
export function databaseOf(args: Arguments): string {
  const given = args.one("database") ?? byDefault;
  const fault = findDatabaseFault(given);
  if (fault !== null) throw new AfterwordError("argument-invalid", `--database: ${fault}`);
  return isPostgresAddress(given) ? given : resolve(given);
}

/**
 * As {@link databaseOf}; without `--database` that of the configuration's embedded backend, so that
 * a key opens the gateway of this folder.
 *
 * @throws AfterwordError also `config-invalid` for a configuration that names none
 */
export function findDatabase(args: Arguments, terminal: Terminal): string {
  return findBackendPlaces(args, terminal).database;
}

export interface BackendPlaces {
  /** As {@link findDatabase} finds it. */
  readonly database: string;
  /** The directory of the console's database and of generated credentials. */
  readonly data: string;
}

/** @throws AfterwordError as {@link findDatabase} does */
export function findBackendPlaces(args: Arguments, terminal: Terminal): BackendPlaces {
  if (args.one("database") !== null) return toPlaces(databaseOf(args));
  const named = args.one("config");
  const file = findConfigFile(named, terminal);
  if (named === null && !existsSync(file)) return toPlaces(databaseOf(args));
  const read = readBackendDatabase(file, terminal.env);
  if (read.address !== null) {
    return named !== null || read.isUsed
      ? { database: read.address, data: read.data }
      : toPlaces(databaseOf(args));
  }
  const why = read.error === null ? "" : ` (${read.error.message})`;
  throw new AfterwordError(
    "config-invalid",
    `${file} does not say which database the bot has${why}: correct it, or name the database with --database`,
  );
}

function toPlaces(database: string): BackendPlaces {
  return { database, data: dataDirectoryOf(database) };
}

/** Opens the database of {@link findDatabase}, and says so when there was none. */
export async function openOrMake(args: Arguments, terminal: Terminal): Promise<BackendDatabase> {
  const address = findDatabase(args, terminal);
  const isNew = !isPostgresAddress(address) && !existsSync(address);
  const database = await openDatabase(address);
  if (isNew) terminal.error(`made a new database ${shortenPath(database.name)}\n`);
  return database;
}

/**
 * Returns the directory of the secrets and generated credentials of a backend with this database.
 */
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
    `There is no database ${shortenPath(database)}: ${way}`,
  );
}
