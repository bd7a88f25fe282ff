/** One window of one counter: times in milliseconds since the epoch. */
export interface RateWindow {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** The limit, for a counter that shares it out in portions. */
  readonly most: number;
}

/** Counts calls. Several processes may count in the same place. */
export interface RateCounters {
  /** Adds one; the number of calls in this window so far, this one included. */
  add(window: RateWindow): Promise<number>;
}

const bound = 20_000;

/**
 * Counters of this process alone. At most 20,000 windows are kept; the ones that ended go first,
 * then the oldest.
 */
export function memoryCounters(): RateCounters {
  const windows = new Map<string, { start: number; end: number; count: number }>();
  return {
    add({ name, start, end }) {
      const held = windows.get(name);
      if (held !== undefined && held.start === start) {
        held.count += 1;
        return Promise.resolve(held.count);
      }
      windows.delete(name);
      if (windows.size >= bound) forget(windows, start);
      windows.set(name, { start, end, count: 1 });
      return Promise.resolve(1);
    },
  };
}

// A tenth at once, so that a full map is not searched for each new window.
function forget(windows: Map<string, { readonly end: number }>, now: number): void {
  for (const [name, { end }] of windows) {
    if (end <= now) windows.delete(name);
  }
  for (const name of windows.keys()) {
    if (windows.size < bound * 0.9) return;
    windows.delete(name);
  }
}
