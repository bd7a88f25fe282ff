import { LRUCache } from "lru-cache";
import type { Rate } from "../../config/config.ts";

/** Counts calls of this process. */
export interface Rates {
  /** Takes from every bucket and returns 0, or takes nothing and returns milliseconds to wait. */
  take(limits: readonly { readonly name: string; readonly rate: Rate }[]): number;
}

/** Fractions of a call add up to a little less than one. */
const tiny = 1e-6;

/**
 * Buckets that hold one window's calls and fill up evenly: sixty may come at once, then one every
 * second.
 *
 * @param clock monotonic milliseconds
 */
export function createRates(clock: () => number): Rates {
  // Each call uses its caller's bucket, so that many clients never push that one out.
  const buckets = new LRUCache<string, Bucket>({ max: 10_000 });
  return {
    take(limits) {
      const now = clock();
      const filled = limits.map(({ name, rate }) => fillBucket(name, rate, now));
      const wait = Math.max(
        0,
        ...filled.map(({ left, rate }) =>
          left >= 1 - tiny ? 0 : ((1 - left) * rate.milliseconds) / rate.calls,
        ),
      );
      if (wait > 0) return Math.ceil(wait - tiny);
      for (const bucket of filled) bucket.left -= 1;
      return 0;
    },
  };

  function fillBucket(name: string, rate: Rate, now: number): Bucket {
    let bucket = buckets.get(name);
    if (bucket === undefined) {
      bucket = { left: rate.calls, at: now, rate };
      buckets.set(name, bucket);
    }
    const gained = ((now - bucket.at) * rate.calls) / rate.milliseconds;
    bucket.left = Math.min(rate.calls, bucket.left + gained);
    bucket.at = now;
    bucket.rate = rate;
    return bucket;
  }
}

interface Bucket {
  left: number;
  at: number;
  rate: Rate;
}
