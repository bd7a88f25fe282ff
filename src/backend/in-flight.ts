/** Requests that are being answered. */
export interface InFlight {
  readonly count: number;
  /** Runs `work`, and counts it until it has ended. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when there are none, or after so many milliseconds. */
  idle(most: number): Promise<void>;
}

/** Counts requests, as clients may leave early: closing on connections alone would be too soon. */
export function countInFlight(): InFlight {
  let count = 0;
  let rest: (() => void) | null = null;
  return {
    get count() {
      return count;
    },
    async run(work) {
      count += 1;
      try {
        return await work();
      } finally {
        count -= 1;
        if (count === 0) rest?.();
      }
    },
    async idle(most) {
      if (count === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, most);
        rest = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}
