import { Refusal } from "../refusal.ts";
import type { ChatFeed } from "./feed.ts";
import type { Wanted } from "./feed-events.ts";

export interface StreamLimits {
  /** Streams in one process. */
  readonly most: number;
  /** Streams of one person, or of one app's server. */
  readonly mostOfOne: number;
  /** Milliseconds between two signs of life; each time the credentials are looked at again. */
  readonly heartbeat: number;
  /** Milliseconds that a reader may take nothing of what waits. */
  readonly patience: number;
  /** Milliseconds that a socket may take to say who it is. */
  readonly hello: number;
}

const usual: StreamLimits = {
  most: 5_000,
  mostOfOne: 50,
  heartbeat: 15_000,
  patience: 30_000,
  hello: 10_000,
};

export function limitsOf(given: Partial<StreamLimits> = {}): StreamLimits {
  return { ...usual, ...given };
}

/** Seconds after which who was turned away may try again. */
export const RETRY_STREAM = 2;

/** Throws 503 where there are too many streams in all, 429 where there are too many of one. */
export function requirePlace(feed: ChatFeed, wanted: Wanted, limits: StreamLimits): void {
  if (feed.count >= limits.most) {
    throw new Refusal(503, "Too many event streams are open. Try again later.");
  }
  if (feed.countOf(wanted) >= limits.mostOfOne) {
    throw new Refusal(429, `There are ${limits.mostOfOne} event streams of yours already.`);
  }
}
