import { isCalendarDate } from "../direct-answers/default-content.ts";
import type { HoursConfig } from "./escalation-config.ts";
import type { Reporter } from "./diagnostic.ts";
import type { WrittenHours } from "./written-escalation.ts";
import type { Path, YamlFile } from "./yaml.ts";

/** From Monday, ISO weekday 1. */
export const DAY_NAMES: readonly string[] = Object.freeze([
  "mon",
  "tue",
  "wed",
  "thu",
  "fri",
  "sat",
  "sun",
]);

/**
 * Opening hours of a mapping over those of everybody; what is wrong in them is reported. A window
 * over midnight becomes two: to the day's end, and the rest on the next day.
 */
export function compileHours(
  written: WrittenHours,
  inherited: HoursConfig | null,
  file: YamlFile,
  path: Path,
  reporter: Reporter,
): HoursConfig {
  const at = { file, path, reporter };
  const zone = written.zone ?? inherited?.zone ?? null;
  if (zone === null) missing("zone", "Name the zone that the hours are meant in.", at);
  else if (written.zone !== undefined) checkZone(zone, at);
  if (written.weekly === undefined && inherited === null) {
    missing("weekly", 'Write weekly: { mon-fri: ["09:00-17:00"] }, or hours: always.', at);
  }
  checkHolidays(written.holidays ?? [], at);
  return {
    zone: zone ?? "UTC",
    weekly:
      written.weekly === undefined
        ? (inherited?.weekly ?? {})
        : compileWeek(written.weekly, { ...at, path: [...path, "weekly"] }),
    holidays: written.holidays ?? inherited?.holidays ?? [],
  };
}

interface Place {
  readonly file: YamlFile;
  readonly path: Path;
  readonly reporter: Reporter;
}

function missing(key: string, hint: string, { file, path, reporter }: Place): void {
  const message = `the key "${key}" is missing here`;
  reporter.error(file.source, file.locate(path, "key"), "missing-key", message, hint);
}

function checkZone(zone: string, { file, path, reporter }: Place): void {
  if (isZone(zone)) return;
  const message = `no time zone is known by the name "${zone}"`;
  const span = file.locate([...path, "zone"]);
  const hint = "IANA names are meant, such as Europe/Madrid or America/Bogota.";
  reporter.error(file.source, span, "invalid-value", message, hint);
}

/** Offsets such as `+02:00` are refused: they know no daylight saving time. */
function isZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch {
    return false; // RangeError: there is no such zone
  }
}

function checkHolidays(holidays: readonly string[], { file, path, reporter }: Place): void {
  for (const [index, day] of holidays.entries()) {
    // 2024 is a leap year: 02-29 is a day of some years.
    if (isCalendarDate(day.length === 5 ? `2024-${day}` : day)) continue;
    const message = `there is no day ${day}`;
    const span = file.locate([...path, "holidays", index]);
    reporter.error(file.source, span, "invalid-value", message);
  }
}

type Window = readonly [from: number, to: number];

const DAY_END = 1440;

function compileWeek(
  written: Readonly<Record<string, readonly string[]>>,
  place: Place,
): HoursConfig["weekly"] {
  const named = new Map<number, string>();
  const week = new Map<number, Window[]>();
  for (const [key, texts] of Object.entries(written)) {
    for (const day of daysOf(key)) {
      const before = named.get(day);
      named.set(day, key);
      const problem =
        before === undefined
          ? addWindows(week, day, texts)
          : { index: null, message: `${dayName(day)} stands under "${before}" already` };
      if (problem === null) continue;
      report(key, problem, place);
      // The days of a range have the same windows: one finding is enough.
      break;
    }
  }
  return Object.fromEntries(
    [...week]
      .sort(([one], [other]) => one - other)
      .map(([day, windows]) => [String(day), windows.toSorted(([one], [other]) => one - other)]),
  );
}

/** What is wrong with a day, or with one of its windows. */
interface Problem {
  readonly index: number | null;
  readonly message: string;
}

function report(key: string, { index, message }: Problem, { file, path, reporter }: Place): void {
  if (index === null) {
    const hint = "Name each day once.";
    reporter.error(file.source, file.locate([...path, key], "key"), "duplicate", message, hint);
  } else {
    reporter.error(file.source, file.locate([...path, key, index]), "invalid-value", message);
  }
}

function addWindows(
  week: Map<number, Window[]>,
  day: number,
  texts: readonly string[],
): Problem | null {
  for (const [index, text] of texts.entries()) {
    const windows = windowsOf(text, day);
    if (windows === null) {
      const message = `"${text.trim()}" is no window between 00:00 and 24:00 with a length`;
      return { index, message };
    }
    for (const [on, window] of windows) {
      const others = week.get(on) ?? [];
      const clash = others.find(([from, to]) => window[0] < to && from < window[1]);
      if (clash !== undefined) {
        const message = `"${text.trim()}" overlaps ${clock(clash[0])}-${clock(clash[1])} of ${dayName(on)}`;
        return { index, message };
      }
      week.set(on, [...others, window]);
    }
  }
  return null;
}

function dayName(day: number): string {
  return DAY_NAMES[day - 1] ?? "";
}

/** ISO weekdays of `mon` or `sat-mon`. */
function daysOf(key: string): readonly number[] {
  const [first = "", last = first] = key.split("-");
  const from = DAY_NAMES.indexOf(first);
  const count = (DAY_NAMES.indexOf(last) - from + 7) % 7;
  return Array.from({ length: count + 1 }, (_, step) => ((from + step) % 7) + 1);
}

/** By weekday; null when the text is no time. */
function windowsOf(text: string, day: number): readonly (readonly [number, Window])[] | null {
  const [from, to] = text.split(/[-–]/).map(minutesOf);
  if (from === undefined || to === undefined || from === null || to === null) return null;
  if (from === to || from === DAY_END) return null;
  if (from < to) return [[day, [from, to]]];
  const late = [day, [from, DAY_END]] as const;
  return to === 0 ? [late] : [late, [(day % 7) + 1, [0, to]]];
}

function minutesOf(text: string): number | null {
  const [hours = 0, minutes = 0] = text.trim().split(":").map(Number);
  const total = hours * 60 + minutes;
  return minutes < 60 && total <= DAY_END ? total : null;
}

function clock(minutes: number): string {
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
