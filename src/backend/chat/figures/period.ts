import { sql, type RawBuilder } from "kysely";
import type { FigurePeriod } from "../../../api/chat/schema-figures.ts";

/** The period of figures, with the offsets of the viewer's time zone. */
export interface Period {
  /** Milliseconds since the epoch: the beginning of a day in the time zone. */
  readonly from: number;
  readonly to: number;
  readonly timeZone: string;
  readonly offsets: readonly Offset[];
}

/** A zone's offset from UTC in milliseconds, from a time on. */
interface Offset {
  readonly from: number;
  readonly ahead: number;
}

/** The days before today that belong to each period. */
const DAYS: Readonly<Record<FigurePeriod, number>> = { today: 0, week: 6, quarter: 89 };

/**
 * The days of a period that ends now. A day is as long as the zone's clocks make it.
 *
 * @example
 * periodOf("today", "Europe/Madrid", Date.parse("2026-03-29T10:00Z")).from; // 28 March, 23:00 UTC
 */
export function periodOf(name: FigurePeriod, timeZone: string, now: number): Period {
  const aheadAt = createOffsetReader(timeZone);
  const dayAt = (time: number): number => Math.floor((time + aheadAt(time)) / DAY);
  const first = dayAt(now) - DAYS[name];
  // No offset from UTC is as large as a day.
  const from = findFirstMoment(
    first * DAY - DAY,
    first * DAY + DAY,
    (time) => dayAt(time) >= first,
  );
  const offsets: Offset[] = [{ from, ahead: aheadAt(from) }];
  for (let time = from; time < now; time += DAY) {
    const end = Math.min(time + DAY, now);
    const last = offsets.at(-1)?.ahead;
    if (aheadAt(end) === last) continue;
    const change = findFirstMoment(time, end, (moment) => aheadAt(moment) !== last);
    offsets.push({ from: change, ahead: aheadAt(change) });
  }
  return { from, to: now, timeZone, offsets };
}

/** The hour of the day at which something happened, as the zone's clocks showed it. */
export function hourIn({ offsets }: Period, column: RawBuilder<number>): RawBuilder<number> {
  const later = offsets.slice(1).toReversed();
  const cases = later.map(
    ({ from, ahead }) => sql`WHEN ${column} >= ${sql.lit(from)} THEN ${sql.lit(ahead)}`,
  );
  const first = sql.lit(offsets[0]?.ahead ?? 0);
  const ahead = cases.length === 0 ? first : sql`CASE ${sql.join(cases, sql` `)} ELSE ${first} END`;
  return sql`((${column} + ${ahead}) / 3600000) % 24`;
}

const DAY = 86_400_000;

function createOffsetReader(timeZone: string): (time: number) => number {
  const numeric = "2-digit";
  const format = new Intl.DateTimeFormat("en", {
    timeZone,
    calendar: "iso8601",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  });
  return (time) => {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]));
    const numberIn = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type));
    const shown = Date.UTC(
      numberIn("year"),
      numberIn("month") - 1,
      numberIn("day"),
      numberIn("hour"),
      numberIn("minute"),
      numberIn("second"),
    );
    return shown - Math.floor(time / 1000) * 1000;
  };
}

/**
 * Bisects for the first second at which a condition holds, between a time without and a time with
 * it. From then on it must hold.
 */
function findFirstMoment(without: number, by: number, isSo: (time: number) => boolean): number {
  let [low, high] = [Math.floor(without / 1000), Math.ceil(by / 1000)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isSo(middle * 1000)) high = middle;
    else low = middle;
  }
  return high * 1000;
}
