import type { RateCounters } from "./counters.ts";

/**
 * Calls are counted per key in four groups, and what a person says and uploads in chats in two
 * more.
 */
export type RateGroup =
  | "authorization"
  | "reporting"
  | "product"
  | "editor"
  | "messages"
  | "uploads";

/** How many calls of one group a key with the factor 1 has. */
export interface RateLimit {
  /** In one minute (`throttle`). */
  readonly minute: number;
  /** In one hour (`quota`). */
  readonly hour: number;
}

/**
 * The vendor's figures are not public. These leave room for a site with ten new readers a second,
 * and stop a client that asks discovery before every call.
 */
export const RATE_LIMITS: Readonly<Record<RateGroup, RateLimit>> = {
  authorization: { minute: 600, hour: 18_000 },
  reporting: { minute: 60, hour: 1_800 },
  product: { minute: 300_000, hour: 9_000_000 },
  editor: { minute: 600, hour: 18_000 },
  // Of one person with a token of their own. Each is stored, and shown to others.
  messages: { minute: 120, hour: 1_200 },
  uploads: { minute: 20, hour: 200 },
};

/**
 * What one call found out. Usage in percent of the limit, resets in Unix seconds, `retryAfter` in
 * seconds.
 */
export interface RateDecision {
  readonly allowed: boolean;
  readonly throttleUsage: number;
  readonly quotaUsage: number;
  readonly throttleReset: number;
  readonly quotaReset: number;
  readonly retryAfter: number;
}

export interface RateLimits {
  /**
   * Counts one call of `subject`, whose limits are `factor` (1 to 5) times as high. A call over the
   * limit counts too.
   */
  take(subject: string, group: RateGroup, factor: number): Promise<RateDecision>;
}

export interface RateLimitsOptions {
  readonly counters: RateCounters;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly limits?: Readonly<Record<RateGroup, RateLimit>>;
}

const minute = 60_000;
const hour = 3_600_000;

/** Fixed windows of a minute and an hour, whose counters several processes may share. */
export function createRateLimits(options: RateLimitsOptions): RateLimits {
  const { counters, now, limits = RATE_LIMITS } = options;
  return {
    async take(subject, group, factor) {
      const at = now();
      const limit = limits[group];
      const name = `${group}:${subject}`;
      const [throttle, quota] = await Promise.all([
        window(counters, `m:${name}`, at, minute, limit.minute * factor),
        window(counters, `h:${name}`, at, hour, limit.hour * factor),
      ]);
      const blocking = [throttle, quota].filter(({ over }) => over);
      const until = Math.max(0, ...blocking.map(({ reset }) => reset));
      return {
        allowed: blocking.length === 0,
        throttleUsage: throttle.usage,
        quotaUsage: quota.usage,
        throttleReset: throttle.reset,
        quotaReset: quota.reset,
        retryAfter: blocking.length === 0 ? 0 : Math.max(1, Math.ceil(until - at / 1000)),
      };
    },
  };
}

async function window(
  counters: RateCounters,
  name: string,
  now: number,
  length: number,
  most: number,
): Promise<{ readonly over: boolean; readonly usage: number; readonly reset: number }> {
  const start = now - (now % length);
  const count = await counters.add({ name, start, end: start + length, most });
  return {
    over: count > most,
    usage: Math.floor((count / most) * 100),
    reset: (start + length) / 1000,
  };
}
