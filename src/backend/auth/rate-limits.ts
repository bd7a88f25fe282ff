import { LRUCache } from "lru-cache";
import { createErrorAnswer } from "../http/refusal.ts";
import type { BackendDatabase } from "../storage/tables/database.ts";

/** Calls are counted per key in four groups, a person's chat messages and uploads in two more. */
export type RateGroup =
  | "authorization"
  | "reporting"
  | "product"
  | "editor"
  | "messages"
  | "uploads";

/** The number of calls of one group that a key with the factor 1 may make. */
export interface RateLimit {
  /** In one minute (`throttle`). */
  readonly minute: number;
  /** In one hour (`quota`). */
  readonly hour: number;
}

/**
 * Afterword's own limits, since the vendor's are not public. They allow ten new readers a second,
 * but stop a client in a loop.
 */
export const RATE_LIMITS: Readonly<Record<RateGroup, RateLimit>> = {
  authorization: { minute: 600, hour: 18_000 },
  reporting: { minute: 60, hour: 1_800 },
  product: { minute: 300_000, hour: 9_000_000 },
  editor: { minute: 600, hour: 18_000 },
  // Limits per person with a token. Messages and files are stored and shown to others.
  messages: { minute: 120, hour: 1_200 },
  uploads: { minute: 20, hour: 200 },
};

/** One call's result: usage in percent, resets in Unix seconds, `retryAfter` in seconds. */
export interface RateDecision {
  readonly allowed: boolean;
  readonly throttleUsage: number;
  readonly quotaUsage: number;
  readonly throttleReset: number;
  readonly quotaReset: number;
  readonly retryAfter: number;
}

export interface RateLimits {
  /** Counts a call of `subject`, refused ones too; `factor` (1 to 5) multiplies its limits. */
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
        countInWindow(counters, `m:${name}`, at, minute, limit.minute * factor),
        countInWindow(counters, `h:${name}`, at, hour, limit.hour * factor),
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

async function countInWindow(
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

/** Answers 429 with `Retry-After` in seconds. */
export function refuseTooManyCalls(path: string, decision: RateDecision): Response {
  const response = createErrorAnswer(
    path,
    429,
    `Too many calls with this key. Call again in ${decision.retryAfter} seconds.`,
  );
  response.headers.set("retry-after", String(decision.retryAfter));
  return withUsage(response, decision);
}

/** Adds the four headers that show a client how near it is to its limits. */
export function withUsage(response: Response, decision: RateDecision): Response {
  const fields = {
    "x-quota-usage": decision.quotaUsage,
    "x-quota-reset": decision.quotaReset,
    "x-throttle-usage": decision.throttleUsage,
    "x-throttle-reset": decision.throttleReset,
  };
  for (const [name, value] of Object.entries(fields)) response.headers.set(name, String(value));
  return response;
}

/** One window of one counter: times in milliseconds since the epoch. */
export interface RateWindow {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** The limit, for a counter that shares it out in portions. */
  readonly most: number;
}

/** Counts calls. Several processes may share the counters. */
export interface RateCounters {
  /** Adds one, and returns the number of calls in this window, this one included. */
  add(window: RateWindow): Promise<number>;
}

const maxCounters = 20_000;

/** Counts in this process alone. Beyond 20,000 counters, the least recently used are dropped. */
export function createMemoryCounters(): RateCounters {
  const windows = new LRUCache<string, { readonly start: number; count: number }>({
    max: maxCounters,
  });
  return {
    add({ name, start }) {
      const held = windows.get(name);
      if (held !== undefined && held.start === start) {
        held.count += 1;
        return Promise.resolve(held.count);
      }
      windows.set(name, { start, count: 1 });
      return Promise.resolve(1);
    },
  };
}

// Each process takes a hundredth of a limit at a time, so that it asks the database once for these
// calls. It may refuse a little early, because portions that other processes have not used up count
// too.
const portions = 100;

interface Share {
  readonly start: number;
  readonly end: number;
  /**
   * Calls in this window: all that other portions stand for, and those that this process counted
   * from its present one.
   */
  used: number;
  left: number;
  taking: Promise<void> | null;
}

/** Counts in the database, for all processes that share it. */
export function createSharedCounters(database: BackendDatabase): RateCounters {
  const shares = new LRUCache<string, Share>({ max: maxCounters });
  return {
    async add(window) {
      const share = shareOf(shares, window);
      while (share.left === 0) {
        share.taking ??= take(database, window, share).finally(() => {
          share.taking = null;
        });
        await share.taking;
      }
      share.left -= 1;
      share.used += 1;
      return share.used;
    },
  };
}

/** Deletes windows that have ended. */
export async function sweepCounters({ kysely }: BackendDatabase, now: number): Promise<void> {
  await kysely.deleteFrom("rate_windows").where("ends", "<=", now).execute();
}

function shareOf(shares: LRUCache<string, Share>, { name, start, end }: RateWindow): Share {
  const held = shares.get(name);
  if (held !== undefined && held.start === start) return held;
  const share: Share = { start, end, used: 0, left: 0, taking: null };
  shares.set(name, share);
  return share;
}

async function take(
  { kysely }: BackendDatabase,
  { name, start, end, most }: RateWindow,
  share: Share,
): Promise<void> {
  const portion = Math.max(1, Math.floor(most / portions));
  const row = { name: `${name}@${start}`, start, ends: end, taken: portion };
  const { taken } = await kysely
    .insertInto("rate_windows")
    .values(row)
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet((builder) => ({
        taken: builder("rate_windows.taken", "+", portion),
      })),
    )
    .returning("taken")
    .executeTakeFirstOrThrow();
  share.left = portion;
  share.used = taken - portion;
}
