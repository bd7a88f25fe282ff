import { dayOf } from "./batch.ts";
import type { HandOverStage, InsightsReport } from "./facts.ts";
import { readReport } from "./report.ts";
import { countKnown } from "./shown-lines.ts";
import type { InsightsDatabase } from "./tables.ts";

/** The counts of a week, from Monday to Sunday in UTC, and of the week before it. */
export interface WeeklySummary extends WeekSums {
  /** The same whenever the sums of this week are sent. */
  readonly id: string;
  readonly before: WeekSums;
}

export interface WeekSums {
  /** Its first and last day, such as 2026-11-16. */
  readonly from: string;
  readonly to: string;
  /** Answered messages. */
  readonly messages: number;
  /** At most 100 lines. Those of which most readers did not recover come first. */
  readonly lines: readonly {
    readonly instance: string;
    readonly line: string;
    readonly said: number;
    /** How many readers have a conclusive outcome. */
    readonly known: number;
    readonly unrecovered: number;
    /**
     * The share of readers with a known outcome who were helped, from 0 to 1; null if none has one.
     */
    readonly helped: number | null;
  }[];
  /** At most 100 languages that readers asked for and no text has, the most frequent first. */
  readonly languages: readonly {
    readonly instance: string;
    readonly language: string;
    readonly count: number;
  }[];
  readonly handOver: Readonly<Record<HandOverStage, number>>;
  readonly gaps: InsightsReport["gaps"];
  readonly demo: InsightsReport["demo"];
}

/**
 * The last week whose outcomes are all counted, as the number of its Monday. Readers of Sunday
 * night leave half an hour later, so a week ends on Monday at 01:00.
 */
export function lastWeekAt(now: number): number {
  const today = dayOf(now - settling);
  // Day 0 was a Thursday.
  return today - ((today + 3) % 7) - 7;
}

const settling = 3_600_000;

/**
 * Records that the sums of a week are to be sent, once among all processes. They replace those of
 * an earlier week that were not accepted.
 */
export async function queueWeek(
  database: InsightsDatabase,
  week: number,
  now: number,
): Promise<void> {
  await database.transaction(async (queries) => {
    const claimed = await queries
      .insertInto("insight_weeks")
      .values({ week })
      .onConflict((conflict) => conflict.doNothing())
      .returning("week")
      .executeTakeFirst();
    if (claimed === undefined) return;
    await queries.deleteFrom("insight_events").execute();
    await queries
      .insertInto("insight_events")
      .values({ webhook: 0, event: dateOf(week), attempts: 0, due: now })
      .execute();
  });
}

/** Reads the sums of the week that begins on a day such as 2026-11-16. */
export async function readSummary(
  database: Pick<InsightsDatabase, "kysely">,
  monday: string,
): Promise<WeeklySummary> {
  const week = dayOf(Date.parse(monday));
  return {
    id: `week-${monday}`,
    ...(await readWeek(database, week)),
    before: await readWeek(database, week - 7),
  };
}

async function readWeek(
  database: Pick<InsightsDatabase, "kysely">,
  week: number,
): Promise<WeekSums> {
  const [from, to] = [dateOf(week), dateOf(week + 6)];
  const report = await readReport(database, { from, to, instances: null, days: false });
  const { messages, gaps, demo } = report;
  const stages: Record<HandOverStage, number> = {
    offered: 0,
    accepted: 0,
    person: 0,
    ticket: 0,
    nobody: 0,
  };
  for (const { topic, name, count } of report.topics) {
    if (topic === "hand-over" && isStage(name, stages)) stages[name] += count;
  }
  const languages = report.topics
    .filter(({ topic }) => topic === "language")
    .map(({ instance, name, count }) => ({ instance, language: name, count }));
  return {
    from,
    to,
    messages,
    lines: sumLines(report.lines).slice(0, maxEntries),
    languages: languages.slice(0, maxEntries),
    handOver: stages,
    gaps,
    demo,
  };
}

/** The most lines and languages of a week. */
const maxEntries = 100;

/** The lines of an instance are counted by language, channel and speaker; here they are one. */
function sumLines(lines: InsightsReport["lines"]): WeekSums["lines"] {
  const rows = Map.groupBy(lines, ({ instance, line }) => JSON.stringify([instance, line]));
  return [...rows.values()]
    .flatMap((some) => {
      const [first] = some;
      if (first === undefined) return [];
      const count = some.reduce((sum, row) => sum + row.said, 0);
      const known = some.reduce((sum, row) => sum + countKnown(row), 0);
      const unrecovered = some.reduce((sum, row) => sum + row.unrecovered, 0);
      const helped = known === 0 ? null : Math.round((1 - unrecovered / known) * 1000) / 1000;
      return [
        { instance: first.instance, line: first.line, said: count, known, unrecovered, helped },
      ];
    })
    .toSorted((one, other) => other.unrecovered - one.unrecovered || other.said - one.said);
}

function isStage(name: string, stages: Record<HandOverStage, number>): name is HandOverStage {
  return Object.hasOwn(stages, name);
}

function dateOf(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}
