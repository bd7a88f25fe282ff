/** Attempts at one delivery before it is given up: about 10 hours. */
export const MOST_ATTEMPTS = 15;

/** Milliseconds that one delivery may take. */
export const DELIVERY_TIMEOUT = 10_000;

/**
 * Milliseconds for which a process has what it delivers to itself. Longer than a delivery may last:
 * another takes over only what nobody is at work on any more.
 */
export const DELIVERY_CLAIM = 60_000;

const firstWait = 10_000;
const longestWait = 3_600_000;

/** Milliseconds until the next attempt, after so many: each waits twice as long, up to an hour. */
export function waitAfter(attempts: number): number {
  return Math.min(longestWait, firstWait * 2 ** (attempts - 1));
}
