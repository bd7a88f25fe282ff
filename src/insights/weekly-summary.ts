import { dayOf } from "./batch.ts";
import type { HandOverStage, InsightsReport } from "./facts.ts";
import { readReport } from "./report.ts";
import { countKnown } from "./shown-lines.ts";
import type { InsightsDatabase } from "./tables.ts";

/** The counts of a week, from Monday to Sunday in UTC, and of the week before it. */
export interface WeeklySummary extends WeekSums {
  /** Identifies the week, so that receivers recognize a summary that is sent again. */
  readonly id: string;
  readonly before: WeekSums;
}

export interface WeekSums {
  /** The first and last day, such as 2026-11-16. */
  readonly from: string;
  readonly to: string;
  /** Answered messages. */
  readonly messages: number;
  /** At most 100 lines, those that failed the most readers first. */
  readonly lines: readonly {
    readonly instance: string;
    readonly line: string;
    readonly said: number;
    /** How many readers have a known outcome. */
    readonly known: number;
    readonly unrecovered: number;
    /**
     * The share of readers with a known outcome who were helped, from 0 to 1; null if none has one.
     */
    readonly helped: number | null;
  }[];
  /** At most 100 languages that readers asked for and that no text is in, the most frequent first. */
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
 * Finds the last week whose outcomes are all counted, as the day number of its Monday. A reader of
 * Sunday night may leave half an hour later, so a week counts as complete from Monday 01:00 on.
 */
export function lastWeekAt(now: number): number {
  const today = dayOf(now - settling);
  // Day 0, 1970-01-01, was a Thursday.
  return today - ((today + 3) % 7) - 7;
}

/** Milliseconds after midnight in which outcomes of the day before are still counted. */
const settling = 3_600_000;

/**
 * Queues the sums of a week to be sent. Only the first process that queues a week does so. They
 * replace the sums of an earlier week that no receiver has accepted.
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

/** Sums the counts of each line of an instance over its languages, channels and speakers. */
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
