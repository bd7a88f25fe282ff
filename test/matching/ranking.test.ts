import fc from "fast-check";
import { expect, test } from "vitest";
import { firstOf } from "../../src/matching/search.ts";
import { runs } from "../fixtures/runs.ts";

test("the best candidates are the head of all of them in order, ties included", () => {
  // Evidence of few different amounts, so that there are many ties.
  const candidate = fc.record({
    id: fc.nat(),
    evidence: fc.oneof(fc.integer({ min: -2, max: 2 }), fc.double({ noNaN: true })),
  });
  const bases = fc.uniqueArray(candidate, { maxLength: 200, selector: ({ id }) => id });
  const order = (
    one: { readonly id: number; readonly evidence: number },
    other: { readonly id: number; readonly evidence: number },
  ): number => other.evidence - one.evidence || one.id - other.id;
  fc.assert(
    fc.property(bases, fc.integer({ min: 1, max: 220 }), (base, limit) => {
      expect(firstOf(base, limit, order)).toEqual(base.toSorted(order).slice(0, limit));
    }),
    { numRuns: runs(500) },
  );
});
