import type { BackendDatabase } from "../storage/tables/database.ts";
import type { RateCounters, RateWindow } from "./counters.ts";

// A process takes a hundredth of a limit at a time, so that it asks the database once for so many
// calls. So it may refuse a little early: what other processes have taken and not used counts too.
const portions = 100;
const bound = 20_000;

interface Share {
  readonly start: number;
  readonly end: number;
  /** Calls of all processes when the last portion was taken, without what is left of it. */
  used: number;
  left: number;
  taking: Promise<void> | null;
}

/** Counters that all processes at one database share. */
export function sharedCounters(database: BackendDatabase): RateCounters {
  const shares = new Map<string, Share>();
  return {
    async add(window) {
      const share = shareOf(shares, window);
      while (share.left === 0) {
        share.taking ??= take(database, window, share).finally(() => {
          share.taking = null;
        });
        await share.taking;
      }
      share.left -= 1;
      share.used += 1;
      return share.used;
    },
  };
}

/** Deletes windows that have ended. */
export async function sweepCounters({ kysely }: BackendDatabase, now: number): Promise<void> {
  await kysely.deleteFrom("rate_windows").where("ends", "<=", now).execute();
}

function shareOf(shares: Map<string, Share>, { name, start, end }: RateWindow): Share {
  const held = shares.get(name);
  if (held !== undefined && held.start === start) return held;
  shares.delete(name);
  if (shares.size >= bound) shares.clear();
  const share: Share = { start, end, used: 0, left: 0, taking: null };
  shares.set(name, share);
  return share;
}

async function take(
  { kysely }: BackendDatabase,
  { name, start, end, most }: RateWindow,
  share: Share,
): Promise<void> {
  const portion = Math.max(1, Math.floor(most / portions));
  const row = { name: `${name}@${start}`, start, ends: end, taken: portion };
  const { taken } = await kysely
    .insertInto("rate_windows")
    .values(row)
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet((builder) => ({
        taken: builder("rate_windows.taken", "+", portion),
      })),
    )
    .returning("taken")
    .executeTakeFirstOrThrow();
  share.left = portion;
  share.used = taken - portion;
}
