import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, rmSync, existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { AfterwordError } from "../../errors.ts";
import { shortenPath } from "../command/shortened.ts";
import { MIGRATIONS } from "../../backend/storage/migrations/list.ts";
import { MIGRATION_TABLE } from "../../storage/migrate.ts";

/**
 * Writes the present contents of a SQLite file into a new file beside `target`, with mode 0600, and
 * flushes it to the disk. Other connections are not held up, because SQLite gives this process a
 * snapshot (https://sqlite.org/wal.html). The copy needs no log beside it, and contains nothing of
 * deleted rows.
 *
 * @returns the new file, which is to be moved into place or removed
 * @throws AfterwordError `database-unusable`
 */
export function copyBeside(source: string, target: string): string {
  const draft = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString("hex")}`);
  makeEmpty(draft);
  try {
    const database = new DatabaseSync(source, { timeout: patience });
    try {
      database.prepare("VACUUM INTO ?").run(draft);
    } finally {
      database.close();
    }
    toDisk(draft);
    return draft;
  } catch (cause) {
    rmSync(draft, { force: true });
    throw new AfterwordError(
      "database-unusable",
      `${shortenPath(source)} cannot be copied to ${shortenPath(target)} (${reasonOf(cause)}): look at the free space, and whether the file is whole`,
      { cause },
    );
  }
}

/** Milliseconds to wait for a moment in which nobody holds the file alone. */
const patience = 10_000;

/** SQLite writes into an empty file, made here so that nobody else can ever read it. */
function makeEmpty(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (cause) {
    throw new AfterwordError(
      "database-unusable",
      `${dirname(file)} cannot be written (${reasonOf(cause)}): make it a directory that this process may write`,
      { cause },
    );
  }
}

/** Flushes a file's bytes, or a directory's names, to the disk. */
export function toDisk(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Finds the reason by the words of the file system or of SQLite. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && !("errcode" in error) ? String(error.code) : error.message;
}

/**
 * Reads a SQLite file, and changes nothing in it.
 *
 * @returns the steps that this release does not know, because a newer one took them
 * @throws AfterwordError `database-unusable`: it is not there, damaged, or another program's
 */
export function findUnknownSteps(file: string): readonly string[] {
  const name = shortenPath(file);
  if (!existsSync(file)) throw new AfterwordError("database-unusable", `There is no file ${name}`);
  let applied: ReadonlySet<string>;
  try {
    const database = new DatabaseSync(file, { timeout: 5000 });
    try {
      const [checked = ""] = listTexts(database, "PRAGMA quick_check(1)", "quick_check");
      if (checked !== "ok") throw new Error(checked);
      const tables = new Set(
        listTexts(database, "SELECT name FROM sqlite_schema WHERE type = 'table'", "name"),
      );
      applied = tables.has(MIGRATION_TABLE)
        ? new Set(listTexts(database, `SELECT name FROM ${MIGRATION_TABLE}`, "name"))
        : new Set();
    } finally {
      database.close();
    }
  } catch (cause) {
    throw new AfterwordError(
      "database-unusable",
      `${name} is damaged or no database at all (${reasonOf(cause)})`,
      { cause },
    );
  }
  if (applied.size === 0) {
    throw new AfterwordError("database-unusable", `${name} is no database of Afterword's backend`);
  }
  return [...applied.difference(new Set(MIGRATIONS.map(({ name }) => name)))].toSorted();
}

function listTexts(database: DatabaseSync, statement: string, column: string): readonly string[] {
  return database
    .prepare(statement)
    .all()
    .map((row) => String(row[column]));
}
