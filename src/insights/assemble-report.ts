import {
  type InsightsReport,
  type LineKey,
  type ReportFilter,
  TOPICS,
  type Topic,
} from "./facts.ts";
import type { Gap } from "./gaps.ts";
import { countUnrecovered } from "./shown-lines.ts";
import type { InsightsTables } from "./tables.ts";

/** The rows of a report, as databases give them: those of an instance by day. */
export interface ReportRows {
  readonly lines: readonly LineKey[];
  readonly days: readonly {
    readonly day: number;
    readonly instance: string;
    readonly line: string;
  }[];
  readonly topics: readonly Omit<InsightsTables["insight_topics"], "day">[];
  readonly demo: InsightsReport["demo"];
  readonly gaps: readonly Gap[];
}

/** Makes the report of sums by line, by day and by topic. */
export function assembleReport(
  { from, to }: ReportFilter,
  { lines, days, topics, demo, gaps }: ReportRows,
): InsightsReport {
  const counted = topics.map((row) => ({ ...row, count: toNumber(row.count) }));
  return {
    from,
    to,
    messages: counted
      .filter(({ topic }) => topic === "messages")
      .reduce((sum, { count }) => sum + count, 0),
    lines: lines
      .map((row) => withUnrecovered(row))
      .toSorted((a, b) => b.unrecovered - a.unrecovered || b.said - a.said),
    days: days
      .toSorted((a, b) => a.day - b.day)
      .map((row) => ({ ...withUnrecovered(row), day: dateOf(row.day) })),
    topics: counted
      .flatMap(({ topic, ...row }) => (isTopic(topic) ? [{ topic, ...row }] : []))
      .toSorted((a, b) => b.count - a.count || a.name.localeCompare(b.name, "en")),
    demo,
    gaps: gaps.map(({ since, until, why }) => {
      return { from: new Date(since).toISOString(), to: new Date(until).toISOString(), why };
    }),
  };
}

/** Adds how many readers a line did not help. PostgreSQL gives sums as texts. */
export function withUnrecovered<Row extends { readonly line: string }>(row: Row) {
  const read: Readonly<Record<string, unknown>> = row;
  const numbers = {
    said: Number(read["said"]),
    answered: Number(read["answered"]),
    failed: Number(read["failed"]),
    clicked: Number(read["clicked"]),
    handedOver: Number(read["handedOver"]),
    ratedUp: Number(read["ratedUp"]),
    ratedDown: Number(read["ratedDown"]),
    left: Number(read["left"]),
    unknown: Number(read["unknown"]),
  };
  return { ...row, ...numbers, unrecovered: countUnrecovered(row.line, numbers) };
}

function isTopic(topic: string): topic is Topic {
  const known: readonly string[] = TOPICS;
  return known.includes(topic);
}

/** @param day days since 1970 */
export function dateOf(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}

/** PostgreSQL gives sums as texts. */
function toNumber(sum: unknown): number {
  return Number(sum);
}
