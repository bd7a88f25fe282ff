import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { ContentFields } from "../../../src/api/console-contents.ts";
import { readContentFields } from "../../../src/backend/content/content-fields.ts";
import { editContents } from "../../../src/backend/content/edit-contents.ts";

const SHOP = readFileSync(new URL("../../../config/backend/shop.en.yaml", import.meta.url), "utf8");

const HAND = `language: en
contents:
  # first
  - id: 1 # one
    title: A # called so since 2020
    alternatives:
      - x # the shortest
      - y
    answer: |
      <p>a</p>

      <p>b</p>
  # second
  - { id: 2, title: B, answer: b }
synonyms:
  - [a, b]
`;

describe("editing a content file", () => {
  it("changes the lines of the fields alone, with their comments and quotes", () => {
    const answer = ["<p>c</p>\n<p>d</p>\n"];
    const fields = { title: "AA", alternatives: ["x", "z"], answer, hidden: true };
    expect(editContents(HAND, [{ id: 1, fields }])).toBe(
      HAND.replace("title: A ", "title: AA ")
        .replace("- y", "- z")
        .replace("<p>a</p>\n\n      <p>b</p>\n", "<p>c</p>\n      <p>d</p>\n    hidden: true\n"),
    );
  });

  it("adds, copies and removes contents, and keeps line breaks of Windows", () => {
    const added = "  - id: 3\n    title: C\n    answer: c\n";
    const edited = editContents(HAND.replaceAll("\n", "\r\n"), [
      { id: 3, fields: { title: "C", answer: ["c"] } },
    ]);
    expect(edited).toBe(
      HAND.replace("synonyms", `${added.replace("answer: c", 'answer: "c"')}synonyms`).replaceAll(
        "\n",
        "\r\n",
      ),
    );
    expect(editContents(HAND, [{ id: 1, fields: null }])).toBe(
      HAND.replace(/ {2}- id: 1[^]*?(?= {2}# second)/, ""),
    );
    const copy = editContents(SHOP, [{ id: 900, like: 1, fields: { title: "Copy" } }]) ?? "";
    expect(copy.startsWith(SHOP)).toBe(true);
    const { contents } = parse(copy) as { contents: readonly Record<string, unknown>[] };
    expect(contents.at(-1)).toMatchObject({
      id: 900,
      title: "Copy",
      sideBubble: contents[0]?.["sideBubble"],
    });
    expect(contents.at(-1)).not.toHaveProperty("directCall");
  });

  it("creates a file, and empties one", () => {
    expect(editContents("language: en\n", [{ id: 1, fields: { title: "t", answer: ["x"] } }])).toBe(
      'language: en\ncontents:\n  - id: 1\n    title: t\n    answer: "x"\n',
    );
    const empty = editContents(HAND, [
      { id: 1, fields: null },
      { id: 2, fields: null },
    ]);
    expect(parse(empty ?? "")).toEqual({ language: "en", contents: [], synonyms: [["a", "b"]] });
  });

  it("quotes words that other YAML readers would not read as text", () => {
    const edited = editContents(HAND, [{ id: 2, fields: { title: "no", related: [1] } }]);
    expect(edited).toContain('"no"');
  });

  it("refuses a file if an edit would also change other parts", () => {
    const shared =
      "language: en\ncontents:\n  - id: 1\n    title: &t A\n    answer: a\n  - { id: 2, title: *t, answer: b }\n";
    expect(editContents(shared, [{ id: 1, fields: { title: "B" } }])).toBe(null);
    expect(editContents("contents: [", [{ id: 1, fields: null }])).toBe(null);
  });

  it("reads back any value that was written, and leaves every other content as it was", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 40 });
    const fields: fc.Arbitrary<Partial<ContentFields>> = fc.record(
      {
        title: text,
        alternatives: fc.array(text, { maxLength: 4 }),
        answer: fc.array(text, { minLength: 1, maxLength: 3 }),
        categories: fc.array(fc.nat(9), { maxLength: 3 }),
        related: fc.array(fc.nat(9), { maxLength: 3 }),
        published: fc.boolean(),
        hidden: fc.boolean(),
        publishFrom: fc.constantFrom("2026-12-31", "2026-12-31T18:00+01:00"),
      },
      { requiredKeys: [] },
    );
    const id = fc.constantFrom(1, 2, 3);
    fc.assert(
      fc.property(id, fields, fc.constantFrom(HAND, SHOP), (which, wanted, file) => {
        const after = parse(editContents(file, [{ id: which, fields: wanted }]) ?? "null") as {
          contents: readonly { id: number }[];
        };
        const before = parse(file) as typeof after;
        const found = after.contents.find((one) => one.id === which);
        const known = before.contents.find((one) => one.id === which);
        const expected = { ...readContentFields(known), ...wanted };
        expect(readContentFields(found)).toEqual(expected);
        const others = (all: typeof after) => all.contents.filter((one) => one.id !== which);
        expect(others(after)).toEqual(others(before));
      }),
      { numRuns: 60 },
    );
  });
});
