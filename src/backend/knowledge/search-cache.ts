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

/** At most `size` results; those that nobody asked for the longest go first. */
export function createSearchCache<T>(size: number): SearchCache<T> {
  let sources: readonly object[] = [];
  const kept = new Map<string, { readonly value: T; readonly until: number }>();
  return {
    get(key, state, make) {
      if (state.sources.some((source, index) => source !== sources[index])) {
        kept.clear();
        ({ sources } = state);
      }
      const known = kept.get(key);
      kept.delete(key);
      const entry =
        known !== undefined && state.now < known.until
          ? known
          : { value: make(), until: state.until };
      kept.set(key, entry);
      if (kept.size > size) {
        const [oldest] = kept.keys();
        if (oldest !== undefined) kept.delete(oldest);
      }
      return entry.value;
    },
  };
}
