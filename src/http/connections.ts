import type { TransportError } from "../gateway/transport.ts";
import { type Carrying, Connection, type Keeper } from "./connection.ts";
import type { Llhttp } from "./llhttp.ts";
import type { OpenWire } from "./wire.ts";

/** Milliseconds that an unused connection is kept, unless the upstream says less. */
const usualKeepAlive = 4000;

/** An upstream may close at its promised time, so ours ends before. Milliseconds. */
const safety = 1000;

/** As many unused ones are kept for an origin. */
const mostFree = 1024;

/**
 * An upstream that closes so soon after an answer, without having said so, will do it again.
 * Milliseconds.
 */
const soon = 1000;

/** So long none of its connections is used a second time then. Milliseconds. */
const wariness = 10_000;

/**
 * The connections to one origin. The one that came free last is the next, so that the others close
 * when there is no use for them.
 */
export class Connections implements Keeper {
  readonly #openWire: OpenWire;
  readonly #llhttp: Llhttp;
  readonly #keepAlive: number;
  readonly #all = new Set<Connection>();
  readonly #free: Connection[] = [];
  /** Requests that are about to go over connections used before. */
  #reuses: Reuse[] = [];
  #waryUntil = 0;
  #closed = false;
  #sweeping = false;

  constructor(openWire: OpenWire, llhttp: Llhttp, keepAlive: number = usualKeepAlive) {
    this.#openWire = openWire;
    this.#llhttp = llhttp;
    this.#keepAlive = keepAlive;
  }

  carry(carrying: Carrying): void {
    const connection = this.#free.pop();
    if (connection === undefined) {
      this.#open(carrying);
      return;
    }
    // The other side may have closed it, or written what nobody asked for: it is looked at before
    // it is written to.
    if (this.#reuses.push({ connection, carrying }) === 1) setImmediate(afterSockets, this);
  }

  /** For those that wait to be looked at: by now they have been. */
  reuse(): void {
    const reuses = this.#reuses;
    this.#reuses = [];
    for (const { connection, carrying } of reuses) this.#reuse(connection, carrying);
  }

  free(connection: Connection): void {
    const { keptFor } = connection;
    const now = performance.now();
    if (this.#closed || now < this.#waryUntil || (keptFor !== null && keptFor <= safety)) {
      connection.close();
      return;
    }
    connection.freeSince = now;
    this.#keep(connection);
  }

  closedByUpstream({ freeSince }: Connection): void {
    const now = performance.now();
    if (now - freeSince >= soon) return;
    this.#waryUntil = now + wariness;
    // Closing takes it out of the list.
    for (const connection of this.#free.slice()) connection.close();
  }

  gone(connection: Connection): void {
    this.#all.delete(connection);
    const place = this.#free.lastIndexOf(connection);
    if (place !== -1) this.#free.splice(place, 1);
  }

  /** Breaks off what is under way. */
  close(): void {
    this.#closed = true;
    for (const connection of this.#all) connection.breakOff();
  }

  sweep(): void {
    const now = performance.now();
    this.#sweeping = false;
    // Closing takes it out of the list.
    for (const connection of this.#free.slice()) {
      const limit = Math.min(this.#keepAlive, (connection.keptFor ?? Infinity) - safety);
      if (now - connection.freeSince >= limit - safety) connection.close();
    }
    this.#sweepLater();
  }

  #sweepLater(): void {
    if (this.#sweeping || this.#free.length === 0) return;
    this.#sweeping = true;
    setTimeout(sweep, safety, this).unref();
  }

  #open(carrying: Carrying): void {
    const connection = new Connection(this, this.#llhttp);
    this.#all.add(connection);
    connection.open(carrying, this.#openWire);
  }

  #keep(connection: Connection): void {
    if (this.#free.length >= mostFree) {
      connection.close();
      return;
    }
    this.#free.push(connection);
    this.#sweepLater();
  }

  #reuse(connection: Connection, carrying: Carrying): void {
    if (carrying.over) {
      if (connection.isFree) this.#keep(connection);
    } else if (this.#closed) carrying.fail(closedBefore);
    else if (!connection.carry(carrying)) this.carry(carrying);
  }
}

interface Reuse {
  readonly connection: Connection;
  readonly carrying: Carrying;
}

/** What is scheduled once may come before the runtime has looked at its sockets. */
function afterSockets(connections: Connections): void {
  setImmediate(reuse, connections);
}

function reuse(connections: Connections): void {
  connections.reuse();
}

function sweep(connections: Connections): void {
  connections.sweep();
}

const closedBefore: TransportError = {
  kind: "unreachable",
  detail: "closed on our side",
  sent: false,
};
