import { expect, it } from "vitest";
import { compareShares, wilsonOf } from "../../../src/pages/console/interval.ts";

const rounded = (numbers: readonly number[]): readonly number[] =>
  numbers.map((one) => Math.round(one * 10_000) / 10_000);

it("gives Wilson's interval of a share, also of few readers and at its ends", () => {
  // Newcombe (1998), Two-sided confidence intervals for the single proportion, table I.
  expect(rounded(wilsonOf(81, 263))).toEqual([0.2553, 0.3662]);
  expect(rounded(wilsonOf(15, 148))).toEqual([0.0624, 0.1605]);
  expect(rounded(wilsonOf(0, 20))).toEqual([0, 0.1611]);
  expect(rounded(wilsonOf(1, 29))).toEqual([0.0061, 0.1718]);
});

it("gives Newcombe's interval of the difference of two shares", () => {
  // Newcombe (1998), Interval estimation for the difference, table II: 56/70 less 48/80.
  const { difference, least, most } = compareShares([48, 80], [56, 70]);
  expect(rounded([difference, least, most])).toEqual([0.2, 0.0524, 0.3339]);
});

/**
 * Wilson's bound by its definition: the share from which the observed one is z standard errors
 * away.
 */
function solveScore(some: number, all: number, side: -1 | 1): number {
  const seen = some / all;
  const isInside = (share: number): boolean =>
    Math.abs(seen - share) <= 1.959964 * Math.sqrt((share * (1 - share)) / all);
  let [inside, outside] = [seen, side === 1 ? 1 : 0];
  if (isInside(outside)) return outside;
  for (let step = 0; step < 60; step++) {
    const middle = (inside + outside) / 2;
    if (isInside(middle)) inside = middle;
    else outside = middle;
  }
  return inside;
}

it("agrees with the score test, solved by halving, for every share of up to 40 readers", () => {
  for (let all = 1; all <= 40; all++) {
    for (let some = 0; some <= all; some++) {
      const [least, most] = wilsonOf(some, all);
      expect(least).toBeCloseTo(solveScore(some, all, -1), 8);
      expect(most).toBeCloseTo(solveScore(some, all, 1), 8);
    }
  }
});

/** The probability of each count of readers, if each reader is among them with this probability. */
function listProbabilities(all: number, share: number): readonly number[] {
  let chance = (1 - share) ** all;
  return Array.from({ length: all + 1 }, (_, some) => {
    const current = chance;
    chance *= ((all - some) / (some + 1)) * (share / (1 - share));
    return current;
  });
}

it("holds the true difference in about 95 of 100 cases, from ten readers on", () => {
  const covered: number[] = [];
  for (const [before, after] of [
    [10, 10],
    [10, 25],
    [30, 30],
  ] as const) {
    for (const [one, other] of [
      [0.05, 0.05],
      [0.1, 0.3],
      [0.5, 0.5],
      [0.8, 0.4],
      [0.9, 0.95],
    ] as const) {
      let held = 0;
      const others = listProbabilities(after, other);
      for (const [some, chance] of listProbabilities(before, one).entries()) {
        for (const [more, probability] of others.entries()) {
          const { least, most } = compareShares([some, before], [more, after]);
          if (least <= other - one && other - one <= most) held += chance * probability;
        }
      }
      covered.push(held);
    }
  }
  expect(Math.min(...covered)).toBeGreaterThan(0.92);
  const average = covered.reduce((sum, one) => sum + one, 0) / covered.length;
  expect(average).toBeGreaterThan(0.94);
  expect(average).toBeLessThan(0.99);
});
