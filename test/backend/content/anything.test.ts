// Suite: slow
import fc from "fast-check";
import { expect, test } from "vitest";
import { readContent } from "../../../src/backend/content/parse.ts";
import { readStoredRows } from "../../../src/backend/content/rows.ts";
import { texts } from "./written.ts";
import { runs } from "../../fixtures/runs.ts";

/** Half a content: right and wrong values under keys that exist. */
const almost = fc.record(
  {
    id: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.jsonValue()),
    title: fc.oneof(fc.string(), fc.constant("T")),
    answer: fc.oneof(fc.string(), fc.array(fc.string()), fc.jsonValue()),
    related: fc.oneof(fc.array(fc.integer({ min: 1, max: 5 })), fc.jsonValue()),
    options: fc.oneof(fc.array(fc.integer({ min: 1, max: 5 })), fc.jsonValue()),
    categories: fc.oneof(fc.array(fc.integer({ min: 1, max: 3 })), fc.jsonValue()),
    expires: fc.oneof(fc.date().map(String), fc.constant("2026-12-31"), fc.jsonValue()),
    directCall: fc.oneof(fc.constantFrom("a", "sys-welcome"), fc.jsonValue()),
    form: fc.jsonValue(),
  },
  { requiredKeys: [] },
);
const parts = fc.record(
  {
    language: fc.oneof(fc.constantFrom("en", "fr"), fc.jsonValue()),
    contents: fc.oneof(fc.array(almost), fc.jsonValue()),
    categories: fc.oneof(
      fc.array(
        fc.record({ id: fc.integer({ min: 1, max: 3 }), name: fc.string(), parent: fc.nat(3) }),
      ),
      fc.jsonValue(),
    ),
    customized: fc.oneof(
      fc.dictionary(fc.constantFrom("welcome", "refinement"), fc.nat(5)),
      fc.jsonValue(),
    ),
    synonyms: fc.jsonValue(),
    appData: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

function holds({ content, diagnostics }: ReturnType<typeof readContent>): void {
  expect(content === null).toBe(diagnostics.some(({ severity }) => severity === "error"));
  for (const { line, column, message } of diagnostics) {
    expect([line >= 1, column >= 1, message !== ""]).toStrictEqual([true, true, true]);
  }
  for (const { items } of content?.languages.values() ?? []) {
    const ids = new Set(items.map(({ id }) => id));
    expect(ids.size).toBe(items.length);
    expect(new Set(items.map(({ slug }) => slug)).size).toBe(items.length);
    for (const { related, options } of items) {
      const named = [...related, ...options.map(({ content: id }) => id)];
      expect(named.filter((id) => !ids.has(id))).toStrictEqual([]);
    }
  }
}

test("any files give consistent content, or a list of mistakes with their places", () => {
  const file = fc.oneof(
    parts.map((value) => JSON.stringify(value, null, 1)),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(file, { maxLength: 3 }), (written) => {
      const contents = written.map((text, index) => ({ name: `${index}.yaml`, text }));
      holds(readContent({ contents, texts }));
    }),
    { numRuns: runs(300) },
  );
});

test("any database rows give consistent content, or a list of mistakes with their places", () => {
  const scope = { project: "*", language: "en" };
  const document = fc.oneof(almost, fc.jsonValue());
  fc.assert(
    fc.property(
      fc.array(document, { maxLength: 6 }),
      fc.oneof(parts, fc.jsonValue()),
      (all, beside) => {
        const rows = readStoredRows({
          sources: [{ ...scope, document: beside }],
          rows: all.map((one, index) => ({ ...scope, id: index + 1, document: one, modified: 0 })),
        });
        holds(readContent({ contents: [], texts, rows }));
      },
    ),
    { numRuns: runs(300) },
  );
});
