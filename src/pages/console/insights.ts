import type { InsightsAnswer, UsageCounts } from "../../api/console-insights.ts";

/** The periods that figures are shown for, in days with today. */
export const PERIODS = [1, 7, 30, 90, 365] as const;
export type Period = (typeof PERIODS)[number];

/** The period that an address names; 30 days where it names none. */
export function toPeriod(text: string): Period {
  return PERIODS.find((days) => String(days) === text) ?? 30;
}

const oneDay = 86_400_000;

/** The day of a time, such as 2026-11-01: days of insights begin at midnight UTC. */
export function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

export function addDays(date: string, days: number): string {
  return dateOf(Date.parse(date) + days * oneDay);
}

interface AskedCounts {
  readonly bot: string;
  /** Empty means every channel. */
  readonly channel: string;
  readonly from: string;
  readonly to: string;
  /** True to include the counts per day. */
  readonly days: boolean;
}

/** The path that reports counts of a bot. */
export function pathOf({ bot, channel, from, to, days }: AskedCounts): string {
  const query = { instance: bot, channel, from, to, ...(!days && { days: "no" }) };
  return `insights?${new URLSearchParams(query).toString()}`;
}

/** The path that reports the counts of the latest days. */
export function pathOfPeriod(
  period: Period,
  { bot, channel }: Pick<AskedCounts, "bot" | "channel">,
  days: boolean,
): string {
  const to = dateOf(Date.now());
  return pathOf({ bot, channel, from: addDays(to, 1 - period), to, days });
}

export function sumCounts(rows: readonly UsageCounts[]): UsageCounts {
  const sum = (name: keyof UsageCounts): number =>
    rows.reduce((total, row) => total + row[name], 0);
  return {
    said: sum("said"),
    answered: sum("answered"),
    failed: sum("failed"),
    clicked: sum("clicked"),
    handedOver: sum("handedOver"),
    ratedUp: sum("ratedUp"),
    ratedDown: sum("ratedDown"),
    left: sum("left"),
    unknown: sum("unknown"),
    unrecovered: sum("unrecovered"),
  };
}

/** How many readers of a line are known to have been helped, or not. */
export function countKnown(counts: UsageCounts): number {
  const { answered, failed, clicked, handedOver, ratedUp, ratedDown, left } = counts;
  return answered + failed + clicked + handedOver + ratedUp + ratedDown + left;
}

/** The share of a line's readers whom it has not helped, from 0 to 1; null if unknown. */
export function lostShareOf(counts: UsageCounts): number | null {
  const known = countKnown(counts);
  return known === 0 ? null : counts.unrecovered / known;
}

/**
 * True for a line that often does not help: it failed more than a third of at least ten readers.
 */
export function isWeak(counts: UsageCounts): boolean {
  return countKnown(counts) >= 10 && (lostShareOf(counts) ?? 0) > 1 / 3;
}

/** Ranks lines by how many readers were not helped, with those first that often do not help. */
export function rankOf(counts: UsageCounts): number {
  return counts.unrecovered + (isWeak(counts) ? 1e12 : 0);
}

/** The counts of each line in each language, by `line language`. */
export function sumByLine(answer: InsightsAnswer | null): ReadonlyMap<string, UsageCounts> {
  const rows = Map.groupBy(answer?.lines ?? [], ({ line, language }) => `${line} ${language}`);
  return new Map([...rows].map(([line, counts]) => [line, sumCounts(counts)]));
}

/** Formats a share of 1 as per cent in the page's language. */
export function formatShare(share: number, language: string): string {
  return new Intl.NumberFormat(language, { style: "percent" }).format(share);
}
