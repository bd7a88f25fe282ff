import { Refusal } from "../../http/refusal.ts";
import type { ChatFeed } from "./feed.ts";
import type { EventSelection } from "./feed-events.ts";

export interface StreamLimits {
  /** Streams in one process. */
  readonly most: number;
  /** Sockets before their hello, which have a separate limit. */
  readonly maxUnauthenticated: number;
  /** The most of these from one address. */
  readonly maxUnauthenticatedOfOne: number;
  /** Streams of one person, or of one app's server. */
  readonly maxOfOne: number;
  /** Milliseconds between two heartbeats. Each one checks the credentials again. */
  readonly heartbeat: number;
  /** Milliseconds after which an agent's stream over HTTP ends: the agent opens the next. */
  readonly agentLife: number;
  /** Milliseconds after which a client that reads nothing is disconnected. */
  readonly patience: number;
  /** Milliseconds within which a socket must send its hello. */
  readonly hello: number;
}

const usual: StreamLimits = {
  most: 5_000,
  maxUnauthenticated: 1_000,
  maxUnauthenticatedOfOne: 20,
  maxOfOne: 50,
  heartbeat: 15_000,
  agentLife: 12_000,
  patience: 30_000,
  hello: 10_000,
};

export function limitsOf(given: Partial<StreamLimits> = {}): StreamLimits {
  return { ...usual, ...given };
}

/** Counts sockets before their hello. */
export interface UnauthenticatedSockets {
  /**
   * Counts a socket, and returns the function that ends this. Throws 503 if there are too many, 429
   * if one address has too many.
   */
  enter(network: string | null): () => void;
}

/** Counts by `findLimitedNetwork`. Sockets without a network only count towards the total. */
export function countUnauthenticated({
  maxUnauthenticated,
  maxUnauthenticatedOfOne,
}: StreamLimits): UnauthenticatedSockets {
  const byNetwork = new Map<string | null, number>();
  let all = 0;
  return {
    enter(network) {
      if (all >= maxUnauthenticated) {
        throw new Refusal(503, "Too many event streams are opening. Try again later.");
      }
      const theirs = byNetwork.get(network) ?? 0;
      if (network !== null && theirs >= maxUnauthenticatedOfOne) {
        throw new Refusal(429, "Too many event streams are opening from this address.");
      }
      all += 1;
      byNetwork.set(network, theirs + 1);
      let isIn = true;
      return () => {
        if (!isIn) return;
        isIn = false;
        all -= 1;
        const left = (byNetwork.get(network) ?? 1) - 1;
        if (left === 0) byNetwork.delete(network);
        else byNetwork.set(network, left);
      };
    },
  };
}

/** Seconds after which a refused client may try again. */
export const RETRY_STREAM = 2;

/**
 * Throws 503 for too many streams in all, 429 for too many of one person or app.
 *
 * @param selection null if the client has not sent its hello yet
 */
export function requireStreamCapacity(
  feed: ChatFeed,
  selection: EventSelection | null,
  limits: StreamLimits,
): void {
  if (feed.count >= limits.most) {
    throw new Refusal(503, "Too many event streams are open. Try again later.");
  }
  if (selection !== null && feed.countOf(selection) >= limits.maxOfOne) {
    throw new Refusal(429, `There are ${limits.maxOfOne} event streams of yours already.`);
  }
}
