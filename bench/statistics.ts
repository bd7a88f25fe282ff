/** Median and quartiles of one figure over the rounds. */
export interface Spread {
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/** Quartiles interpolate linearly between neighbours. @throws RangeError without values */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other);
  return {
    low: quantile(sorted, 0.25),
    median: quantile(sorted, 0.5),
    high: quantile(sorted, 0.75),
  };
}

function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)];
  const above = sorted[Math.ceil(place)];
  if (below === undefined || above === undefined) throw new RangeError("no values");
  return below + (above - below) * (place - Math.floor(place));
}
