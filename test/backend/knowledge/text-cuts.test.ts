import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  countFound,
  highlight,
  passage,
  soughtIn,
} from "../../../src/backend/knowledge/highlight.ts";
import { createCutter } from "../../../src/backend/knowledge/text-cuts.ts";
import { createAnalyser } from "../../../src/backend/matching/analysis.ts";

const cutterOf = (language: string, most?: number) =>
  createCutter(language, createAnalyser(language), most);

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
    const told = passage(text, sought, cut).text;
    expect(told).toMatch(/^….*the order.*…$/);
    expect(told.length).toBeLessThan(250);
    expect(passage("short order", sought, cut).text).toBe("short order");
    const plain = "nothing here ".repeat(60);
    expect(passage(plain, sought, cut).text).toMatch(/^nothing here.*…$/);
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
          const part = passage(long, sought, cut);
          expect(part).toEqual(cutterOf(language)(part.text));
        }),
        { numRuns: 200 },
      );
    },
  );
});
