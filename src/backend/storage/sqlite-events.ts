import type { DatabaseSync } from "node:sqlite";
import type { EventStore, StorageLimits, TrackedEvent } from "./types.ts";

/** Reported events in SQLite. */
export function sqliteEvents(database: DatabaseSync, limits: StorageLimits): EventStore {
  const insert = database.prepare(
    "INSERT INTO events (at, project, session, type, data) VALUES (?, ?, ?, ?, ?)",
  );
  // Ids grow by one, so the newest id tells which are too many.
  const forget = database.prepare("DELETE FROM events WHERE id <= ?");
  const select = database.prepare(
    "SELECT at, project, session, type, data FROM events ORDER BY id DESC LIMIT ?",
  );
  return {
    async append({ at, project, session, type, data }) {
      const { lastInsertRowid } = insert.run(at, project, session, type, data);
      forget.run(Number(lastInsertRowid) - limits.events);
    },
    async latest(limit) {
      return select.all(limit).map(toEvent).toReversed();
    },
  };
}

function toEvent(row: Readonly<Record<string, unknown>>): TrackedEvent {
  return {
    at: Number(row["at"]),
    project: String(row["project"]),
    session: String(row["session"]),
    type: String(row["type"]),
    data: String(row["data"]),
  };
}
