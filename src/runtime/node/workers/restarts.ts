/** The action for a worker that ended. */
export type Restart =
  | { readonly kind: "again"; /** Milliseconds from now. */ readonly delay: number }
  /** No worker stays: starting them again helps nobody. */
  | { readonly kind: "give-up" };

export interface Restarts {
  /**
   * @param lived milliseconds from its start to its end
   * @param others how long those live that do
   */
  ended(slot: number, lived: number, others: readonly number[]): Restart;
}

/** A worker that lived so long was well; milliseconds. */
const wellAfter = 10_000;
const firstDelay = 100;
const longestDelay = 10_000;
/** So many short lives in a row, of every worker, are a crash loop. */
const mostShortLives = 5;

/**
 * When to start a worker again: at once after a long life, later and later after short ones. One
 * that ends again and again is no reason to end those that stay; only when all of them do so
 * nothing is left to wait for.
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
      const looping = shortLives.every((count) => count >= mostShortLives);
      if (looping && others.every((age) => age < wellAfter)) return { kind: "give-up" };
      return { kind: "again", delay: Math.min(firstDelay * 2 ** (lives - 1), longestDelay) };
    },
  };
}
