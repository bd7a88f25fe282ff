import fc from "fast-check";
import { expect, test } from "vitest";
import { createInvertedIndex } from "../../src/matching/inverted-index.ts";
import { runs } from "../fixtures/runs.ts";

const value = fc.integer({ min: -2000, max: 2000 }).map((thousandths) => thousandths / 1000);

test("an index adds the product of every row with what is asked, feature by feature", () => {
  const bases = fc
    .tuple(fc.integer({ min: 1, max: 24 }), fc.integer({ min: 0, max: 9 }))
    .chain(([size, count]) => {
      const row = fc.dictionary(fc.integer({ min: 0, max: size - 1 }).map(String), value);
      return fc.tuple(
        fc.constant(size),
        fc.array(row, { minLength: count, maxLength: count }),
        row,
      );
    });
  fc.assert(
    fc.property(bases, ([size, rows, asked]) => {
      const index = createInvertedIndex(rows.map(sparse), size);
      const sums = new Float32Array(rows.length).fill(-1);
      const wanted = sums.slice();
      index.addProducts(sums, sparse(asked));
      for (const [feature, amount] of Object.entries(asked)) {
        for (const [at, row] of rows.entries()) {
          const own = Math.fround(row[feature] ?? 0);
          wanted[at] = (wanted[at] ?? 0) + Math.fround(amount) * own;
        }
      }
      expect([...sums]).toEqual([...wanted]);
    }),
    { numRuns: runs(500) },
  );
});

function sparse(row: Readonly<Record<string, number>>) {
  return {
    features: Int32Array.from(Object.keys(row), Number),
    values: Float32Array.from(Object.values(row)),
  };
}
