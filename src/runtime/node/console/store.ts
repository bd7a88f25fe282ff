import type { StoredReview } from "../../../gateway/console/files.ts";
import { type Generated, type Kysely, sql } from "kysely";
import type { Database } from "../../../storage/database.ts";
import { toColumnTypes, executeAll, type Migration } from "../../../storage/migrate.ts";
import { openMigrated } from "../../../storage/open-migrated.ts";

/**
 * The tables of the console. Times are milliseconds since the epoch, files as its API names them.
 */
export interface ConsoleTables {
  draft_texts: DraftTextTable;
  draft_files: DraftFileTable;
  publications: PublicationTable;
  publication_files: PublicationFileTable;
  audit: AuditTable;
  reviews: StoredReview;
}

/** A text of a draft. */
export interface DraftTextTable {
  label: string;
  file: string;
  /** The id of the text in the file. */
  id: string;
  instance: string;
  locale: string;
  key: string;
  channel: string;
  /** Null if the whole line is removed. */
  text: string | null;
  at: number;
}

/** A file as it was when a draft of it began. */
interface DraftFileTable {
  label: string;
  file: string;
  /** Null if there was none. */
  text: string | null;
}

/** A publication. While its state is `writing`, the row is also the journal of the write. */
export interface PublicationTable {
  id: Generated<number>;
  label: string;
  note: string;
  at: number;
  restores: number | null;
  state: "writing" | "done" | "undone";
  snapshot: string | null;
  /** The kind of file that contents were imported from; null if it is no import. */
  format: string | null;
  /** The name of that file. */
  source: string | null;
  /** The greatest id that the import gave to a content. */
  last: number | null;
}

export interface PublicationFileTable {
  publication: number;
  file: string;
  before: string | null;
  after: string | null;
  /** The instances whose texts the file has: a JSON list. */
  instances: string;
}

interface AuditTable {
  id: Generated<number>;
  at: number;
  label: string;
  action: string;
  details: string;
}

export type ConsoleDatabase = Database<ConsoleTables>;
export type ConsoleQueries = Kysely<ConsoleTables>;

/** Name of the database's file in the folder `data` of the configuration. */
export const CONSOLE_FILE = "console.db";

/**
 * Opens the console's database, and creates it if there is none.
 *
 * @throws AfterwordError `data-directory-unusable`
 */
export async function openConsoleDatabase(file: string): Promise<ConsoleDatabase> {
  return openMigrated<ConsoleTables>(file, { migrations: [first] });
}

/** Adds an entry to the audit log. */
export function addAuditEntry(
  queries: ConsoleQueries,
  at: number,
  label: string,
  action: string,
  details: string,
): Promise<unknown> {
  return queries.insertInto("audit").values({ at, label, action, details }).execute();
}

const first: Migration = {
  name: "0001-first-release-2",
  async up(database, dialect) {
    const { identity, integer, strict } = toColumnTypes(dialect);
    await executeAll(database, [
      sql`CREATE TABLE draft_texts (
        label text NOT NULL, file text NOT NULL, id text NOT NULL, instance text NOT NULL,
        locale text NOT NULL, key text NOT NULL, channel text NOT NULL, text text,
        at ${integer} NOT NULL, PRIMARY KEY (label, file, id)
      ) ${strict}`,
      sql`CREATE TABLE draft_files (
        label text NOT NULL, file text NOT NULL, text text, PRIMARY KEY (label, file)
      ) ${strict}`,
      sql`CREATE TABLE publications (
        id ${identity}, label text NOT NULL, note text NOT NULL, at ${integer} NOT NULL,
        restores ${integer}, state text NOT NULL, snapshot text,
        format text, source text, last ${integer}
      ) ${strict}`,
      sql`CREATE TABLE publication_files (
        publication ${integer} NOT NULL REFERENCES publications (id), file text NOT NULL,
        before text, after text, instances text NOT NULL, PRIMARY KEY (publication, file)
      ) ${strict}`,
      sql`CREATE TABLE audit (
        id ${identity}, at ${integer} NOT NULL, label text NOT NULL, action text NOT NULL,
        details text NOT NULL
      ) ${strict}`,
      sql`CREATE TABLE reviews (
        locale text NOT NULL, key text NOT NULL, text text NOT NULL, "from" text NOT NULL,
        source text NOT NULL, label text NOT NULL, at ${integer} NOT NULL,
        PRIMARY KEY (locale, key, text, "from")
      ) ${strict}`,
    ]);
  },
};
