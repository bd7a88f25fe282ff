/** Median and quartiles of one figure over the rounds. */
export interface Spread {
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/** @throws RangeError without values */
export function spreadOf(values: readonly number[]): Spread {
  if (values.length === 0) throw new RangeError("no values");
  const sorted = values.toSorted((one, other) => one - other);
  return {
    low: quantile(sorted, 0.25),
    median: quantile(sorted, 0.5),
    high: quantile(sorted, 0.75),
  };
}

/** NaN without values. */
export function medianOf(values: readonly number[]): number {
  return quantile(
    values.toSorted((one, other) => one - other),
    0.5,
  );
}

/**
 * The value below which that share of sorted values lies, interpolated linearly between neighbours;
 * NaN without values.
 */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}
