/** Where a number stands in a sorted part of an array, or -1. */
export function placeOf(
  sorted: Int32Array | Uint16Array,
  number: number,
  from: number,
  to: number,
): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low < to && sorted[low] === number ? low : -1;
}
