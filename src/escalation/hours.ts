import type { HoursConfig } from "../config/escalation-config.ts";
import { clockOf, DAY, MINUTE, offsetAt, transitionIn, wallClock, type WallClock } from "./zone.ts";

/**
 * True when people are there: what a clock on their wall shows lies in a window of its weekday, and
 * the day is no holiday. An hour that a clock shows twice counts twice, one that it leaves out does
 * not come.
 *
 * @param hours null: always
 * @param now milliseconds since the epoch
 */
export function isOpen(hours: HoursConfig | null, now: number): boolean {
  return hours === null || isWithin(hours, wallClock(hours.zone, now));
}

/**
 * The first instant at or after `now` at which people are there; null when there is none within 400
 * days.
 */
export function nextOpening(hours: HoursConfig | null, now: number): number | null {
  if (hours === null || isOpen(hours, now)) return now;
  const { zone } = hours;
  const today = dayAt(zone, now);
  for (let day = today - 1; day <= today + farthest; day++) {
    // Where a clock goes back over midnight, a day's last window may come after the next day's
    // first.
    const found = [...openings(hours, day, now), ...openings(hours, day + 1, now)];
    if (found.length > 0) return Math.min(...found);
  }
  return null;
}

const farthest = 400;

function isWithin(
  { weekly, holidays }: HoursConfig,
  { date, weekday, minute }: WallClock,
): boolean {
  const windows = weekly[String(weekday)] ?? [];
  if (!windows.some(([from, to]) => from <= minute && minute < to)) return false;
  return !holidays.includes(date) && !holidays.includes(date.slice(5));
}

/**
 * When the windows of a day of the wall clock open: at their beginnings by each offset the day may
 * have, and at a change of the offset, which may lead into the middle of one.
 *
 * @param day days since 1970-01-01, as the wall shows them
 */
function openings(hours: HoursConfig, day: number, now: number): readonly number[] {
  const { zone, weekly } = hours;
  const midnight = day * DAY;
  const windows = weekly[String(clockOf(midnight).weekday)] ?? [];
  if (windows.length === 0) return [];
  // No zone is farther than 15 hours from UTC, so that the day lies between these.
  const first = midnight - 15 * HOUR;
  const last = midnight + 39 * HOUR;
  const offsets = [offsetAt(zone, first), offsetAt(zone, last)];
  const changes = offsets[0] === offsets[1] ? [] : [transitionIn(zone, first, last)];
  const starts = windows.flatMap(([from]) =>
    offsets.map((offset) => midnight + from * MINUTE - offset),
  );
  return [...starts, ...changes].filter(
    (at) => at >= now && dayAt(zone, at) === day && isOpen(hours, at),
  );
}

const HOUR = 60 * MINUTE;

function dayAt(zone: string, at: number): number {
  return Math.floor((at + offsetAt(zone, at)) / DAY);
}
