import { isCalendarDate } from "../../direct-answers/default-content.ts";
import { isTimeZone } from "../../locales/time-zone.ts";
import type { HoursConfig } from "../escalation-config.ts";
import { DAY_NAMES, type WrittenHours } from "../schema/escalation.ts";
import type { Section } from "../../yaml/section.ts";

/** Merges an instance's opening hours with the common ones; reports mistakes. */
export function compileHours(
  written: WrittenHours,
  inherited: HoursConfig | null,
  section: Section,
): HoursConfig {
  const zone = written.zone ?? inherited?.zone ?? null;
  if (zone === null) reportMissing("zone", "Name the time zone of the hours.", section);
  else if (written.zone !== undefined) checkZone(zone, section.at("zone"));
  if (written.weekly === undefined && inherited === null) {
    reportMissing(
      "weekly",
      'Write weekly: { mon-fri: ["09:00-17:00"] }, or hours: always.',
      section,
    );
  }
  checkHolidays(written.holidays ?? [], section.at("holidays"));
  return {
    zone: zone ?? "UTC",
    weekly:
      written.weekly === undefined
        ? (inherited?.weekly ?? {})
        : compileWeek(written.weekly, section.at("weekly")),
    holidays: written.holidays ?? inherited?.holidays ?? [],
  };
}

function reportMissing(key: string, hint: string, section: Section): void {
  section.key.error("missing-key", `the key "${key}" is missing here`, hint);
}

function checkZone(zone: string, section: Section): void {
  if (isTimeZone(zone)) return;
  const message = `no time zone is known by the name "${zone}"`;
  const hint = "Use an IANA name, such as Europe/Madrid or America/Bogota.";
  section.error("invalid-value", message, hint);
}

function checkHolidays(holidays: readonly string[], section: Section): void {
  for (const [index, day] of holidays.entries()) {
    // A yearly holiday may be on 02-29, so it is checked in a leap year.
    if (isCalendarDate(day.length === 5 ? `2024-${day}` : day)) continue;
    section.at(index).error("invalid-value", `the calendar has no day ${day}`);
  }
}

/** Minutes from the midnight at which the first day begins. */
type Window = readonly [from: number, to: number];

/** Minutes of a day. */
const DAY_END = 1440;

function compileWeek(
  written: Readonly<Record<string, readonly string[]>>,
  section: Section,
): HoursConfig["weekly"] {
  const keyOfDay = new Map<number, string>();
  const week: Week = { windows: new Map(), occupied: new Map() };
  for (const [key, texts] of Object.entries(written)) {
    for (const day of daysOf(key)) {
      const earlierKey = keyOfDay.get(day);
      keyOfDay.set(day, key);
      const problem =
        earlierKey === undefined
          ? addWindows(week, day, texts)
          : { index: null, message: `${nameDay(day)} is already listed under "${earlierKey}"` };
      if (problem === null) continue;
      report(problem, section.at(key));
      // The days of a range share their windows, so one finding is enough.
      break;
    }
  }
  return Object.fromEntries(
    [...week.windows]
      .sort(([one], [other]) => one - other)
      .map(([day, windows]) => [String(day), windows.toSorted(([one], [other]) => one - other)]),
  );
}

/** A mistake in a window of a day, or in the day itself if `index` is null. */
interface Problem {
  readonly index: number | null;
  readonly message: string;
}

function report({ index, message }: Problem, day: Section): void {
  if (index === null) {
    day.key.error("duplicate", message, "Name each day once.");
  } else {
    day.at(index).error("invalid-value", message);
  }
}

interface Week {
  /** Windows by the ISO weekday on which they begin. */
  readonly windows: Map<number, Window[]>;
  /** Parts of windows by ISO weekday. A window over midnight has a part on each of two days. */
  readonly occupied: Map<number, Window[]>;
}

function addWindows(
  { windows, occupied }: Week,
  day: number,
  texts: readonly string[],
): Problem | null {
  for (const [index, text] of texts.entries()) {
    const window = windowOf(text);
    if (window === null) {
      const message = `"${text.trim()}" is not a time window between 00:00 and 24:00`;
      return { index, message };
    }
    for (const [weekday, part] of partsOf(window, day)) {
      const others = occupied.get(weekday) ?? [];
      const clash = others.find(([from, to]) => part[0] < to && from < part[1]);
      if (clash !== undefined) {
        const message = `"${text.trim()}" overlaps ${formatClock(clash[0])}-${formatClock(clash[1])} of ${nameDay(weekday)}`;
        return { index, message };
      }
      occupied.set(weekday, [...others, part]);
    }
    windows.set(day, [...(windows.get(day) ?? []), window]);
  }
  return null;
}

function nameDay(day: number): string {
  return DAY_NAMES[day - 1] ?? "";
}

/** Lists the ISO weekdays of `mon` or `sat-mon`. */
function daysOf(key: string): readonly number[] {
  const [first = "", last = first] = key.split("-");
  const from = DAY_NAMES.indexOf(first);
  const count = (DAY_NAMES.indexOf(last) - from + 7) % 7;
  return Array.from({ length: count + 1 }, (_, step) => ((from + step) % 7) + 1);
}

/** Parses a window; null for invalid times. A window over midnight ends after {@link DAY_END}. */
function windowOf(text: string): Window | null {
  const [from, to] = text.split(/[-–]/).map(minutesOf);
  if (from === undefined || to === undefined || from === null || to === null) return null;
  if (from === to || from === DAY_END) return null;
  return [from, from < to ? to : to + DAY_END];
}

/** Splits a window into its part of the first day and its part of the next one. */
function partsOf([from, to]: Window, day: number): readonly (readonly [number, Window])[] {
  if (to <= DAY_END) return [[day, [from, to]]];
  return [
    [day, [from, DAY_END]],
    [(day % 7) + 1, [0, to - DAY_END]],
  ];
}

function minutesOf(text: string): number | null {
  const [hours = 0, minutes = 0] = text.trim().split(":").map(Number);
  const total = hours * 60 + minutes;
  return minutes < 60 && total <= DAY_END ? total : null;
}

function formatClock(minutes: number): string {
  return `${padTwoDigits(Math.floor(minutes / 60))}:${padTwoDigits(minutes % 60)}`;
}

function padTwoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
