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

const defaultPath = ".afterword/backend.db";
/** The database of `npm start`, beside its configuration. */
const configuredPath = "config/.afterword/backend.db";

export const databaseOption: Option = {
  name: "database",
  value: "ADDRESS",
  help: `SQLite file or postgres://… (default: ${defaultPath})`,
};

/** Options of commands that work on a bot's database. */
export const databaseOptions: readonly Option[] = [
  {
    name: "database",
    value: "ADDRESS",
    help: `SQLite file or postgres://… (default: that of the configuration, else ${defaultPath})`,
  },
  configOption,
];

/**
 * Reads the database from the arguments: an absolute path, or a PostgreSQL address.
 *
 * @throws AfterwordError `argument-invalid` for any other address
 */
export function databaseOf(args: Arguments): string {
  const given = args.one("database") ?? defaultPath;
  const fault = findDatabaseFault(given);
  if (fault !== null) throw new AfterwordError("argument-invalid", `--database: ${fault}`);
  return isPostgresAddress(given) ? given : resolve(given);
}

/**
 * Like {@link databaseOf}, but without `--database` it finds the database of the configuration's
 * embedded backend, so that a key opens the gateway of this folder.
 *
 * @throws AfterwordError also `config-invalid` for a configuration without a database
 */
export function findDatabase(args: Arguments, terminal: Terminal): string {
  return findBackendPaths(args, terminal).database;
}

export interface BackendPaths {
  /** As {@link findDatabase} finds it. */
  readonly database: string;
  /** The directory of the console's database and of generated credentials. */
  readonly data: string;
}

/** @throws AfterwordError as {@link findDatabase} does */
export function findBackendPaths(args: Arguments, terminal: Terminal): BackendPaths {
  if (args.one("database") !== null) return toPaths(databaseOf(args));
  const named = args.one("config");
  const file = findConfigFile(named, terminal);
  if (named === null && !existsSync(file)) return toPaths(databaseOf(args));
  const read = readBackendDatabase(file, terminal.env);
  if (read.address !== null) {
    return named !== null || read.isUsed
      ? { database: read.address, data: read.data }
      : toPaths(databaseOf(args));
  }
  const why = read.error === null ? "" : ` (${read.error.message})`;
  throw new AfterwordError(
    "config-invalid",
    `${file} does not say which database the bot has${why}: correct it, or name the database with --database`,
  );
}

function toPaths(database: string): BackendPaths {
  return { database, data: dataDirectoryOf(database) };
}

/** Opens the database of {@link findDatabase}. Creates it if it is missing, and says so. */
export async function openOrCreate(args: Arguments, terminal: Terminal): Promise<BackendDatabase> {
  const address = findDatabase(args, terminal);
  const isNew = !isPostgresAddress(address) && !existsSync(address);
  const database = await openDatabase(address);
  if (isNew) terminal.error(`created a new database ${shortenPath(database.name)}\n`);
  return database;
}

/**
 * Returns the directory of the secrets and generated credentials of a backend with this database.
 */
export function dataDirectoryOf(database: string): string {
  return isPostgresAddress(database) ? resolve(".afterword") : dirname(database);
}

/**
 * Opens an existing database, and closes it after `work`. A mistyped path creates no database.
 *
 * @throws AfterwordError `database-unusable` for a missing file, or an error of `openDatabase`
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

/** @throws AfterwordError `database-unusable` for a missing file */
export function refuseAbsent(database: string): void {
  if (isPostgresAddress(database) || existsSync(database)) return;
  const hint =
    database === resolve(defaultPath) && existsSync(configuredPath)
      ? `this folder's configuration keeps one, --database ${configuredPath}`
      : "name it with --database, or make one with afterword backend init";
  throw new AfterwordError(
    "database-unusable",
    `There is no database ${shortenPath(database)}: ${hint}`,
  );
}
