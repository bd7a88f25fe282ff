import { hashOf } from "../matching/hashing.ts";
import { createKeeping } from "./keeping.ts";

/** Results that are kept as long as nothing that they were made of has changed. */
export interface SearchCache<T> {
  /** What was kept under `key`, else what `make` makes. `sources` are compared by identity. */
  get(key: string, state: CacheState, make: () => T): T;
}

export interface CacheState {
  /** The things that results are made of: another one empties the cache. */
  readonly sources: readonly object[];
  readonly now: number;
  /** Until when, in milliseconds since the epoch, what is made now is good. */
  readonly until: number;
}

/**
 * At most `size` results; those that nobody asked for go first. A result is kept when it is asked for a second time and few others
 * were asked for in between: most questions are asked once, and what is kept of them would only push out the others, and be
 * garbage that has grown old.
 */
export function createSearchCache<T>(size: number): SearchCache<T> {
  let sources: readonly object[] = [];
  const kept = createKeeping<{ readonly value: T; readonly until: number }>(size);
  const before = new Int32Array(REMEMBERED);
  let next = 0;
  /** True when it was asked for not long ago, or by chance another one of its hash was. */
  const isAskedAgain = (key: string): boolean => {
    const hash = hashOf(key, 0);
    if (before.includes(hash)) return true;
    before[next] = hash;
    next = (next + 1) % REMEMBERED;
    return false;
  };
  return {
    get(key, state, make) {
      if (state.sources.some((source, index) => source !== sources[index])) {
        kept.clear();
        ({ sources } = state);
      }
      const known = kept.get(key);
      if (known !== undefined && state.now < known.until) return known.value;
      const value = make();
      if (isAskedAgain(key)) kept.set(key, { value, until: state.until }, 1);
      return value;
    },
  };
}

/** Searches of which it is remembered that they were asked for. */
const REMEMBERED = 512;
