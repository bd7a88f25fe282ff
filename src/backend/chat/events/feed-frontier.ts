import { sql } from "kysely";
import { pause } from "../../../wait.ts";
import type { BackendDatabase } from "../../storage/tables/database.ts";
import { readNewest, readAfter } from "./feed-events.ts";
import type { FeedEvent } from "./feed-events.ts";

/**
 * Reads events in the order of their numbers, and never passes a number that may still appear.
 *
 * PostgreSQL assigns numbers before transactions commit, so a lower one may become visible after a
 * higher one, and a reader that only asked for what follows the highest would skip it. The events
 * after a missing number wait until every transaction that could own it has ended. Each of those
 * has held a lock on the table, which `pg_locks` shows, since before its number was assigned.
 * Transactions that write no events delay nothing. SQLite has one writer, so it has no such gaps.
 */
export interface Frontier {
  /** Every event up to this number has been returned, or will never exist. */
  readonly position: number;
  /** The events that follow, none of which may still get a predecessor. */
  next(limit: number): Promise<Advance>;
}

export interface Advance {
  readonly events: readonly FeedEvent[];
  /** Whether more events follow; `held`: they wait for a transaction that has not ended. */
  readonly more: "no" | "ready" | "held";
}

/** Begins after the events that exist now. */
export async function openFrontier(database: BackendDatabase): Promise<Frontier> {
  const { kysely } = database;
  const ordered = database.dialect === "sqlite";
  let position = await readNewest(kysely);
  if (!ordered) await waitUntilEnded(await readWriters(database), database);
  let misses = 0;
  let barrier: { readonly upTo: number; open: ReadonlySet<string> } | null = null;

  return {
    get position() {
      return position;
    },
    async next(limit) {
      const settled = ordered ? Number.POSITIVE_INFINITY : await settle();
      // Read after the locks, so that what had ended by then is visible.
      const page = await readAfter(kysely, position, limit);
      const rows = page.events;
      const events: FeedEvent[] = [];
      for (const row of rows) {
        if (row.number - 1 > Math.max(position, settled)) break;
        events.push(row);
        position = row.number;
      }
      const complete = page.complete && events.length === rows.length;
      if (complete && !ordered) position = Math.max(position, settled);
      if (events.length === rows.length) {
        misses = 0;
        return { events, more: complete ? "no" : "ready" };
      }
      misses += 1;
      // Most gaps close within milliseconds, so the locks are read only for one that lasts.
      if (barrier === null && misses > MISSES_BEFORE_LOCKS) {
        barrier = { upTo: rows.at(-1)?.number ?? 0, open: await readWriters(database) };
      }
      return { events, more: "held" };
    },
  };

  /** Returns the number up to which missing numbers will never appear. */
  async function settle(): Promise<number> {
    if (barrier === null) return 0;
    const { upTo, open } = barrier;
    const left = open.intersection(await readWriters(database));
    barrier = left.size === 0 ? null : { upTo, open: left };
    if (barrier === null) misses = 0;
    return barrier === null ? upTo : 0;
  }
}

const MISSES_BEFORE_LOCKS = 3;
/** Milliseconds. */
const POLL_INTERVAL = 5;

/** Reads the open transactions that have written events or may be about to. */
async function readWriters({ kysely }: BackendDatabase): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ readonly writer: string }>`
    SELECT virtualtransaction AS writer FROM pg_locks
    WHERE locktype = 'relation' AND relation = 'chat_log'::regclass AND mode = 'RowExclusiveLock'
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  `.execute(kysely);
  return new Set(rows.map(({ writer }) => writer));
}

async function waitUntilEnded(open: ReadonlySet<string>, database: BackendDatabase): Promise<void> {
  let left = open;
  while (left.size > 0) {
    await pause(POLL_INTERVAL);
    left = left.intersection(await readWriters(database));
  }
}
