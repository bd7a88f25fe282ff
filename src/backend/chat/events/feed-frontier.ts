import { sql } from "kysely";
import { pause } from "../../../wait.ts";
import type { BackendDatabase } from "../../storage/tables/database.ts";
import { readNewest, readBehind } from "./feed-events.ts";
import type { FeedEvent } from "./feed-events.ts";

/**
 * Reads what happened, in the order of its numbers, and never goes past a number that may still
 * appear.
 *
 * PostgreSQL gives out numbers before transactions end, so a lower one may become visible after a
 * higher one: a reader that only asked for what is behind the highest would skip it. Where a number
 * is missing, what is behind it waits until every transaction that could have it has ended. Those
 * hold a lock on the table from before the number was given out, which `pg_locks` shows;
 * transactions that do something else hold up nobody. SQLite has one writer, and no such gaps.
 */
export interface Frontier {
  /** Every event up to this number has been given, or will never be there. */
  readonly position: number;
  /** The events that follow, none of which may still get a predecessor. */
  next(limit: number): Promise<Advance>;
}

export interface Advance {
  readonly events: readonly FeedEvent[];
  /** True: there is more than was given. `held`: it waits for a transaction that has not ended. */
  readonly more: "no" | "ready" | "held";
}

/** Begins behind what is there now. */
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
      const page = await readBehind(kysely, position, limit);
      const rows = page.events;
      const events: FeedEvent[] = [];
      for (const row of rows) {
        if (row.number - 1 > Math.max(position, settled)) break;
        events.push(row);
        position = row.number;
      }
      const whole = page.whole && events.length === rows.length;
      if (whole && !ordered) position = Math.max(position, settled);
      if (events.length === rows.length) {
        misses = 0;
        return { events, more: whole ? "no" : "ready" };
      }
      misses += 1;
      // Most gaps close within milliseconds; only a lasting one is worth looking at the locks.
      if (barrier === null && misses > patience) {
        barrier = { upTo: rows.at(-1)?.number ?? 0, open: await readWriters(database) };
      }
      return { events, more: "held" };
    },
  };

  /** Numbers up to this one that are missing now will never appear. */
  async function settle(): Promise<number> {
    if (barrier === null) return 0;
    const { upTo, open } = barrier;
    const left = open.intersection(await readWriters(database));
    barrier = left.size === 0 ? null : { upTo, open: left };
    if (barrier === null) misses = 0;
    return barrier === null ? upTo : 0;
  }
}

const patience = 3;
const wait = 5;

/** Transactions that have written events, or may be about to, and have not ended. */
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
    await pause(wait);
    left = left.intersection(await readWriters(database));
  }
}
