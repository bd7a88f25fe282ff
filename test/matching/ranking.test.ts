import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bestOf, sorted } from "../../src/matching/ranking.ts";

/**
 * Contents with ids of their own and with evidence of few different amounts, so that there are many
 * ties.
 */
const bases = fc.array(
  fc.record({
    id: fc.integer({ min: -3, max: 30 }),
    evidence: fc.oneof(fc.integer({ min: -2, max: 2 }), fc.double({ noNaN: true })),
  }),
  { maxLength: 200 },
);

describe("the best candidates of a question", () => {
  it("are the head of all of them in order, ties included", () => {
    fc.assert(
      fc.property(bases, fc.integer({ min: 1, max: 220 }), fc.infiniteStream(fc.nat()), run),
      { numRuns: 500 },
    );
    function run(base: Base, limit: number, shuffle: Iterator<number>): void {
      const { candidates, ids } = candidatesOf(base, shuffle);
      const byHand = base
        .map(({ id, evidence }, content) => ({ id, evidence, content }))
        .toSorted(
          (one, other) =>
            other.evidence - one.evidence || one.id - other.id || one.content - other.content,
        )
        .map(({ content }) => content);
      const best = bestOf(candidates, ids, limit).map((place) => candidates.contents[place]);
      expect(best).toEqual(byHand.slice(0, limit));
      const all = sorted([...candidates.contents.keys()], candidates, ids);
      expect(all.map((place) => candidates.contents[place])).toEqual(byHand);
    }
  });

  it("are none of those beyond the count, which an earlier question left there", () => {
    const contents = Int32Array.of(0, 1, 2);
    const evidence = Float64Array.of(0.1, 0.2, 9);
    expect(bestOf({ contents, evidence, count: 2 }, [7, 8, 9], 3)).toEqual([1, 0]);
  });
});

type Base = readonly { readonly id: number; readonly evidence: number }[];

/** The candidates in any order: which phrase was seen first says nothing. */
function candidatesOf(base: Base, shuffle: Iterator<number>) {
  const contents = Int32Array.from(base.keys());
  for (let at = contents.length - 1; at > 0; at -= 1) {
    const other = Number(shuffle.next().value) % (at + 1);
    const moved = contents[at] ?? 0;
    contents[at] = contents[other] ?? 0;
    contents[other] = moved;
  }
  const evidence = Float64Array.from(contents, (content) => base[content]?.evidence ?? 0);
  return {
    candidates: { contents, evidence, count: base.length },
    ids: base.map(({ id }) => id),
  };
}
