import type { LimitsConfig } from "../../config/config.ts";
import { createShares } from "../../http/shares.ts";

/** A place among the exchanges in flight. */
export interface Place {
  /** Moves to the long-lived streams; false when full, or when the client holds a quarter. */
  becomeStream(): boolean;
  leave(): void;
}

export interface Admission {
  /**
   * A place, or null when there is none at once. `reserved` exchanges (authentication) may use the
   * places that the others must leave free.
   *
   * @param client whose share of the places and of the queue is used; null for nobody's
   */
  enterNow(reserved: boolean, client: string | null): Place | null;
  /** The same, while the queue has room as soon as there is one. */
  enter(reserved: boolean, client: string | null): Promise<Place | null>;
  readonly inFlight: number;
  readonly queued: number;
  readonly streams: number;
}

/** How many places only authentication may take. */
const reservedPlaces = 32;
/** A client that waited so long in the queue is told to come back, in milliseconds. */
export const longestWait = 2000;

/**
 * Counts what is under way, and says no at once when it is too much (`limits`).
 *
 * @param overShare called when a client is refused because it has its share already
 */
export function createAdmission(
  limits: () => LimitsConfig,
  overShare: () => void = () => {},
  wait: Wait = setTimeoutWait,
): Admission {
  let inFlight = 0;
  let streams = 0;
  const queue: Waiting[] = [];
  /** Places that each client has or waits for, and streams. */
  const shares = createShares();
  const streamShares = createShares();

  return {
    enterNow,
    async enter(reserved, client) {
      const entered = enterNow(reserved, client);
      if (entered !== null) return entered;
      if (!shares.take(client, 1, limits().inFlightPerClient)) {
        overShare();
        return null;
      }
      if (queue.length < limits().queue) return waitForPlace(reserved, client);
      shares.give(client, 1);
      return null;
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

  function enterNow(reserved: boolean, client: string | null): Place | null {
    if (inFlight >= room(reserved)) return null;
    return shares.take(client, 1, limits().inFlightPerClient) ? place(client) : null;
  }

  function room(reserved: boolean): number {
    const all = limits().inFlight;
    return reserved ? all : all - Math.min(reservedPlaces, Math.floor(all / 2));
  }

  function waitForPlace(reserved: boolean, client: string | null): Promise<Place | null> {
    return new Promise((resolve) => {
      const waiting: Waiting = { reserved, client, resolve, cancel: () => {} };
      queue.push(waiting);
      waiting.cancel = wait(longestWait, () => {
        queue.splice(queue.indexOf(waiting), 1);
        shares.give(client, 1);
        resolve(null);
      });
    });
  }

  function place(client: string | null): Place {
    inFlight++;
    let kind: "flight" | "stream" | "left" = "flight";
    return {
      becomeStream() {
        if (kind !== "flight") return kind === "stream";
        const most = limits().streams;
        if (streams >= most) return false;
        if (!streamShares.take(client, 1, Math.ceil(most / 4))) {
          overShare();
          return false;
        }
        streams++;
        kind = "stream";
        release(client);
        return true;
      },
      leave() {
        if (kind === "flight") release(client);
        else if (kind === "stream") {
          streams--;
          streamShares.give(client, 1);
        }
        kind = "left";
      },
    };
  }

  function release(client: string | null): void {
    inFlight--;
    shares.give(client, 1);
    const next = queue.findIndex((waiting) => inFlight < room(waiting.reserved));
    if (next === -1) return;
    const [waiting] = queue.splice(next, 1);
    waiting?.cancel();
    waiting?.resolve(place(waiting.client));
  }
}

/** Calls back after so many milliseconds; the returned function takes it back. */
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
