import { medianOf } from "../statistics.ts";

/** Nanoseconds of one call, and bytes that it allocates on the heap. */
export interface Raced {
  /** Median, without the first quarter of the rounds, in which code is still being compiled. */
  readonly nanoseconds: number;
  /** The fastest round, which a disturbed machine affects least. */
  readonly fastest: number;
  readonly allocated: number;
}

/**
 * Medians over rounds that alternate between the contenders, so that a disturbance affects all of
 * them.
 *
 * @param bytes the input of one call; a round has as many calls as make about 400 KB
 */
export function race<Name extends string>(
  bytes: number,
  contenders: Readonly<Record<Name, () => unknown>>,
  rounds = 24,
): ReadonlyMap<string, Raced> {
  const calls = Math.max(1, Math.round(400_000 / bytes));
  const times = new Map<string, number[]>();
  const sizes = new Map<string, number[]>();
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries<() => unknown>(contenders)) {
      const used = process.memoryUsage().heapUsed;
      const began = performance.now();
      for (let call = 0; call < calls; call++) run();
      const took = performance.now() - began;
      const grown = process.memoryUsage().heapUsed - used;
      push(times, name, (took * 1e6) / calls);
      // A collection in between makes it negative, or too small; most rounds have none.
      if (grown > 0) push(sizes, name, grown / calls);
    }
  }
  return new Map(
    [...times].map(([name, list]) => [
      name,
      {
        nanoseconds: medianOf(list.slice(rounds >> 2)),
        fastest: Math.min(...list),
        allocated: medianOf(sizes.get(name) ?? []),
      },
    ]),
  );
}

function push(lists: Map<string, number[]>, name: string, value: number): void {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [value]);
  else list.push(value);
}
