import { join } from "node:path";
import { openDatabase } from "../../../src/backend/storage/open-database.ts";
import type { BackendDatabase } from "../../../src/backend/storage/tables/database.ts";
import type { Ended } from "../../runtime/processes/processes.ts";
import { endedHere } from "../terminal.ts";

/**
 * Runs `afterword backend …` in this process, on the database and the contents that it would find
 * in that folder.
 */
export function backendIn(
  cwd: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Ended> {
  const place = ["--database", join(cwd, ".afterword", "backend.db")];
  if (args[0] === "init") place.push("--content", join(cwd, "config", "backend"));
  return endedHere(["backend", ...args, ...place], env);
}

/** Opens a database for one piece of work, as a program beside the command line would. */
export async function inDatabase<T>(
  address: string,
  work: (database: BackendDatabase) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(address);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** The value behind a label, as the command line shows credentials. */
export function shown(label: string, text: string): string {
  const line = text.split("\n").find((one) => one.startsWith(`${label} `));
  if (line === undefined) throw new Error(`no ${label} in ${text}`);
  return line.slice(label.length).trim();
}
