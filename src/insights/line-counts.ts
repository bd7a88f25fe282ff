import { type CompiledQuery, sql, type Transaction } from "kysely";
import { runTogether } from "../storage/run-together.ts";
import { COUNTS, type LineCounts, type LineKey } from "./facts.ts";
import { CONTENT_LINE } from "./shown-lines.ts";
import { type InsightsDatabase, type InsightsTables, rowsOf } from "./tables.ts";

type Queries = Transaction<InsightsTables>;

/** The counts of a line on a day. */
export type LineOfDay = LineKey & LineCounts & { readonly day: number };

/** Adds to the counts of lines. */
export async function addLines(
  queries: Queries,
  rows: readonly LineOfDay[],
  dialect: InsightsDatabase["dialect"],
): Promise<void> {
  await runTogether(queries, compileLines(queries, rows, dialect), dialect);
}

/**
 * Makes the statements that add to the counts of lines. Each line of an instance in a language and a
 * channel, by one speaker, is a numbered series. The sums of the bot's own lines by day are kept
 * beside these, because a trend would have to sort the days of all series.
 */
export function compileLines(
  queries: Queries,
  rows: readonly LineOfDay[],
  dialect: InsightsDatabase["dialect"],
): readonly CompiledQuery[] {
  if (rows.length === 0) return [];
  const given = rowsOf(
    rows.map((row) => {
      const { instance, language, channel, line, speaker, day } = row;
      return [instance, language, channel, line, speaker, day, ...COUNTS.map((name) => row[name])];
    }),
    dialect,
  );
  const day = sql`CAST(value ->> 5 AS bigint)`;
  const numbers = COUNTS.map((_, index) => sql`CAST(value ->> ${sql.lit(index + 6)} AS bigint)`);
  const columns = sql.join(COUNTS.map((name) => sql.ref(name)));
  const isSeries = sql`instance = value ->> 0 AND language = value ->> 1 AND channel = value ->> 2
    AND line = value ->> 3 AND speaker = value ->> 4`;
  const addSeries = sql`
    INSERT INTO insight_series (instance, language, channel, line, speaker)
    SELECT DISTINCT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4
    FROM ${given} WHERE NOT EXISTS (SELECT 1 FROM insight_series WHERE ${isSeries})
  `;
  const addToLines = sql`
    INSERT INTO insight_lines (series, day, ${columns})
    SELECT insight_series.id, ${day}, ${sql.join(numbers)} FROM ${given} CROSS JOIN insight_series WHERE ${isSeries}
    ON CONFLICT (series, day) DO UPDATE SET ${addTo("insight_lines")}
  `;
  const addToDays = sql`
    INSERT INTO insight_days (instance, day, line, channel, ${columns})
    SELECT value ->> 0, ${day}, value ->> 3, value ->> 2,
      ${sql.join(numbers.map((number) => sql`sum(${number})`))}
    FROM ${given} WHERE value ->> 3 NOT LIKE ${sql.lit(`${CONTENT_LINE}%`)} GROUP BY 1, 2, 3, 4
    ON CONFLICT (instance, day, line, channel) DO UPDATE SET ${addTo("insight_days")}
  `;
  return [addSeries, addToLines, addToDays].map((statement) => statement.compile(queries));
}

function addTo(table: "insight_lines" | "insight_days") {
  return sql.join(
    COUNTS.map((name) => {
      return sql`${sql.ref(name)} = ${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`;
    }),
  );
}

/**
 * Erases counts of lines, and returns how many there were.
 *
 * @param of the instances and the day whose counts are erased; null for all
 */
export async function eraseLines(
  queries: Queries,
  of: { readonly instances: readonly string[] | null; readonly day: number | null },
): Promise<bigint> {
  const { instances, day } = of;
  const { numDeletedRows } = await queries
    .deleteFrom("insight_lines")
    .$if(day !== null, (erasing) => erasing.where("day", "=", day ?? 0))
    .$if(instances !== null, (erasing) =>
      erasing.where("series", "in", (from) =>
        from
          .selectFrom("insight_series")
          .select("id")
          .where("instance", "in", instances ?? []),
      ),
    )
    .executeTakeFirstOrThrow();
  await queries
    .deleteFrom("insight_days")
    .$if(day !== null, (erasing) => erasing.where("day", "=", day ?? 0))
    .$if(instances !== null, (erasing) => erasing.where("instance", "in", instances ?? []))
    .execute();
  await forgetSeries(queries);
  return numDeletedRows;
}

/** Forgets the counts of days before this one. */
export async function forgetLines(queries: Queries, oldest: number): Promise<void> {
  await queries
    .deleteFrom("insight_lines")
    // Named, so that their days are found by the key.
    .where("series", "in", (from) => from.selectFrom("insight_series").select("id"))
    .where("day", "<", oldest)
    .execute();
  await queries.deleteFrom("insight_days").where("day", "<", oldest).execute();
  await forgetSeries(queries);
}

/** Forgets the series of which nothing is counted any more: clients name channels. */
async function forgetSeries(queries: Queries): Promise<void> {
  await queries
    .deleteFrom("insight_series")
    .where("id", "not in", (from) => from.selectFrom("insight_lines").select("series"))
    .execute();
}
