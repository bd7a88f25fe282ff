/**
 * The day that a least or greatest date stands for, as ISO 8601: a written date, or `today` (in
 * UTC, because the reader's zone is not known) with an offset in days, months or years. Null for
 * anything else.
 *
 * @example
 * dateBound("today-18y", Date.UTC(2026, 10, 21)); // "2008-11-21"
 */
export function dateBound(written: string, now: number): string | null {
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(written);
  if (iso !== null) return isoDate(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const relative = /^today(?:([+-]\d{1,5})([dmy]))?$/.exec(written);
  if (relative === null) return null;
  const today = new Date(now);
  const [year, month, day] = [today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()];
  const offset = Number(relative[1] ?? 0);
  if (relative[2] === undefined || relative[2] === "d") {
    return isoDay(new Date(Date.UTC(year, month, day + offset)));
  }
  const months = relative[2] === "y" ? offset * 12 : offset;
  // A month that is too short for the day gives its last one: a month after 31 January is 28
  // February.
  const last = new Date(Date.UTC(year, month + months + 1, 0)).getUTCDate();
  return isoDay(new Date(Date.UTC(year, month + months, Math.min(day, last))));
}

/**
 * `2026-11-21`, or null when the calendar (Gregorian) has no such day in the years 1000 to 9999.
 */
export function isoDate(year: number, month: number, day: number): string | null {
  if (year < 1000 || year > 9999) return null;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? isoDay(date) : null;
}

function isoDay(date: Date): string | null {
  return Number.isFinite(date.getTime()) ? date.toISOString().slice(0, 10) : null;
}
