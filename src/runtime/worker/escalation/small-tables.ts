import type { ObjectStorage } from "../platform.ts";

/** Names that somebody holds for a while: the right to make a conversation's calls. */
export interface ClaimTable {
  claim(name: string, by: string, lease: number, now: number): boolean;
  release(name: string, by: string): void;
  /** Deletes those that have ended; when the last one ends, or null. */
  forget(now: number): number | null;
}

export function createClaimTable({ sql }: Pick<ObjectStorage, "sql">): ClaimTable {
  const here = (): boolean => hasTable(sql, "claims");
  return {
    claim(name, by, lease, now) {
      sql.exec(
        "CREATE TABLE IF NOT EXISTS claims (name TEXT PRIMARY KEY, holder TEXT NOT NULL, until INTEGER NOT NULL)",
      );
      const [held] = sql.exec("SELECT holder FROM claims WHERE name = ? AND until > ?", name, now);
      if (held !== undefined && held["holder"] !== by) return false;
      sql.exec("INSERT OR REPLACE INTO claims VALUES (?, ?, ?)", name, by, now + lease);
      return true;
    },
    release(name, by) {
      if (here()) sql.exec("DELETE FROM claims WHERE name = ? AND holder = ?", name, by);
    },
    forget(now) {
      if (!here()) return null;
      sql.exec("DELETE FROM claims WHERE until <= ?", now);
      const [last] = sql.exec("SELECT max(until) AS until FROM claims");
      return typeof last?.["until"] === "number" ? last["until"] : null;
    },
  };
}

/** Keys of conversations that an object leads to. */
export interface PointerTable {
  /** @param updated the latest are listed first, and the earliest leave when there are too many */
  point(key: string, updated: number): void;
  unpoint(key: string): void;
  list(limit: number): readonly string[];
}

export function createPointerTable({ sql }: Pick<ObjectStorage, "sql">): PointerTable {
  const here = (): boolean => hasTable(sql, "pointers");
  return {
    point(key, updated) {
      sql.exec(
        "CREATE TABLE IF NOT EXISTS pointers (key TEXT PRIMARY KEY, updated INTEGER NOT NULL)",
      );
      sql.exec("CREATE INDEX IF NOT EXISTS pointed ON pointers (updated)");
      sql.exec("INSERT OR REPLACE INTO pointers VALUES (?, ?)", key, updated);
      sql.exec(
        "DELETE FROM pointers WHERE key IN (SELECT key FROM pointers ORDER BY updated DESC LIMIT -1 OFFSET ?)",
        mostPointers,
      );
    },
    unpoint(key) {
      if (here()) sql.exec("DELETE FROM pointers WHERE key = ?", key);
    },
    list(limit) {
      if (!here()) return [];
      const found = sql.exec("SELECT key FROM pointers ORDER BY updated DESC LIMIT ?", limit);
      return Array.from(found, ({ key }) => String(key));
    },
  };
}

/** False before the first write, and after everything was deleted. */
export function hasTable(sql: ObjectStorage["sql"], name: string): boolean {
  return [...sql.exec("SELECT 1 FROM sqlite_master WHERE name = ?", name)].length > 0;
}

/** How many conversations that are under way are known together. */
export const mostPointers = 5000;
