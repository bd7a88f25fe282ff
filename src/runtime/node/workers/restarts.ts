/** The action for a worker that ended. */
export type Restart =
  | { readonly kind: "again"; /** Milliseconds from now. */ readonly delay: number }
  /** All workers fail, so that starting them again does not help. */
  | { readonly kind: "give-up" };

export interface Restarts {
  /**
   * @param lived milliseconds from its start to its end
   * @param others how long the other running workers have lived
   */
  ended(slot: number, lived: number, others: readonly number[]): Restart;
}

/** A worker that lived this many milliseconds was healthy. */
const wellAfter = 10_000;
const firstDelay = 100;
const maxDelay = 10_000;
/** This many short lives in a row, of every worker, are a crash loop. */
const maxShortLives = 5;

/**
 * Decides when to start a worker again: at once after a long life, and later and later after short
 * ones. A worker that ends repeatedly does not stop the others. Only if all of them do, the server
 * gives up.
 */
export function createRestarts(slots: number): Restarts {
  const shortLives = Array.from({ length: slots }, () => 0);
  return {
    ended(slot, lived, others) {
      if (lived >= wellAfter) {
        shortLives[slot] = 0;
        return { kind: "again", delay: 0 };
      }
      const lives = (shortLives[slot] ?? 0) + 1;
      shortLives[slot] = lives;
      const looping = shortLives.every((count) => count >= maxShortLives);
      if (looping && others.every((age) => age < wellAfter)) return { kind: "give-up" };
      return { kind: "again", delay: Math.min(firstDelay * 2 ** (lives - 1), maxDelay) };
    },
  };
}
