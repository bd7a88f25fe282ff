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
    return new Place(moveToStreams, give);
  }

  function moveToStreams(): boolean {
    if (streams >= limits().streams) return false;
    streams++;
    release();
    return true;
  }

  function give(was: "flight" | "stream"): void {
    if (was === "stream") streams--;
    else release();
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

/** One for every exchange: a class, so that all have one shape and share their methods. */
class Place implements Ticket {
  #kind: "flight" | "stream" | "left" = "flight";
  readonly #moveToStreams: () => boolean;
  readonly #give: (was: "flight" | "stream") => void;

  constructor(moveToStreams: () => boolean, give: (was: "flight" | "stream") => void) {
    this.#moveToStreams = moveToStreams;
    this.#give = give;
  }

  becomeStream(): boolean {
    if (this.#kind !== "flight") return this.#kind === "stream";
    // Said before the place is free for others, who may ask at once.
    this.#kind = "stream";
    if (this.#moveToStreams()) return true;
    this.#kind = "flight";
    return false;
  }

  leave(): void {
    const was = this.#kind;
    if (was === "left") return;
    this.#kind = "left";
    this.#give(was);
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
