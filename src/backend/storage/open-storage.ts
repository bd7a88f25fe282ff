import { createContents } from "./contents.ts";
import { createEvents } from "./events.ts";
import { openDatabase, type OpeningOptions } from "./open-database.ts";
import { createSessions } from "./sessions.ts";
import { keepSweeping } from "./sweeping.ts";
import { type Storage, STORAGE_LIMITS, type StorageLimits } from "./types.ts";

export interface StorageOptions {
  readonly limits?: StorageLimits;
  /** Milliseconds since the epoch. Default: the system's clock. */
  readonly now?: () => number;
  /** Milliseconds between two sweeps of what has expired. Default: a minute. */
  readonly sweepEvery?: number;
  /** Told about a sweep that failed; the next comes all the same. Default: nobody. */
  readonly report?: (error: unknown) => void;
  /** Told of every step that brings an older database up to this release. */
  readonly migrating?: OpeningOptions["report"];
}

/**
 * Opens the database at `address`, as `openDatabase` does, with everything that is kept in it.
 *
 * @throws AfterwordError `data-directory-unusable`, `database-unusable`
 *
 * @example
 * const storage = await openStorage(null);
 * await storage.sessions.create(session, Date.now());
 * await storage.close();
 */
export async function openStorage(
  address: string | null,
  options: StorageOptions = {},
): Promise<Storage> {
  const { limits = STORAGE_LIMITS, now = Date.now, sweepEvery = 60_000, migrating } = options;
  const database = await openDatabase(address, {
    now,
    ...(migrating !== undefined && { report: migrating }),
  });
  try {
    const sessions = await createSessions(database, limits);
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
  } catch (error) {
    await database.close();
    throw error;
  }
}
