import fc from "fast-check";
import { expect, test } from "vitest";
import { createWeightTable } from "../../src/matching/weight-table.ts";

const weight = fc.oneof(
  fc.constantFrom(0, 0.004, 0.02, 0.0201, -0.02),
  fc.double({ min: -2, max: 2, noNaN: true }),
  fc.double({ min: -0.03, max: 0.03, noNaN: true }),
);
const value = fc.double({ min: 0.001, max: 1, noNaN: true });

/** What contents have learnt of each feature, and a row that asks for some of them. */
const learnt = fc
  .tuple(fc.integer({ min: 1, max: 24 }), fc.integer({ min: 1, max: 9 }))
  .chain(([features, contents]) =>
    fc.record({
      rows: fc.array(fc.array(weight, { minLength: features, maxLength: features }), {
        minLength: contents,
        maxLength: contents,
      }),
      values: fc.array(value, { minLength: features, maxLength: features }),
      order: fc.shuffledSubarray(Array.from({ length: features }, (_, feature) => feature)),
      begin: fc.double({ min: -2, max: 2, noNaN: true }).map(Math.fround),
    }),
  );

test("no margin is above its bound, and a margin added up alone is the same to the last bit", () => {
  fc.assert(
    fc.property(learnt, ({ rows, values, order, begin }) => {
      const table = createWeightTable(values.length, rows.length);
      for (const [content, row] of rows.entries()) table.add(content, Float32Array.from(row));
      const weights = table.finish();
      const asked = {
        starts: Int32Array.of(0, order.length),
        features: Int32Array.from(order),
        values: Float32Array.from(order, (feature) => values[feature] ?? 0),
      };
      const margins = new Float32Array(rows.length).fill(begin);
      weights.addTo(margins, asked);
      const most = new Float32Array(rows.length).fill(begin);
      const rest = weights.bounds.addTo(most, asked);
      for (const [content, margin] of margins.entries()) {
        expect(weights.addedTo(begin, content, asked)).toBe(margin);
        expect((most[content] ?? 0) + rest).toBeGreaterThanOrEqual(margin);
      }
    }),
    { numRuns: 500 },
  );
});

test("weights of nothing but large ones are bounded by their sum", () => {
  const table = createWeightTable(2, 3);
  table.add(0, Float32Array.of(0.5, 0.25));
  table.add(1, Float32Array.of(-1, 0.5));
  const most = new Float32Array(3).fill(-1);
  const row = {
    starts: Int32Array.of(0, 2),
    features: Int32Array.of(0, 1),
    values: Float32Array.of(1, 0.5),
  };
  const rest = table.finish().bounds.addTo(most, row);
  expect([...most]).toEqual([-0.375, -0.75, -1]);
  expect(rest).toBeLessThan(1e-4);
});
