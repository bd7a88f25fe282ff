import type { HoursConfig } from "../config/escalation-config.ts";

/**
 * True within opening hours: the local time is in a window that does not begin on a holiday. When
 * the clocks change, a repeated hour counts twice and a skipped one not at all.
 *
 * @param hours null: always
 * @param now milliseconds since the epoch
 */
export function isWithinHours(hours: HoursConfig | null, now: number): boolean {
  if (hours === null) return true;
  const { date, weekday, minute } = toLocalTime(hours.zone, now);
  if (isOpen(hours, { date, weekday, minute })) return true;
  const before = new Date(Date.parse(`${date}T00:00Z`) - day).toISOString().slice(0, 10);
  return isOpen(hours, {
    date: before,
    weekday: weekday === 1 ? 7 : weekday - 1,
    minute: minute + minutesOfDay,
  });
}

const day = 86_400_000;
const minutesOfDay = 1440;

/** A window belongs to the day on which it begins, even if it ends on the next one. */
function isOpen({ weekly, holidays }: HoursConfig, { date, weekday, minute }: LocalTime): boolean {
  if (holidays.includes(date) || holidays.includes(date.slice(5))) return false;
  const windows = weekly[String(weekday)] ?? [];
  return windows.some(([from, to]) => from <= minute && minute < to);
}

interface LocalTime {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** ISO: 1 is Monday. */
  readonly weekday: number;
  /** Minutes since midnight of `date`. */
  readonly minute: number;
}

function toLocalTime(zone: string, now: number): LocalTime {
  const fields = new Map<string, string>();
  for (const { type, value } of formatOf(zone).formatToParts(now)) fields.set(type, value);
  const readField = (name: string): string => fields.get(name) ?? "";
  const date = `${readField("year").padStart(4, "0")}-${readField("month")}-${readField("day")}`;
  return {
    date,
    weekday: new Date(`${date}T00:00Z`).getUTCDay() || 7,
    minute: Number(readField("hour")) * 60 + Number(readField("minute")),
  };
}

// Zones come from the configuration, so there are few.
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  formats.set(zone, made);
  return made;
}
