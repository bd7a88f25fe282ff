import { createContents } from "./contents.ts";
import { openDatabase, type OpeningOptions } from "./open-database.ts";
import { createSessions } from "./sessions.ts";
import { keepSweeping } from "./sweeping.ts";
import { type Storage, STORAGE_LIMITS, type StorageLimits, type EventStore } from "./types.ts";
import { sql } from "kysely";
import type { BackendDatabase } from "./tables/database.ts";

export interface StorageOptions {
  readonly limits?: StorageLimits;
  /** Milliseconds since the epoch. Default: the system's clock. */
  readonly now?: () => number;
  /** Milliseconds between two sweeps of expired rows. Default: a minute. */
  readonly sweepEvery?: number;
  /** Called for a sweep that failed; the next comes all the same. Default: nothing happens. */
  readonly report?: (error: unknown) => void;
  /** Called with every step that brings an older database up to this release. */
  readonly migrating?: OpeningOptions["report"];
}

/**
 * Opens the database at `address`, as `openDatabase` does, with everything that is kept in it.
 *
 * @throws AfterwordError `data-directory-unusable`, `database-unusable`
 *
 * @example
 * const storage = await openStorage(null);
 * await storage.sessions.create(session);
 * await storage.close();
 */
export async function openStorage(
  address: string | null,
  options: StorageOptions = {},
): Promise<Storage> {
  const { limits = STORAGE_LIMITS, now = Date.now, sweepEvery = 60_000, migrating } = options;
  const database = await openDatabase(address, { report: migrating });
  const sessions = createSessions(database, limits);
  const report = options.report ?? (() => undefined);
  const endSweeping = keepSweeping(() => sessions.sweep(now()), sweepEvery, report);
  return {
    database,
    sessions,
    events: createEvents(database, limits),
    contents: createContents(database),
    async close() {
      await endSweeping();
      await database.close();
    },
  };
}

/** Reported events in a database. */
function createEvents(
  database: BackendDatabase,
  limits: Pick<StorageLimits, "events">,
): EventStore {
  const { kysely } = database;
  // Ids grow by one, so the newest id determines which events exceed the limit.
  const forget = sql`
    DELETE FROM events WHERE id <= (SELECT max(id) FROM events) - ${sql.lit(limits.events)}
  `.compile(kysely);
  return {
    async append({ at, project, session, type, data }) {
      const insert = kysely.insertInto("events").values({ at, project, session, type, data });
      await database.batch([insert.compile(), forget]);
    },
    async latest(limit) {
      const rows = await kysely
        .selectFrom("events")
        .select(["at", "project", "session", "type", "data"])
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
      return rows.toReversed();
    },
  };
}
