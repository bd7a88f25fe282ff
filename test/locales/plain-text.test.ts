import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isBlank, isolate, toPlainText, shorten } from "../../src/locales/plain-text.ts";
import { anyText } from "../fixtures/runs.ts";

describe("plain text", () => {
  it.each([
    ["as typed", "as typed"],
    ["  outer space  ", "outer space"],
    [" espace à côté ", "espace à côté"],
    ["two\r\nlines\tand\u2028more", "two lines and more"],
    ["a\u0000b\u001b[31mc\u007f\u009b", "ab[31mc"],
    ["\u202eevil\u202c \u2066x\u2069 \u2068y", "evil x y"],
    ["\ufeffmark", "mark"],
    ["broken \ud800 half", "broken \ufffd half"],
    ["👩‍👩‍👧 कि नी", "👩‍👩‍👧 कि नी"],
    ["{{query}} <b>&amp;", "{{query}} <b>&amp;"],
    ["\u0000\u202e", ""],
  ])("of %j is %j", (typed, expected) => {
    expect(toPlainText(typed)).toBe(expected);
  });

  it("never keeps anything that could leave its isolate", () => {
    fc.assert(
      fc.property(anyText(), (typed) => {
        const isolated = isolate(toPlainText(typed));
        expect(isolated.isWellFormed()).toBe(true);
        expect(isolated).toMatch(/^\u2068[^\p{Cc}\u202a-\u202e\u2066-\u2069]*\u2069$/u);
      }),
    );
  });
});

describe("shortening", () => {
  it("keeps a text of exactly the limit, and cuts the next character", () => {
    expect(shorten("é".repeat(60), 60)).toBe("é".repeat(60));
    expect(shorten("é".repeat(61), 60)).toBe(`${"é".repeat(60)}…`);
  });

  it("counts what a reader takes for one character as one", () => {
    const family = "👩‍👩‍👧‍👦";
    expect(shorten(family.repeat(60), 60)).toBe(family.repeat(60));
    expect(shorten(family.repeat(61), 60)).toBe(`${family.repeat(60)}…`);
    expect(shorten("e\u0301".repeat(3), 2)).toBe("e\u0301e\u0301…");
  });

  it("leaves no space before the ellipsis", () => {
    expect(shorten("one two three", 4)).toBe("one…");
  });

  it("bounds a single character with endless combining marks", () => {
    const text = shorten(`a${"\u0301".repeat(100_000)}`, 60);
    expect(text.length).toBeLessThan(2_000);
    expect(text.endsWith("…")).toBe(true);
  });

  it("never splits a surrogate pair", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 200 }),
        fc.integer({ min: 1, max: 5 }),
        (text, limit) => shorten(text, limit).isWellFormed(),
      ),
    );
    const marked = `a${"\u0301".repeat(30)}`;
    expect(shorten(`${marked}${"😀".repeat(100)}`, 1)).toBe(`${marked}…`);
  });
});

it.each([
  ["", true],
  [" \t\n\u00a0", true],
  ["\u200b\u2060\ufeff\u00ad\u2068\u2069\u0000", true],
  [".", false],
  ["\u200ba", false],
])("%j is blank: %s", (text, blank) => {
  expect(isBlank(text)).toBe(blank);
});
