import { type Carrying, Connection, type Keeper } from "./connection.ts";
import type { AnswerEvents, Parsing } from "./llhttp.ts";
import type { OpenWire } from "./wire.ts";

/** Milliseconds that an unused connection is kept, unless the upstream says less. */
export const usualKeepAlive = 4000;

/** An upstream may close at its promised time, so ours ends before. Milliseconds. */
const safety = 1000;

/** Unused for longer, in milliseconds, a connection is only written to after the system has had a turn to say that it is closed. */
const rested = 50;

/** As many unused ones are kept for an origin. */
const mostFree = 256;

/** The connections to one origin. The one that came free last is the next, so that the others close when there is no use for them. */
export class Connections implements Keeper {
  readonly #openWire: OpenWire;
  readonly #llhttp: (events: AnswerEvents) => Parsing;
  readonly #keepAlive: number;
  readonly #all = new Set<Connection>();
  readonly #free: Connection[] = [];
  #sweeping = false;

  constructor(
    openWire: OpenWire,
    llhttp: (events: AnswerEvents) => Parsing,
    keepAlive: number = usualKeepAlive,
  ) {
    this.#openWire = openWire;
    this.#llhttp = llhttp;
    this.#keepAlive = keepAlive;
  }

  carry(carrying: Carrying): void {
    const connection = this.#free.pop();
    if (connection === undefined) this.#open(carrying);
    else if (performance.now() - connection.freeSince < rested) this.#reuse(connection, carrying);
    else afterSockets(() => this.#reuse(connection, carrying));
  }

  free(connection: Connection): void {
    const { keptFor } = connection;
    if (this.#free.length >= mostFree || (keptFor !== null && keptFor <= safety)) {
      connection.close();
      return;
    }
    connection.freeSince = performance.now();
    this.#free.push(connection);
    this.#sweepLater();
  }

  gone(connection: Connection): void {
    this.#all.delete(connection);
    const place = this.#free.lastIndexOf(connection);
    if (place !== -1) this.#free.splice(place, 1);
  }

  /** Breaks off what is under way. */
  close(): void {
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

  #reuse(connection: Connection, carrying: Carrying): void {
    if (carrying.over) {
      if (connection.isFree) this.free(connection);
    } else if (!connection.carry(carrying)) this.carry(carrying);
  }
}

/** What is scheduled once comes before Bun has looked at its sockets. */
function afterSockets(then: () => void): void {
  setImmediate(() => setImmediate(then));
}

function sweep(connections: Connections): void {
  connections.sweep();
}
