import { describe, expect, it } from "vitest";
import {
  around,
  countFound,
  highlight,
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
    const passage = around(text, sought, cut);
    expect(passage).toMatch(/^….*the order.*…$/);
    expect(passage.length).toBeLessThan(250);
    expect(around("short order", sought, cut)).toBe("short order");
    expect(around("nothing here ".repeat(60), sought, cut)).toMatch(/^nothing here.*…$/);
  });
});
