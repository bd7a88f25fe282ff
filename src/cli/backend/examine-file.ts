import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { MIGRATIONS } from "../../backend/storage/migrations/list.ts";
import { AfterwordError } from "../../errors.ts";
import { shortened } from "./database-option.ts";
import { reasonOf } from "./sqlite-copy.ts";

/** What a SQLite file is, seen from this release. */
export interface Examined {
  /** Steps that it has and this release does not know. */
  readonly unknown: readonly string[];
  /** Steps that it lacks: a start takes them. */
  readonly missing: readonly string[];
}

/**
 * Looks at a SQLite file without changing anything in it: whether all of it can be read, and which
 * release wrote it.
 *
 * @throws AfterwordError `database-unusable`: it is not there, damaged, or another program's
 */
export function examineFile(file: string): Examined {
  const name = shortened(file);
  if (!existsSync(file)) throw new AfterwordError("database-unusable", `There is no file ${name}`);
  let tables: ReadonlySet<string>;
  let applied: ReadonlySet<string>;
  let version: number;
  try {
    const database = new DatabaseSync(file, { timeout: 5000 });
    try {
      const [checked = ""] = texts(database, "PRAGMA quick_check(1)", "quick_check");
      if (checked !== "ok") throw new Error(checked);
      tables = new Set(
        texts(database, "SELECT name FROM sqlite_schema WHERE type = 'table'", "name"),
      );
      applied = tables.has(record)
        ? new Set(texts(database, `SELECT name FROM ${record}`, "name"))
        : new Set();
      version = Number(texts(database, "PRAGMA user_version", "user_version")[0]);
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
  // The first release kept no list of steps.
  const first = version === 1 && ["sessions", "history", "events"].every((one) => tables.has(one));
  if (applied.size === 0 && !first) {
    throw new AfterwordError("database-unusable", `${name} is no database of Afterword's backend`);
  }
  const known = new Set(MIGRATIONS.map((step) => step.name));
  return {
    unknown: [...applied.difference(known)].toSorted(),
    missing: [...known.difference(applied)].toSorted(),
  };
}

const record = "afterword_migrations";

function texts(database: DatabaseSync, statement: string, column: string): readonly string[] {
  return database
    .prepare(statement)
    .all()
    .map((row) => String(row[column]));
}
