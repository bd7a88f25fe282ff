/** For 95 of 100 intervals to hold the share that they estimate. */
const z = 1.959964;

/**
 * Wilson's score interval of a share, which also holds for few readers and for shares near 0 or 1.
 *
 * @param all at least 1
 */
export function wilsonOf(some: number, all: number): readonly [number, number] {
  const share = some / all;
  const spread = z * z;
  const middle = share + spread / (2 * all);
  const reach = z * Math.sqrt((share * (1 - share)) / all + spread / (4 * all * all));
  const whole = 1 + spread / all;
  return [Math.max(0, (middle - reach) / whole), Math.min(1, (middle + reach) / whole)];
}

type Counts = readonly [some: number, all: number];

/** Compares two shares: Newcombe's interval of a difference, made of Wilson's (1998, method 10). */
export function compareShares(first: Counts, second: Counts) {
  const [one, other] = [first[0] / first[1], second[0] / second[1]];
  const [oneLeast, oneMost] = wilsonOf(...first);
  const [otherLeast, otherMost] = wilsonOf(...second);
  const difference = other - one;
  return {
    /** The second share less the first. */
    difference,
    least: difference - Math.hypot(other - otherLeast, oneMost - one),
    most: difference + Math.hypot(otherMost - other, one - oneLeast),
  };
}
