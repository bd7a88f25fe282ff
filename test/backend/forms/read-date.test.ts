import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readDate, readDateBound } from "../../../src/backend/forms/read-date.ts";
import { LOCALES } from "../../../src/locales/shipped.ts";
import { NOON } from "./form-states.ts";

describe("a day as it is typed", () => {
  it.each([
    ["2026-11-21", "en", "2026-11-21"],
    ["2026-11-21T00:00:00.000Z", "en", "2026-11-21"],
    ["2026/3/4", "de", "2026-03-04"],
    ["3/4/2026", "fr", "2026-04-03"],
    ["3/4/2026", "en", "2026-04-03"],
    ["3/4/2026", "en-gb", "2026-04-03"],
    ["3/4/2026", "en-us", "2026-03-04"],
    ["3/4/2026", "es-US", "2026-03-04"],
    ["12/25/2026", "en", "2026-12-25"],
    ["21.11.2026", "de", "2026-11-21"],
    ["21. 11. 2026", "cs", "2026-11-21"],
    ["21.11.2026.", "hu", "2026-11-21"],
    ["2026. 11. 21.", "ko", "2026-11-21"],
    ["2026. 11. 21.", "hu", "2026-11-21"],
    ["2026年11月21日", "ja", "2026-11-21"],
    ["２０２６年１１月２１日", "zh", "2026-11-21"],
    ["2026년 11월 21일", "ko", "2026-11-21"],
    ["٢١/١١/٢٠٢٦", "ar", "2026-11-21"],
    ["21/11/2569", "th", "2026-11-21"],
    ["21 พฤศจิกายน 2569", "th", "2026-11-21"],
    ["21/11/2026", "th", "2026-11-21"],
    ["21 November 2026", "en", "2026-11-21"],
    ["November 21st, 2026", "en", "2026-11-21"],
    ["the 21st of november 2026", "en", "2026-11-21"],
    ["21 de noviembre de 2026", "es", "2026-11-21"],
    ["1er août 2026", "fr", "2026-08-01"],
    ["1 AOUT 2026", "fr", "2026-08-01"],
    ["29.2.2028", "de", "2028-02-29"],
  ])("%j in %s is %s", (text, language, day) => {
    expect(readDate(text, language)).toBe(day);
  });

  it.each([
    ["30.02.2026", "de"],
    ["29.02.2027", "de"],
    ["2026-13-01", "en"],
    ["2026-00-10", "en"],
    ["12/25/2026", "fr"],
    ["25/12/2026", "en-us"],
    ["21.11.26", "de"],
    ["21 November", "en"],
    ["November 2026", "en"],
    ["21 Brumaire 2026", "fr"],
    ["21 March April 2026", "en"],
    ["0001-01-01", "en"],
    ["tomorrow", "en"],
    ["20261121", "en"],
    ["", "en"],
  ])("%j in %s is not a date", (text, language) => {
    expect(readDate(text, language)).toBeNull();
  });

  it.each(LOCALES)(
    "what Intl writes for %s is read back, short and with the month's name",
    (locale) => {
      const tag = locale === "en" ? "en-GB" : locale;
      for (const month of ["numeric", "short", "long"] as const) {
        const format = new Intl.DateTimeFormat(tag, {
          day: "numeric",
          month,
          year: "numeric",
          timeZone: "UTC",
        });
        for (let index = 0; index < 12; index++) {
          const instant = Date.UTC(2026, index, 9 + index);
          const written = format.format(instant);
          expect([written, readDate(written, locale)]).toEqual([
            written,
            new Date(instant).toISOString().slice(0, 10),
          ]);
        }
      }
    },
  );

  it("gives a real day or nothing, whatever is typed", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^[0-9]{1,4}[-/. ][0-9]{1,2}[-/. ][0-9]{1,4}$/)),
        fc.constantFrom("en", "en-us", "th", "zh", "he"),
        (text, language) => {
          const day = readDate(text, language);
          if (day !== null) expect(new Date(day).toISOString().slice(0, 10)).toBe(day);
        },
      ),
    );
  });
});

describe("a bound of a date", () => {
  it.each([
    ["2026-12-31", "2026-12-31"],
    ["today", "2026-11-21"],
    ["today+30d", "2026-12-21"],
    ["today-18y", "2008-11-21"],
    ["today+3m", "2027-02-21"],
  ])("%s is %s", (written, day) => {
    expect(readDateBound(written, NOON)).toBe(day);
  });

  it("a month after 31 January is the last day of February", () => {
    expect(readDateBound("today+1m", Date.UTC(2026, 0, 31))).toBe("2026-02-28");
    expect(readDateBound("today-1y", Date.UTC(2028, 1, 29))).toBe("2027-02-28");
  });

  it.each(["", "tomorrow", "2026-02-30", "today+1", "today + 1d", "1.1.2026"])(
    "%j is not a bound",
    (written) => {
      expect(readDateBound(written, NOON)).toBeNull();
    },
  );
});
