import { hashOf } from "../../matching/hashing.ts";
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
 * At most `size` results; those that nobody asked for go first. What is asked for is kept while the
 * next few searches come, and for good from the second asking on: most questions never come again,
 * and what was kept of them would only push out the others, and be garbage that has grown old.
 */
export function createSearchCache<T>(size: number): SearchCache<T> {
  let sources: readonly object[] = [];
  const kept = createKeeping<Result<T>>(size);
  const before = new Int32Array(REMEMBERED);
  const newest = Array.from({ length: NEWEST }, (): Result<T> | null => null);
  let next = 0;

  /** Null: new, or too long ago. */
  function newestOf(key: string, place: number): Result<T> | null {
    const result = newest[place % NEWEST] ?? null;
    return result?.key === key ? result : null;
  }

  function remember(hash: number, result: Result<T>): void {
    before[next] = hash;
    newest[next % NEWEST] = result;
    next = (next + 1) % REMEMBERED;
  }

  return {
    get(key, state, make) {
      if (state.sources.some((source, index) => source !== sources[index])) {
        kept.clear();
        newest.fill(null);
        ({ sources } = state);
      }
      const known = kept.get(key);
      if (known !== undefined && state.now < known.until) return known.value;
      const hash = hashOf(key, 0);
      // By chance it was another one of this hash: then one result more is kept.
      const place = before.indexOf(hash);
      const former = place === -1 ? null : newestOf(key, place);
      const isGood = former !== null && state.now < former.until;
      const result = isGood ? former : { key, value: make(), until: state.until };
      if (place === -1) remember(hash, result);
      else kept.set(key, result, 1);
      return result.value;
    },
  };
}

interface Result<T> {
  readonly key: string;
  readonly value: T;
  readonly until: number;
}

/** Searches of which it is remembered that they were asked for, a multiple of {@link NEWEST}. */
const REMEMBERED = 512;

/** Searches whose results are kept before anybody has asked again. */
const NEWEST = 32;
