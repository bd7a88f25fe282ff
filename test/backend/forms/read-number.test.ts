import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readNumber } from "../../../src/backend/forms/read-value.ts";
import { LOCALES } from "../../../src/locales/shipped.ts";
import { anyText } from "../../fixtures/runs.ts";

describe("a number as it is typed", () => {
  it.each([
    ["42", "en", "42"],
    ["3,50", "de", "3.50"],
    ["3,50", "en", "3.50"],
    ["3.50", "de", "3.50"],
    ["1.234", "de", "1234"],
    ["1.234", "en", "1.234"],
    ["1,234", "en", "1234"],
    ["1,234", "de", "1.234"],
    ["0,500", "en", "0.500"],
    ["1.234,50", "en", "1234.50"],
    ["1,234.50", "de", "1234.50"],
    ["1.234.567", "fr", "1234567"],
    ["12,34,567.8", "en", "1234567.8"],
    ["1 234,5", "fr", "1234.5"],
    ["1\u202f234,5", "fr", "1234.5"],
    ["1'234.50", "de-ch", "1234.50"],
    ["١٢٣٫٥", "ar", "123.5"],
    ["١٬٢٣٤٫٥", "ar", "1234.5"],
    ["३५", "hi", "35"],
    ["１２，５", "ja", "12.5"],
    ["๔๒", "th", "42"],
    ["−3", "sv", "-3"],
    ["\u200e-3", "he", "-3"],
    ["€ 3,50", "de", "3.50"],
    ["$3.50", "en", "3.50"],
    ["3,50 €", "fr", "3.50"],
    [".5", "en", "0.5"],
    ["5.", "en", "5"],
    ["007", "en", "7"],
    ["-0,0", "de", "0.0"],
    ["90071992547409931", "en", "90071992547409931"],
  ])("%j in %s is %s", (text, language, value) => {
    expect(readNumber(text, language)).toBe(value);
  });

  it.each([
    "",
    " ",
    "abc",
    "1e5",
    "0x10",
    "Infinity",
    "NaN",
    "--3",
    "3-",
    "1.23.4",
    "1,2,3",
    "12 34",
    "1,234,56",
    "1.2,3.4",
    "1G234",
    "1٫2٫3",
    "½",
    "5 kg",
    "1".repeat(41),
  ])("%j is not a number", (text) => {
    for (const language of ["en", "de", "fr", "ar"]) expect(readNumber(text, language)).toBeNull();
  });

  it("a language that is not a tag is read like English", () => {
    expect(readNumber("1,234", "not a tag")).toBe("1234");
  });

  it.each(LOCALES)("what Intl writes for %s is read back", (locale) => {
    const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
    for (const value of [0, 7, -12, 3.5, 0.25, 1234, 1234.5, 1_234_567.89, -98_765]) {
      expect([locale, Number(readNumber(format.format(value), locale))]).toEqual([locale, value]);
    }
  });

  it("gives a plain number or nothing, whatever is typed", () => {
    fc.assert(
      fc.property(
        fc.oneof(anyText(), fc.stringMatching(/^[+-]?[0-9., '٫٬]{0,12}$/)),
        fc.constantFrom("en", "de", "fr", "ar", "zz-zz"),
        (text, language) => {
          const value = readNumber(text, language);
          if (value !== null) expect(value).toMatch(/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/);
        },
      ),
    );
  });
});
