/** The action for a worker that ended. */
export type Restart =
  /** Starts it again after this many milliseconds. */
  | { readonly kind: "again"; readonly delay: number }
  /** Ends the server, because all workers fail. */
  | { readonly kind: "give-up" };

export interface Restarts {
  /**
   * Chooses the action for a worker that ended.
   *
   * @param lived milliseconds from its start to its end
   * @param others milliseconds for which each of the other workers has been running
   */
  choose(slot: number, lived: number, others: readonly number[]): Restart;
}

/** A worker that lived this many milliseconds was healthy. */
const healthyAfter = 10_000;
const firstDelay = 100;
const maxDelay = 10_000;
/** If every worker has this many short lives in a row, the server is in a crash loop. */
const maxShortLives = 5;

/**
 * Decides when a worker is started again: at once after a long life, and after growing delays if its
 * lives are short. A worker that ends again and again does not stop the others. The server gives up
 * only if all of them do.
 */
export function createRestarts(slots: number): Restarts {
  const shortLives = Array.from({ length: slots }, () => 0);
  return {
    choose(slot, lived, others) {
      if (lived >= healthyAfter) {
        shortLives[slot] = 0;
        return { kind: "again", delay: 0 };
      }
      const lives = (shortLives[slot] ?? 0) + 1;
      shortLives[slot] = lives;
      const looping = shortLives.every((count) => count >= maxShortLives);
      if (looping && others.every((age) => age < healthyAfter)) return { kind: "give-up" };
      return { kind: "again", delay: Math.min(firstDelay * 2 ** (lives - 1), maxDelay) };
    },
  };
}
