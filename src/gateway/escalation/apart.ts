/**
 * For runtimes where the requests of one process cannot count on each other: what one of them began
 * (a promise, a timer, an answer's body) may end with it, and whoever else waited for that would
 * wait for ever. There each request sees to itself: turns, calls and streams meet in the store
 * alone, as those of several processes do.
 */
export interface Apart {
  /** Lets the request that is under way outlive its answer until this settles. */
  outlive(work: Promise<unknown>): void;
}

/**
 * How often a stream looks before it ends and its reader comes back: what one request may do has a
 * limit there.
 */
export const mostLooks = 100;
