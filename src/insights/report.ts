import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import { assembleReport, dateOf, withUnrecovered } from "./assemble-report.ts";
import { dayOf } from "./batch.ts";
import {
  COUNTS,
  type ContentCounts,
  DEMO_TOPIC,
  type InsightsReport,
  type ReportFilter,
} from "./facts.ts";
import type { Gap } from "./gaps.ts";
import { CONTENT_LINE, findContent, toContentLine } from "./shown-lines.ts";
import type { InsightsDatabase, InsightsTables } from "./tables.ts";

/** The sum of each count, under the name of the count. */
const SUMS = COUNTS.map((name) => sql<number>`sum(${sql.ref(name)})`.as(name));

/** Reads the counts of a period. */
export async function readReport(
  { kysely }: Pick<InsightsDatabase, "kysely">,
  filter: ReportFilter,
): Promise<InsightsReport> {
  const from = filter.from === null ? null : dayOf(Date.parse(filter.from));
  const to = filter.to === null ? null : dayOf(Date.parse(filter.to));
  const instances = filter.instances && [...filter.instances, ""];
  const bounds = { from, to, instances };
  const topics = await kysely
    .selectFrom("insight_topics")
    .select(["topic", "instance", "name"])
    .select(({ fn }) => fn.sum<number>("count").as("count"))
    .where((where) => where.and(selectWithin(where, bounds)))
    .groupBy(["topic", "instance", "name"])
    .execute();
  const lines = await readLines(kysely, bounds, filter);
  const days = filter.days === false ? [] : await readDays(kysely, bounds, filter);
  const demo = await readDemo(kysely, bounds);
  const gaps = await readGaps(kysely, from, to);
  const rows = { lines, days, topics, demo, gaps };
  const report = assembleReport(filter, rows);
  const { contents: named } = filter;
  if (named === undefined) return report;
  return { ...report, contents: await readContents(kysely, bounds, filter, named) };
}

async function readContents(
  kysely: InsightsDatabase["kysely"],
  bounds: Bounds,
  filter: ReportFilter,
  named: NonNullable<ReportFilter["contents"]>,
): Promise<readonly ContentCounts[]> {
  const rows = await sumSeries(kysely, bounds, filter, (where) =>
    named === "all"
      ? [where("line", "like", `${CONTENT_LINE}%`)]
      : [where("line", "=", toContentLine(named.id)), where("language", "=", named.language)],
  )
    .select(["instance", "language", "line"])
    .select(SUMS)
    .groupBy(["line", "language", "instance"])
    .execute();
  return rows
    .map((row) => {
      const { line, ...counts } = withUnrecovered(row);
      return { ...counts, id: findContent(line) ?? 0 };
    })
    .toSorted((a, b) => b.said - a.said);
}

/** Reads the sums of the bot's own lines: contents are reported by themselves. */
async function readLines(kysely: InsightsDatabase["kysely"], bounds: Bounds, filter: ReportFilter) {
  return sumSeries(kysely, bounds, filter, (where) => [
    where("line", "not like", `${CONTENT_LINE}%`),
  ])
    .select(["instance", "language", "channel", "line", "speaker", ...COUNTS])
    .execute();
}

/**
 * Sums up the days of each series, which lie together, before a series gets its names: rows with
 * names would have to be sorted.
 *
 * @param select chooses among the lines
 */
function sumSeries(
  kysely: InsightsDatabase["kysely"],
  { from, to, instances }: Bounds,
  { channel }: ReportFilter,
  select: (where: ExpressionBuilder<InsightsTables, "insight_series">) => Expression<SqlBool>[],
) {
  const isWithin = (where: ExpressionBuilder<InsightsTables, "insight_series">) =>
    where.and([
      ...select(where),
      ...(instances === null ? [] : [where("instance", "in", instances)]),
      ...(channel === undefined ? [] : [where("channel", "=", channel)]),
    ]);
  const sums = kysely
    .selectFrom("insight_lines")
    .select("series")
    .select(SUMS)
    .where("series", "in", (series) =>
      series.selectFrom("insight_series").select("id").where(isWithin),
    )
    .$if(from !== null, (query) => query.where("day", ">=", from ?? 0))
    .$if(to !== null, (query) => query.where("day", "<=", to ?? 0))
    .groupBy("series");
  return kysely.selectFrom(sums.as("sums")).innerJoin("insight_series", "id", "series");
}

async function readDays(
  kysely: InsightsDatabase["kysely"],
  bounds: Bounds,
  { channel }: ReportFilter,
) {
  return kysely
    .selectFrom("insight_days")
    .select(["day", "instance", "line"])
    .select(SUMS)
    .where((where) =>
      where.and([
        ...selectWithin(where, bounds),
        ...(channel === undefined ? [] : [where("channel", "=", channel)]),
      ]),
    )
    .groupBy(["instance", "day", "line"])
    .execute();
}

interface Bounds {
  readonly from: number | null;
  readonly to: number | null;
  readonly instances: readonly string[] | null;
}

type Counting = ExpressionBuilder<InsightsTables, "insight_days" | "insight_topics">;

function selectWithin(where: Pick<Counting, never> & Counting, { from, to, instances }: Bounds) {
  return [
    ...(from === null ? [] : [where("day", ">=", from)]),
    ...(to === null ? [] : [where("day", "<=", to)]),
    ...(instances === null ? [] : [where("instance", "in", instances)]),
  ];
}

async function readDemo(
  kysely: InsightsDatabase["kysely"],
  bounds: Bounds,
): Promise<InsightsReport["demo"]> {
  const { first, last } = await kysely
    .selectFrom("insight_topics")
    .select(({ fn }) => [
      fn.min<number | null>("day").as("first"),
      fn.max<number | null>("day").as("last"),
    ])
    .where("topic", "=", DEMO_TOPIC)
    .where((where) => where.and(selectWithin(where, bounds)))
    .executeTakeFirstOrThrow();
  return first === null || last === null ? null : { from: dateOf(first), to: dateOf(last) };
}

async function readGaps(
  kysely: InsightsDatabase["kysely"],
  from: number | null,
  to: number | null,
): Promise<readonly Gap[]> {
  let query = kysely.selectFrom("insight_gaps").selectAll().orderBy("since", "desc").limit(100);
  if (from !== null) query = query.where("until", ">=", from * 86_400_000);
  if (to !== null) query = query.where("since", "<", (to + 1) * 86_400_000);
  return query.execute();
}
