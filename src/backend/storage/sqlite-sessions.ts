import type { DatabaseSync } from "node:sqlite";
import { parseHistoryItem, parseSession } from "./stored.ts";
import type { SessionStore, StorageLimits } from "./types.ts";

// Sessions that have expired are swept out by every so many new ones, not by each.
const sweepEvery = 1000;

/** Conversations in SQLite. A row that does not read back as what was written is as good as gone. */
export function sqliteSessions(database: DatabaseSync, limits: StorageLimits): SessionStore {
  const statements = {
    insert: database.prepare("INSERT INTO sessions (key, expires, state) VALUES (?, ?, ?)"),
    select: database.prepare("SELECT state FROM sessions WHERE key = ? AND expires > ?"),
    update: database.prepare("UPDATE sessions SET expires = ?, state = ? WHERE key = ?"),
    count: database.prepare("SELECT count(*) AS n FROM sessions"),
    sweep: database.prepare("DELETE FROM sessions WHERE expires <= ?"),
    evict: database.prepare(
      "DELETE FROM sessions WHERE key IN (SELECT key FROM sessions ORDER BY expires LIMIT ?)",
    ),
    say: database.prepare("INSERT INTO history (session, item) VALUES (?, ?)"),
    forget: database.prepare(
      `DELETE FROM history WHERE session = ?1 AND id <= (
         SELECT id FROM history WHERE session = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)`,
    ),
    history: database.prepare("SELECT item FROM history WHERE session = ? ORDER BY id"),
  };
  const count = (): number => Number(statements.count.get()?.["n"] ?? 0);
  let kept = count();
  let created = 0;

  const makeRoom = (now: number): void => {
    created += 1;
    if (kept < limits.sessions && created % sweepEvery !== 0) return;
    statements.sweep.run(now);
    kept = count();
    const excess = kept - limits.sessions + 1;
    if (excess > 0) kept -= Number(statements.evict.run(excess).changes);
  };

  return {
    async create(session, now) {
      makeRoom(now);
      statements.insert.run(session.key, session.expires, JSON.stringify(session));
      kept += 1;
    },
    async read(key, now) {
      const row = statements.select.get(key, now);
      return row === undefined ? null : parseSession(row["state"]);
    },
    async write(session, said) {
      database.exec("BEGIN IMMEDIATE");
      try {
        const { changes } = statements.update.run(
          session.expires,
          JSON.stringify(session),
          session.key,
        );
        if (Number(changes) > 0) {
          for (const item of said) statements.say.run(session.key, JSON.stringify(item));
          if (said.length > 0) statements.forget.run(session.key, limits.history);
        }
        database.exec("COMMIT");
      } catch (error) {
        database.exec("ROLLBACK");
        throw error;
      }
    },
    async history(key) {
      return statements.history.all(key).flatMap((row) => parseHistoryItem(row["item"]) ?? []);
    },
  };
}
