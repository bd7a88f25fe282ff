import type { LimitsConfig } from "../config/config.ts";

/** A place among the exchanges in flight. Leave it exactly once. */
export interface Ticket {
  /** Moves to the long-lived streams, so that one open event stream does not hold a place; false when they are full. */
  becomeStream(): boolean;
  leave(): void;
}

export interface Admission {
  /**
   * A ticket, a promise of one while the queue has room, or null when there is none. `reserved` exchanges (authentication)
   * may use the places that the others must leave free.
   */
  enter(reserved: boolean): Ticket | null | Promise<Ticket | null>;
  readonly inFlight: number;
  readonly queued: number;
  readonly streams: number;
}

/** How many places only authentication may take. */
export const reservedPlaces = 32;
/** A client that waited so long in the queue is told to come back, in milliseconds. */
export const longestWait = 2000;

/** Counts what is under way and says no at once when it is too much (contract.md, `limits`). */
export function createAdmission(
  limits: () => LimitsConfig,
  wait: Wait = setTimeoutWait,
): Admission {
  let inFlight = 0;
  let streams = 0;
  const queue: Waiting[] = [];

  return {
    enter(reserved) {
      if (inFlight < room(reserved)) return ticket();
      if (queue.length >= limits().queue) return null;
      return new Promise((resolve) => {
        const waiting: Waiting = { reserved, resolve, cancel: () => {} };
        queue.push(waiting);
        waiting.cancel = wait(longestWait, () => {
          queue.splice(queue.indexOf(waiting), 1);
          resolve(null);
        });
      });
    },
    get inFlight() {
      return inFlight;
    },
    get queued() {
      return queue.length;
    },
    get streams() {
      return streams;
    },
  };

  function room(reserved: boolean): number {
    const all = limits().inFlight;
    return reserved ? all : all - Math.min(reservedPlaces, Math.floor(all / 2));
  }

  function ticket(): Ticket {
    inFlight++;
    let place: "flight" | "stream" | "left" = "flight";
    return {
      becomeStream() {
        if (place !== "flight") return place === "stream";
        if (streams >= limits().streams) return false;
        streams++;
        place = "stream";
        release();
        return true;
      },
      leave() {
        if (place === "left") return;
        const was = place;
        place = "left";
        if (was === "stream") streams--;
        else release();
      },
    };
  }

  function release(): void {
    inFlight--;
    const next = queue.findIndex((waiting) => inFlight < room(waiting.reserved));
    if (next === -1) return;
    const [waiting] = queue.splice(next, 1);
    waiting?.cancel();
    waiting?.resolve(ticket());
  }
}

/** Calls back after so many milliseconds; the returned function takes it back. */
export type Wait = (milliseconds: number, callback: () => void) => () => void;

interface Waiting {
  readonly reserved: boolean;
  readonly resolve: (ticket: Ticket | null) => void;
  cancel: () => void;
}

function setTimeoutWait(milliseconds: number, callback: () => void): () => void {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
}
