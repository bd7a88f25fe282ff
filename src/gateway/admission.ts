import type { LimitsConfig } from "../config/config.ts";

/** A place among the exchanges in flight. Leave it exactly once. */
export interface Place {
  /**
   * Moves to the long-lived streams, so that one open event stream does not hold a place; false
   * when they are full, or when the client has a quarter of them.
   */
  becomeStream(): boolean;
  leave(): void;
}

export interface Admission {
  /**
   * A ticket, a promise of one while the queue has room, or null when there is none. `reserved`
   * exchanges (authentication) may use the places that the others must leave free.
   *
   * @param client whose share of the places and of the queue is used (`limitedClient`); null for
   *   nobody's
   */
  enter(reserved: boolean, client: string | null): Place | null | Promise<Place | null>;
  readonly inFlight: number;
  readonly queued: number;
  readonly streams: number;
}

/** How many places only authentication may take. */
export const reservedPlaces = 32;
/** A client that waited so long in the queue is told to come back, in milliseconds. */
export const longestWait = 2000;

/**
 * Counts what is under way and says no at once when it is too much (contract.md, `limits`).
 *
 * @param overShare called when a client is refused because it has its share already
 */
export function createAdmission(
  limits: () => LimitsConfig,
  wait: Wait = setTimeoutWait,
  overShare: () => void = () => {},
): Admission {
  let inFlight = 0;
  let streams = 0;
  const queue: Waiting[] = [];
  /**
   * How many places each client has or waits for, and how many streams. Who has none is not in it.
   */
  const shares = new Map<string, number>();
  const streamShares = new Map<string, number>();

  return {
    enter(reserved, client) {
      if (client !== null && (shares.get(client) ?? 0) >= limits().inFlightPerClient) {
        overShare();
        return null;
      }
      if (inFlight < room(reserved)) {
        take(shares, client);
        return ticket(client);
      }
      if (queue.length >= limits().queue) return null;
      take(shares, client);
      return new Promise((resolve) => {
        const waiting: Waiting = { reserved, client, resolve, cancel: () => {} };
        queue.push(waiting);
        waiting.cancel = wait(longestWait, () => {
          queue.splice(queue.indexOf(waiting), 1);
          giveBack(shares, client);
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

  function ticket(client: string | null): Place {
    inFlight++;
    return new Admitted(client, moveToStreams, give);
  }

  function moveToStreams(client: string | null): boolean {
    const most = limits().streams;
    if (streams >= most) return false;
    if (client !== null && (streamShares.get(client) ?? 0) >= Math.ceil(most / 4)) {
      overShare();
      return false;
    }
    streams++;
    take(streamShares, client);
    release(client);
    return true;
  }

  function give(was: "flight" | "stream", client: string | null): void {
    if (was === "flight") return release(client);
    streams--;
    giveBack(streamShares, client);
  }

  function release(client: string | null): void {
    inFlight--;
    giveBack(shares, client);
    const next = queue.findIndex((waiting) => inFlight < room(waiting.reserved));
    if (next === -1) return;
    const [waiting] = queue.splice(next, 1);
    waiting?.cancel();
    waiting?.resolve(ticket(waiting.client));
  }
}

function take(shares: Map<string, number>, client: string | null): void {
  if (client !== null) shares.set(client, (shares.get(client) ?? 0) + 1);
}

function giveBack(shares: Map<string, number>, client: string | null): void {
  if (client === null) return;
  const left = (shares.get(client) ?? 1) - 1;
  if (left === 0) shares.delete(client);
  else shares.set(client, left);
}

/** One for every exchange: a class, so that all have one shape and share their methods. */
class Admitted implements Place {
  #kind: "flight" | "stream" | "left" = "flight";
  readonly #client: string | null;
  readonly #moveToStreams: (client: string | null) => boolean;
  readonly #give: (was: "flight" | "stream", client: string | null) => void;

  constructor(
    client: string | null,
    moveToStreams: (client: string | null) => boolean,
    give: (was: "flight" | "stream", client: string | null) => void,
  ) {
    this.#client = client;
    this.#moveToStreams = moveToStreams;
    this.#give = give;
  }

  becomeStream(): boolean {
    if (this.#kind !== "flight") return this.#kind === "stream";
    // Said before the place is free for others, who may ask at once.
    this.#kind = "stream";
    if (this.#moveToStreams(this.#client)) return true;
    this.#kind = "flight";
    return false;
  }

  leave(): void {
    const was = this.#kind;
    if (was === "left") return;
    this.#kind = "left";
    this.#give(was, this.#client);
  }
}

/** Calls back after so many milliseconds; the returned function takes it back. */
export type Wait = (milliseconds: number, callback: () => void) => () => void;

interface Waiting {
  readonly reserved: boolean;
  readonly client: string | null;
  readonly resolve: (ticket: Place | null) => void;
  cancel: () => void;
}

function setTimeoutWait(milliseconds: number, callback: () => void): () => void {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
}
