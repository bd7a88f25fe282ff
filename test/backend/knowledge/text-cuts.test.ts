// Suite: long
import { loadMatchingWords } from "../../../src/config/load/matching-words.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  countFound,
  highlight,
  cutPassage,
  soughtIn,
} from "../../../src/backend/knowledge/highlight.ts";
import { createCutter, partOf } from "../../../src/backend/knowledge/text-cuts.ts";
import { createAnalyser } from "../../../src/matching/analysis.ts";
import { runs } from "../../fixtures/runs.ts";

const cutterOf = (language: string, most?: number) =>
  createCutter(language, createAnalyser(language, loadMatchingWords(language)), most);

describe("a text that is cut", () => {
  it.each([
    ["en", "Where's my order? <b>Now</b> & then"],
    ["ja", "配送料はいくらですか。"],
    ["th", "ค่าจัดส่งเท่าไหร่"],
    ["en", ""],
  ])("is whole when its pieces are put together (%s: %j)", (language, text) => {
    const { ends, tokens } = cutterOf(language)(text);
    expect(tokens).toHaveLength(ends.length);
    expect(ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end)).join("")).toBe(text);
  });

  it("is cut once as long as it is kept, and again when others have taken its room", () => {
    const cut = cutterOf("en", 20);
    const first = cut("ten letter");
    expect(cut("ten letter")).toBe(first);
    cut("other text");
    expect(cut("ten letter")).toBe(first);
    cut("third text");
    expect(cut("ten letter")).toBe(first);
    cut("fourth and longer");
    expect(cut("ten letter")).not.toBe(first);
    expect(cut("ten letter")).toEqual(first);
  });
});

describe("a part of it", () => {
  const all = { before: "", after: "" };

  it.each([
    ["en", "Where is my order-number?", "number", "my"],
    ["ja", "送料 配送料はいくらですか", "いくら", "送料"],
    ["th", "ราคา ค่าจัดส่งเท่าไหร่", "จัดส่ง", "ราคา"],
  ])(
    "is taken from its pieces where white space is around it (%s: %j)",
    (language, text, inside, free) => {
      const cut = cutterOf(language);
      const taken = (part: string): unknown => {
        const start = text.indexOf(part);
        return partOf(cut(text), start, start + part.length, all);
      };
      // It may be cut differently as a separate text.
      for (const part of [
        inside,
        `${inside}${text.split(inside)[1]}`,
        text.split(inside)[0] ?? "",
      ]) {
        expect(cut(text).ends).toContain(text.indexOf(part) + part.length);
        expect([part, taken(part)]).toEqual([part, null]);
      }
      expect(taken(free)).toEqual(cut(free));
      expect(taken(text)).toEqual(cut(text));
    },
  );

  it.each(["en", "ja", "th"])("has the pieces that it has by itself, or none (%s)", (language) => {
    const cut = cutterOf(language);
    const piece = fc.constantFrom(
      "order",
      "12.5",
      "it's",
      "a-b",
      "配送料はいくら",
      "ค่าจัดส่ง",
      "👨‍👩‍👧",
      ".",
    );
    const gap = fc.constantFrom(" ", "  ", "\u00a0", "");
    const texts = fc
      .array(fc.tuple(piece, gap), { minLength: 1, maxLength: 12 })
      .map((parts) => parts.flat().join(""));
    const around = fc.constantFrom(all, { before: "…", after: "…" }, { before: "…", after: "" });
    fc.assert(
      fc.property(texts, fc.nat(), fc.nat(), around, (text, from, to, put) => {
        const places = [0, ...cut(text).ends];
        const [start = 0, end = 0] = [from % places.length, to % places.length]
          .toSorted((one, other) => one - other)
          .map((place) => places[place]);
        const part = partOf(cut(text), start, end, put);
        const free =
          (start === 0 || /\s/u.test(text.charAt(start - 1))) &&
          (end === text.length || /\s/u.test(text.charAt(end)));
        expect(part === null).toBe(start === end || !free);
        if (part !== null) expect(part).toEqual(cutterOf(language)(part.text));
      }),
      { numRuns: runs(500) },
    );
  });
});

describe("what is marked in it", () => {
  const cut = cutterOf("en");
  const sought = soughtIn("where are my Orders & returns?", cut, false);

  it("are the words that are sought, whatever their ending, everything else as it was, escaped", () => {
    const { html, stems } = highlight(cut(`An "order" <returned> & the orders' end`), sought);
    expect(html).toBe(
      "An &quot;<strong>order</strong>&quot; &lt;<strong>returned</strong>&gt; &amp; the <strong>orders</strong>&#39; end",
    );
    expect(stems.size).toBe(countFound(cut(`An "order" <returned> & the orders' end`), sought));
  });

  it("is the passage around the first of them, in a long text", () => {
    const text = `${"nothing here ".repeat(60)}the order ${"and so on ".repeat(60)}`;
    const shortened = cutPassage(text, sought, cut).text;
    expect(shortened).toMatch(/^….*the order.*…$/);
    expect(shortened.length).toBeLessThan(250);
    expect(cutPassage("short order", sought, cut).text).toBe("short order");
    const plain = "nothing here ".repeat(60);
    expect(cutPassage(plain, sought, cut).text).toMatch(/^nothing here.*…$/);
  });

  it.each(["en", "de", "ja", "th", "ar"])(
    "has the pieces that the passage has when it is cut by itself (%s)",
    (language) => {
      const pieces = [
        ...[
          "order",
          "orders",
          "nothing",
          "12.5",
          "it's",
          "a-b",
          "(so)",
          "👨‍👩‍👧",
          "e\u0301",
          "…",
          "\u0301",
        ],
        ...["配送料はいくら", "ค่าจัดส่งเท่าไหร่", "كم تكلفة", "Größe", "\u200dx", "x\u200d", "."],
      ];
      const gaps = [" ", " ", "  ", "\n", "\u00a0", ""];
      const text = fc
        .array(fc.tuple(fc.constantFrom(...pieces), fc.constantFrom(...gaps)), {
          minLength: 40,
          maxLength: 200,
        })
        .map((parts) => parts.flat().join(""));
      fc.assert(
        fc.property(text, (long) => {
          const cut = cutterOf(language);
          const part = cutPassage(long, sought, cut);
          expect(part).toEqual(cutterOf(language)(part.text));
        }),
        { numRuns: runs(200) },
      );
    },
  );
});
