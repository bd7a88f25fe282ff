import { type Kysely, sql } from "kysely";
import type { Tables } from "./tables/database.ts";

/**
 * Keeps the number of sessions within a limit. It is counted here, because counting rows takes
 * long.
 */
export interface Room {
  /**
   * One more has come. What is too much goes: those that have expired first, then those that would
   * expire first.
   */
  added(now: number): Promise<void>;
  /**
   * Deletes what has expired, a little at a time, and counts anew what others have added or
   * removed.
   */
  sweep(now: number): Promise<void>;
}

/** Rows that are deleted at once: nobody waits long behind them. */
const handful = 500;

export async function createRoom(kysely: Kysely<Tables>, limit: number): Promise<Room> {
  let kept = await count(kysely);
  let shrinking = Promise.resolve();
  return {
    added(now) {
      kept += 1;
      return kept > limit ? inTurn(() => shrink(now)) : Promise.resolve();
    },
    sweep: (now) =>
      inTurn(async () => {
        while ((await deleteFirst(kysely, handful, now)) === handful);
        kept = await count(kysely);
        await shrink(now);
      }),
  };

  /** Two at once would go for the same rows, and each believe that they were its own. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    const done = shrinking.then(work);
    shrinking = done.catch(() => undefined);
    return done;
  }

  async function shrink(now: number): Promise<void> {
    if (kept <= limit) return;
    const expired = await deleteFirst(kysely, Math.max(kept - limit, handful), now);
    kept -= expired;
    if (kept <= limit) return;
    const excess = kept - limit;
    const gone = await deleteFirst(kysely, excess);
    // Fewer than there should be: another engine deletes too.
    if (gone === excess) kept -= gone;
    else kept = await count(kysely);
  }
}

/** Deletes the sessions that expire first, or those of them that have expired by `now`. */
async function deleteFirst(kysely: Kysely<Tables>, most: number, now?: number): Promise<number> {
  const expired = now === undefined ? sql`` : sql`WHERE expires <= ${now}`;
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM sessions WHERE key IN (
      SELECT key FROM sessions ${expired} ORDER BY expires LIMIT ${sql.lit(most)}
    )
  `.execute(kysely);
  return Number(numAffectedRows);
}

async function count(kysely: Kysely<Tables>): Promise<number> {
  const rows = await kysely
    .selectFrom("sessions")
    .select(({ fn }) => fn.countAll<number>().as("sessions"))
    .execute();
  return rows[0]?.sessions ?? 0;
}
