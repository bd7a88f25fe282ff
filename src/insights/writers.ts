import type { CompiledQuery, Transaction } from "kysely";
import type { Gap } from "./gaps.ts";
import type { InsightsDatabase, InsightsTables } from "./tables.ts";

/** The longest interval between two writes of a counting process, in milliseconds. */
export const everyIdle = 30_000;

/** A process that was silent for longer has been killed, in milliseconds. */
const silentAfter = 3 * everyIdle;

/**
 * Compiles the statement that records when this process last wrote, because a killed process loses
 * what came later.
 */
export function compileWriter(
  queries: Transaction<InsightsTables>,
  writer: string,
  now: number,
): CompiledQuery {
  return queries
    .insertInto("insight_writers")
    .values({ writer, at: now })
    .onConflict((conflict) => conflict.column("writer").doUpdateSet({ at: now }))
    .compile();
}

/** Takes the gaps of other processes that were killed. */
export async function takeEndedWriters(
  queries: Transaction<InsightsTables>,
  writer: string,
  now: number,
): Promise<readonly Gap[]> {
  const ended = await queries
    .deleteFrom("insight_writers")
    .where("at", "<", now - silentAfter)
    .where("writer", "<>", writer)
    .returning("at")
    .execute();
  const why = "a process ended suddenly, and its last second may be missing";
  return ended.map(({ at }) => ({ since: at, until: at + everyIdle, why }));
}

/** A process that closes leaves no gap. */
export async function forgetWriter({ kysely }: InsightsDatabase, writer: string): Promise<void> {
  await kysely.deleteFrom("insight_writers").where("writer", "=", writer).execute();
}
