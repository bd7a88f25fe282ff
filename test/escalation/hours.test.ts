import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { HoursConfig } from "../../src/config/escalation-config.ts";
import { isWithinHours } from "../../src/escalation/hours.ts";
import { runs } from "../fixtures/runs.ts";

const MINUTE = 60_000;
const at = (iso: string): number => Date.parse(iso);
const OFFICE: HoursConfig = {
  zone: "Europe/Madrid",
  weekly: Object.fromEntries(
    [1, 2, 3, 4, 5].map((day) => [
      String(day),
      [
        [540, 840],
        [900, 1080],
      ],
    ]),
  ) as HoursConfig["weekly"],
  holidays: ["2026-12-25", "01-01"],
};

/** Expects that agents are available from this instant on, and were not before. */
function expectToBegin(hours: HoursConfig, instant: string): void {
  expect([
    instant,
    isWithinHours(hours, at(instant) - 1),
    isWithinHours(hours, at(instant)),
  ]).toEqual([instant, false, true]);
}

/** Every day from one time to another, in a zone. */
function daily(
  zone: string,
  from: number,
  to: number,
  holidays: readonly string[] = [],
): HoursConfig {
  const weekly = Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 7].map((day) => [String(day), [[from, to]]]),
  );
  return { zone, weekly: weekly as unknown as HoursConfig["weekly"], holidays };
}

describe("opening hours", () => {
  test.each([
    ["2026-11-20T07:59:59.999Z", false], // a Friday, 08:59:59 in Madrid
    ["2026-11-20T08:00:00Z", true],
    ["2026-11-20T12:59:59.999Z", true],
    ["2026-11-20T13:00:00Z", false],
    ["2026-11-20T14:00:00Z", true],
    ["2026-11-21T10:00:00Z", false], // Saturday
    ["2026-07-20T07:00:00Z", true], // summer: 09:00 is 07:00 UTC
    ["2026-12-25T10:00:00Z", false],
    ["2027-12-24T10:00:00Z", true],
    ["2027-01-01T10:00:00Z", false],
    ["2030-01-01T10:00:00Z", false],
  ])("at %s: %s", (now, expected) => {
    expect(isWithinHours(OFFICE, at(now))).toBe(expected);
  });

  test("are always open where none are configured", () => {
    expect(isWithinHours(null, 0)).toBe(true);
  });

  test.each([
    "2026-11-20T14:00:00Z",
    "2026-11-23T08:00:00Z", // over the weekend
    "2026-12-28T08:00:00Z", // Friday is a holiday
    "2026-10-26T08:00:00Z", // the clocks went back on Sunday
    "2026-03-30T07:00:00Z", // and forward in March
  ])("begin at %s", (instant) => {
    expectToBegin(OFFICE, instant);
  });

  test("never begin without a window, nor on a holiday", () => {
    expect(isWithinHours({ ...OFFICE, weekly: {} }, at("2026-11-20T09:00:00Z"))).toBe(false);
    const closed = { ...OFFICE, weekly: { "6": [[0, 1440]] as const }, holidays: ["2026-11-21"] };
    expect(isWithinHours(closed, at("2026-11-21T12:00:00Z"))).toBe(false);
    expectToBegin(closed, "2026-11-27T23:00:00Z");
  });

  test.each([
    ["2026-12-24T00:30:00+01:00", true], // the shift of the 23rd
    ["2026-12-24T20:00:00+01:00", false],
    ["2026-12-25T00:30:00+01:00", false], // the shift of the 24th
    ["2026-12-25T19:00:00+01:00", true],
    ["2026-12-26T01:59:00+01:00", true],
    ["2026-12-26T02:00:00+01:00", false],
  ])("over midnight belong to the day on which they began: at %s %s", (now, expected) => {
    const nights = daily("Europe/Madrid", 1080, 1560, ["12-24"]);
    expect(isWithinHours(nights, at(now))).toBe(expected);
  });

  test("over midnight go on from Sunday into Monday", () => {
    const sunday: HoursConfig = { zone: "UTC", weekly: { "7": [[1320, 1500]] }, holidays: [] };
    expect(isWithinHours(sunday, at("2026-11-23T00:59:00Z"))).toBe(true);
    expect(isWithinHours(sunday, at("2026-11-24T00:30:00Z"))).toBe(false);
  });

  test("to 24:00 join those from 00:00", () => {
    const whole = daily("Europe/Madrid", 0, 1440);
    expect(isWithinHours(whole, at("2026-11-20T22:59:59.999Z"))).toBe(true);
    expect(isWithinHours(whole, at("2026-11-20T23:00:00Z"))).toBe(true);
  });

  test("in an hour that a clock leaves out begin after it, and come twice where it is shown twice", () => {
    const night = daily("Europe/Madrid", 150, 170); // 02:30 to 02:50
    expect(isWithinHours(night, at("2026-03-29T00:40:00Z"))).toBe(false);
    expect(isWithinHours(night, at("2026-03-29T01:40:00Z"))).toBe(false);
    expectToBegin(night, "2026-03-30T00:30:00Z");
    const longer = daily("Europe/Madrid", 150, 240);
    expectToBegin(longer, "2026-03-29T01:00:00Z");
    expect(isWithinHours(night, at("2026-10-25T00:30:00Z"))).toBe(true);
    expect(isWithinHours(night, at("2026-10-25T00:50:00Z"))).toBe(false);
    expectToBegin(night, "2026-10-25T01:30:00Z");
  });

  test("on a day that a zone leaves out do not come", () => {
    const apia = daily("Pacific/Apia", 540, 600);
    // After Thursday 29 December 2011 came Saturday 31 December.
    expectToBegin(apia, "2011-12-29T19:00:00Z");
    expectToBegin(apia, "2011-12-30T19:00:00Z");
  });
});

describe("compared with a clock that is read every minute", () => {
  // Near these instants a clock was put forward or back, at unusual hours and by unusual steps.
  const changes: readonly (readonly [string, string])[] = [
    ["Europe/Madrid", "2026-03-29T01:00:00Z"],
    ["Europe/Madrid", "2026-10-25T01:00:00Z"],
    ["America/New_York", "2026-11-01T06:00:00Z"],
    ["Australia/Lord_Howe", "2026-04-04T15:00:00Z"],
    ["Australia/Lord_Howe", "2026-10-03T15:30:00Z"],
    ["Pacific/Apia", "2011-12-30T10:00:00Z"],
    ["Pacific/Chatham", "2026-04-04T14:00:00Z"],
    ["America/St_Johns", "2010-11-07T02:31:00Z"],
    ["America/Sao_Paulo", "2018-02-18T02:00:00Z"],
    ["America/Havana", "2026-11-01T05:00:00Z"],
    ["Asia/Beirut", "2026-03-28T22:00:00Z"],
    ["Antarctica/Troll", "2026-03-29T01:00:00Z"],
    ["Asia/Kathmandu", "2026-01-01T00:00:00Z"],
    ["UTC", "2024-02-29T00:00:00Z"],
  ];
  const minute = fc.oneof(fc.nat(1439), fc.constantFrom(0, 30, 60, 90, 120, 150, 180, 1380, 1410));
  const window = fc
    .tuple(minute, fc.oneof(minute, fc.constant(1440)))
    .filter(([from, to]) => from < to);

  /** Reads the local time in another way than the tested code does. */
  function oracle(hours: HoursConfig, now: number): boolean {
    const shown = formatOf(hours.zone).format(now);
    const [date = "", time = ""] = shown.split(" ");
    const [hour = 0, minutes = 0] = time.split(":").map(Number);
    const weekday = String(new Date(`${date}T12:00:00Z`).getUTCDay() || 7);
    if (hours.holidays.some((day) => date.endsWith(day))) return false;
    const past = hour * 60 + minutes;
    return (hours.weekly[weekday] ?? []).some(([from, to]) => past >= from && past < to);
  }

  const formats = new Map<string, Intl.DateTimeFormat>();
  function formatOf(zone: string): Intl.DateTimeFormat {
    const known = formats.get(zone);
    if (known !== undefined) return known;
    const options = { timeZone: zone, dateStyle: "short", timeStyle: "short" } as const;
    const made = new Intl.DateTimeFormat("sv-SE", options);
    formats.set(zone, made);
    return made;
  }

  test("hours are open at the same minutes", () => {
    const cases = fc.record({
      change: fc.constantFrom(...changes),
      offset: fc.integer({ min: -30 * 60, max: 30 * 60 }),
      weekly: fc.dictionary(
        fc.constantFrom("1", "2", "4", "5", "6", "7"),
        fc.array(window, { maxLength: 2 }),
      ),
      holiday: fc.boolean(),
    });
    let open = 0;
    fc.assert(
      fc.property(cases, ({ change: [zone, instant], offset, weekly, holiday }) => {
        const now = at(instant) + offset * MINUTE;
        const holidays = holiday ? [new Date(now).toISOString().slice(5, 10)] : [];
        const hours = { zone, weekly, holidays };
        for (let step = 0; step < 120; step++) {
          const then = now + step * MINUTE;
          const expected = oracle(hours, then);
          if (expected) open++;
          expect(isWithinHours(hours, then)).toBe(expected);
        }
      }),
      { numRuns: runs(400) },
    );
    expect(open).toBeGreaterThan(150);
  });
});
