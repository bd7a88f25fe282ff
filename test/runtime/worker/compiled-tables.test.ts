import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../../../src/config/load/load.ts";
import { LOCALES } from "../../../src/locales/shipped.ts";
import type { Line, TableSet } from "../../../src/locales/types.ts";
import { compileTables, readTables } from "../../../src/runtime/worker/compiled-tables.ts";
import { tables } from "../../fixtures/config.ts";

const plain = (sets: readonly TableSet[]): unknown => JSON.parse(JSON.stringify(sets));
const again = (sets: readonly TableSet[]): unknown =>
  plain(readTables(JSON.parse(JSON.stringify(compileTables(sets)))));

const text = fc.string({ unit: "grapheme" });
const line: fc.Arbitrary<Line> = fc.record(
  {
    say: fc.record({
      text: fc.record({
        format: fc.constantFrom("html", "text"),
        parts: fc.array(
          fc.oneof(
            text,
            text.map((slot) => ({ slot })),
          ),
          { maxLength: 3 },
        ),
      }),
    }),
    when: fc.array(fc.record({ when: fc.dictionary(text, text) }), { maxLength: 1 }),
    origin: fc.constantFrom("own", "shipped"),
    locale: fc.constantFrom("en", "fr", "pt-BR"),
  },
  { requiredKeys: ["origin", "locale"] },
);
const set: fc.Arbitrary<TableSet> = fc
  .dictionary(
    fc.constantFrom("en", "fr", "pt-BR"),
    fc.dictionary(
      fc.constantFrom("welcome", "no-results", "1"),
      fc.array(line, { minLength: 1, maxLength: 3 }),
    ),
  )
  .map((byLocale) => tables(byLocale));

describe("compiled tables", () => {
  it("are the same tables again, whatever is said in them", () => {
    fc.assert(
      fc.property(fc.array(set, { maxLength: 3 }), (sets) => {
        expect(again(sets)).toEqual(plain(sets));
      }),
    );
  });

  it("hold all shipped texts once, whoever else says them", async () => {
    const { tableSets } = await loadConfig(
      join(import.meta.dirname, "../../../config/examples/edge.yaml"),
    );
    const compiled = compileTables(tableSets);
    expect(again(tableSets)).toEqual(plain(tableSets));
    const locales = Object.keys(compiled.sets[0]?.channels[""] ?? {});
    expect(locales.toSorted()).toEqual([...LOCALES].toSorted());
    const allLines = tableSets.flatMap(({ channels }) =>
      Object.values(channels[""] ?? {}).flatMap(({ lines }) => Object.values(lines).flat()),
    );
    expect(compiled.lines).toHaveLength(new Set(allLines.map((one) => JSON.stringify(one))).size);
  });

  it("that were tampered with are refused", () => {
    const compiled = compileTables([tables({ en: { welcome: "Hi" } })]);
    expect(() => readTables({ ...compiled, lines: [] })).toThrow(RangeError);
  });
});
