import type { LimitsConfig } from "../../config/config.ts";
import { createShares } from "../../http/shares.ts";

/** A place among the exchanges in flight. */
export interface Place {
  /** Moves to the long-lived streams; false when full, or when the client holds a quarter. */
  becomeStream(): boolean;
  leave(): void;
}

/** How many places only authentication may take. */
const reservedPlaces = 32;
/** Milliseconds in the queue after which a client is told to come back. */
export const maxWait = 2000;

/** Counts exchanges in flight, and refuses at once when there are too many (`limits`). */
export class Admission {
  inFlight = 0;
  streams = 0;
  readonly #limits: () => LimitsConfig;
  readonly #overShare: () => void;
  readonly #wait: Wait;
  readonly #queue: Waiting[] = [];
  /** Places that each client has or waits for, and streams. */
  readonly #shares = createShares();
  readonly #streamShares = createShares();

  /** @param overShare called when a client is refused because its share is used up */
  constructor(
    limits: () => LimitsConfig,
    overShare: () => void = () => {},
    wait: Wait = setTimeoutWait,
  ) {
    this.#limits = limits;
    this.#overShare = overShare;
    this.#wait = wait;
  }

  get queued(): number {
    return this.#queue.length;
  }

  /**
   * Resolves with a place, at once or after waiting in the queue; null if there is none. `reserved`
   * exchanges (authentication) may use places that others must leave free.
   *
   * @param client whose share of the places and of the queue is used; null for no client
   */
  async enter(reserved: boolean, client: string | null): Promise<Place | null> {
    const { inFlightPerClient, queue } = this.#limits();
    const isFree = this.inFlight < this.#room(reserved);
    if (!this.#shares.take(client, 1, inFlightPerClient)) {
      this.#overShare();
      return null;
    }
    if (isFree) return this.#place(client);
    if (this.queued < queue) return this.#waitForPlace(reserved, client);
    this.#shares.give(client, 1);
    return null;
  }

  /** False when there are too many streams, or too many of this client. */
  #beginStream(client: string | null): boolean {
    const most = this.#limits().streams;
    if (this.streams >= most) return false;
    if (!this.#streamShares.take(client, 1, Math.ceil(most / 4))) {
      this.#overShare();
      return false;
    }
    this.streams++;
    this.#release(client);
    return true;
  }

  #endStream(client: string | null): void {
    this.streams--;
    this.#streamShares.give(client, 1);
  }

  /** Frees a place, for the first in the queue who may have it. */
  #release(client: string | null): void {
    this.inFlight--;
    this.#shares.give(client, 1);
    const next = this.#queue.findIndex(({ reserved }) => this.inFlight < this.#room(reserved));
    if (next === -1) return;
    const [waiting] = this.#queue.splice(next, 1);
    waiting?.cancel();
    waiting?.resolve(this.#place(waiting.client));
  }

  #room(reserved: boolean): number {
    const all = this.#limits().inFlight;
    return reserved ? all : all - Math.min(reservedPlaces, Math.floor(all / 2));
  }

  #place(client: string | null): Place {
    let held: "flight" | "stream" | "nothing" = "flight";
    this.inFlight++;
    return {
      becomeStream: () => {
        if (held === "flight" && this.#beginStream(client)) held = "stream";
        return held === "stream";
      },
      leave: () => {
        if (held === "flight") this.#release(client);
        else if (held === "stream") this.#endStream(client);
        held = "nothing";
      },
    };
  }

  #waitForPlace(reserved: boolean, client: string | null): Promise<Place | null> {
    return new Promise((resolve) => {
      const waiting: Waiting = { reserved, client, resolve, cancel: () => {} };
      this.#queue.push(waiting);
      waiting.cancel = this.#wait(maxWait, () => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        this.#shares.give(client, 1);
        resolve(null);
      });
    });
  }
}

/** Calls back after this many milliseconds; the returned function cancels it. */
export type Wait = (milliseconds: number, callback: () => void) => () => void;

interface Waiting {
  readonly reserved: boolean;
  readonly client: string | null;
  readonly resolve: (place: Place | null) => void;
  cancel: () => void;
}

function setTimeoutWait(milliseconds: number, callback: () => void): () => void {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
}
