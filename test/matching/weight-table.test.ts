import fc from "fast-check";
import { expect, test } from "vitest";
import { createWeightTable } from "../../src/matching/weight-table.ts";

const weight = fc.oneof(
  fc.constantFrom(0, 0.004),
  fc.integer({ min: -2000, max: 2000 }).map((thousandths) => thousandths / 1000),
);
const value = fc.integer({ min: 1, max: 1000 }).map((thousandths) => thousandths / 1000);

test("margins are those of one feature added after the other, to the last bit", () => {
  const learnt = fc
    .tuple(fc.integer({ min: 1, max: 24 }), fc.integer({ min: 1, max: 9 }))
    .chain(([features, contents]) =>
      fc.tuple(
        fc.array(fc.array(weight, { minLength: features, maxLength: features }), {
          minLength: contents,
          maxLength: contents,
        }),
        fc.array(value, { minLength: features, maxLength: features }),
        fc.shuffledSubarray(Array.from({ length: features }, (_, feature) => feature)),
      ),
    );
  fc.assert(
    fc.property(learnt, ([contents, values, order]) => {
      const weights = contents.map((row) => Float32Array.from(row));
      const table = createWeightTable(values.length, contents.length);
      for (const [content, row] of weights.entries()) table.add(content, row);
      const asked = {
        starts: Int32Array.of(0, order.length),
        features: Int32Array.from(order),
        values: Float32Array.from(order, (feature) => values[feature] ?? 0),
      };
      const margins = new Float32Array(contents.length).fill(-1);
      const wanted = margins.slice();
      const finished = table.finish();
      finished.addTo(margins, asked);
      for (const [at, feature] of order.entries()) {
        for (const [content, row] of weights.entries()) {
          const one = row[feature] ?? 0;
          if (Math.abs(one) < 0.005) continue;
          wanted[content] = (wanted[content] ?? 0) + (asked.values[at] ?? 0) * one;
        }
      }
      expect([...margins]).toEqual([...wanted]);
      // Nothing is left over from the question before.
      margins.fill(-1);
      finished.addTo(margins, asked);
      expect([...margins]).toEqual([...wanted]);
    }),
    { numRuns: 500 },
  );
});
