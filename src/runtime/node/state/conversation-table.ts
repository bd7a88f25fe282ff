import type { DatabaseSync } from "node:sqlite";
import { memoryLifetime } from "../../../conversation/memory.ts";

/**
 * Stored conversations by key, in SQLite. Every call blocks; times are milliseconds since the
 * epoch.
 */
export interface ConversationTable {
  /** The stored text, or null. */
  get(key: string, now: number): string | null;
  put(key: string, value: string, now: number): void;
  /** Deletes what has expired. */
  sweep(now: number): void;
}

/**
 * A read alone moves the expiry at most this often, in milliseconds, so that most reads write
 * nothing.
 */
const touchEvery = 60_000;

/**
 * So nobody is forgotten before {@link memoryLifetime}, though the last reads may not have moved
 * the expiry.
 */
const lifetime = memoryLifetime + touchEvery;

/** @param limit at most so many conversations; the one that was silent longest leaves first */
export function createConversationTable(database: DatabaseSync, limit: number): ConversationTable {
  const select = database.prepare(
    "SELECT value, expires FROM conversations WHERE key = ? AND expires > ?",
  );
  const touch = database.prepare("UPDATE conversations SET expires = ? WHERE key = ?");
  const update = database.prepare("UPDATE conversations SET expires = ?, value = ? WHERE key = ?");
  const insert = database.prepare(
    `INSERT INTO conversations (key, expires, value) VALUES (?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET expires = excluded.expires, value = excluded.value`,
  );
  const count = database.prepare("SELECT count(*) AS n FROM conversations");
  const expired = database.prepare("DELETE FROM conversations WHERE expires <= ?");
  const oldest = database.prepare(
    "DELETE FROM conversations WHERE key IN (SELECT key FROM conversations ORDER BY expires LIMIT ?)",
  );
  // Counting is slow, so it is done once for this many new ones. Other processes write too:
  // together they may go over the limit by as many each, until one of them counts again.
  const batch = Math.max(1, Math.floor(limit / 100));
  let room = 0;

  return {
    get(key, now) {
      const row = select.get(key, now);
      if (row === undefined) return null;
      const expires = now + lifetime;
      if (expires - Number(row["expires"]) >= touchEvery) touch.run(expires, key);
      return String(row["value"]);
    },
    put(key, value, now) {
      if (Number(update.run(now + lifetime, value, key).changes) > 0) return;
      if (room === 0) makeRoom();
      insert.run(key, now + lifetime, value);
      room -= 1;
    },
    sweep(now) {
      expired.run(now);
    },
  };

  function makeRoom(): void {
    const kept = Number(count.get()?.["n"] ?? 0);
    if (kept + batch > limit) oldest.run(kept + batch - limit);
    room = batch;
  }
}
