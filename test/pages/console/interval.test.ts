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
