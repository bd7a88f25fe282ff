import type { NewRow } from "../../escalation/stores/rows.ts";
import type { ObjectStorage } from "./platform.ts";

/** The entries of a record in the index objects. */
export interface IndexEntries {
  readonly key: string;
  /** The event id whose object points to the record; null if none does. */
  readonly event: string | null;
  /** The `updated` in the list of open conversations; null if it is not listed. */
  readonly listed: number | null;
}

/**
 * The record of one object, and the entries that index objects have of it. The first write creates
 * the tables, so that a mere read stores nothing.
 */
export function createRecordTable({ sql }: Pick<ObjectStorage, "sql">) {
  return {
    /** Null if there is none. */
    row() {
      const [found] = hasTable(sql, "escalation") ? [...sql.exec("SELECT * FROM escalation")] : [];
      if (found === undefined) return null;
      return {
        key: String(found["key"]),
        revision: Number(found["revision"]),
        value: String(found["value"]),
        event: String(found["event"]),
        wake: typeof found["wake"] === "number" ? found["wake"] : null,
        open: found["open"] === 1,
        pending: found["pending"] === 1,
        updated: Number(found["updated"]),
      };
    },
    put({ key, revision, value, event, wake, open, pending, updated }: NewRow): void {
      create();
      sql.exec(
        "INSERT OR REPLACE INTO escalation VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)",
        key,
        revision,
        value,
        event,
        wake,
        Number(open),
        Number(pending),
        updated,
      );
    },
    delete(): void {
      if (hasTable(sql, "escalation")) sql.exec("DELETE FROM escalation");
    },
    indexed(): IndexEntries {
      const [found] = hasTable(sql, "told") ? [...sql.exec("SELECT * FROM told")] : [];
      const { key, event, listed } = found ?? {};
      return {
        key: typeof key === "string" ? key : "",
        event: typeof event === "string" ? event : null,
        listed: typeof listed === "number" ? listed : null,
      };
    },
    setIndexed({ key, event, listed }: IndexEntries): void {
      create();
      sql.exec("INSERT OR REPLACE INTO told VALUES (1, ?, ?, ?)", key, event, listed);
    },
  };

  function create(): void {
    sql.exec(
      `CREATE TABLE IF NOT EXISTS escalation (id INTEGER PRIMARY KEY, key TEXT NOT NULL, revision INTEGER NOT NULL,
         value TEXT NOT NULL, event TEXT NOT NULL, wake INTEGER, open INTEGER NOT NULL, pending INTEGER NOT NULL,
         updated INTEGER NOT NULL)`,
    );
    sql.exec(
      "CREATE TABLE IF NOT EXISTS told (id INTEGER PRIMARY KEY, key TEXT NOT NULL, event TEXT, listed INTEGER)",
    );
  }
}

/** Leases: only the holder of one may make the calls of a conversation. */
export function createClaimTable({ sql }: Pick<ObjectStorage, "sql">) {
  const exists = (): boolean => hasTable(sql, "claims");
  return {
    claim(name: string, by: string, lease: number, now: number): boolean {
      sql.exec(
        "CREATE TABLE IF NOT EXISTS claims (name TEXT PRIMARY KEY, holder TEXT NOT NULL, until INTEGER NOT NULL)",
      );
      const [held] = sql.exec("SELECT holder FROM claims WHERE name = ? AND until > ?", name, now);
      if (held !== undefined && held["holder"] !== by) return false;
      sql.exec("INSERT OR REPLACE INTO claims VALUES (?, ?, ?)", name, by, now + lease);
      return true;
    },
    release(name: string, by: string): void {
      if (exists()) sql.exec("DELETE FROM claims WHERE name = ? AND holder = ?", name, by);
    },
    /** Deletes expired leases. Returns when the last of the others expires; null if there is none. */
    forget(now: number): number | null {
      if (!exists()) return null;
      sql.exec("DELETE FROM claims WHERE until <= ?", now);
      const [last] = sql.exec("SELECT max(until) AS until FROM claims");
      return typeof last?.["until"] === "number" ? last["until"] : null;
    },
  };
}

/** Keys of conversations that an index object points to. */
export function createPointerTable({ sql }: Pick<ObjectStorage, "sql">) {
  const exists = (): boolean => hasTable(sql, "pointers");
  return {
    /** @param updated the latest are listed first, and the oldest are dropped when there are too many */
    point(key: string, updated: number): void {
      sql.exec(
        "CREATE TABLE IF NOT EXISTS pointers (key TEXT PRIMARY KEY, updated INTEGER NOT NULL)",
      );
      sql.exec("CREATE INDEX IF NOT EXISTS pointed ON pointers (updated)");
      sql.exec("INSERT OR REPLACE INTO pointers VALUES (?, ?)", key, updated);
      sql.exec(
        "DELETE FROM pointers WHERE key IN (SELECT key FROM pointers ORDER BY updated DESC LIMIT -1 OFFSET ?)",
        maxPointers,
      );
    },
    unpoint(key: string): void {
      if (exists()) sql.exec("DELETE FROM pointers WHERE key = ?", key);
    },
    list(limit: number): readonly string[] {
      if (!exists()) return [];
      const found = sql.exec("SELECT key FROM pointers ORDER BY updated DESC LIMIT ?", limit);
      return Array.from(found, ({ key }) => String(key));
    },
  };
}

/** Most conversations that one index object lists. */
export const maxPointers = 5000;

/** False before the first write, and after everything was deleted. */
function hasTable(sql: ObjectStorage["sql"], name: string): boolean {
  return [...sql.exec("SELECT 1 FROM sqlite_master WHERE name = ?", name)].length > 0;
}
