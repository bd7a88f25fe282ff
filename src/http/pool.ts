import type { Connect } from "./connect.ts";
import { Connection, type ConnectionEvents } from "./connection.ts";
import type { Llhttp } from "./llhttp.ts";
import type { PendingRequest } from "./request.ts";
import type { Failure } from "./types.ts";

/** Milliseconds that an unused connection is kept, unless the upstream says less. */
const usualKeepAlive = 4000;

/** An upstream may close at its promised time, so ours ends before. Milliseconds. */
const safety = 1000;

/** As many unused ones are kept for an origin. */
const mostFree = 1024;

/** Milliseconds: an upstream that closes unannounced this soon after an answer will do so again. */
const soon = 1000;

/** So long none of its connections is used a second time then. Milliseconds. */
const wariness = 10_000;

export interface PoolOptions {
  readonly connect: Connect;
  readonly llhttp: Llhttp;
  readonly keepAlive?: number | undefined;
  readonly uploadFailed: ConnectionEvents["uploadFailed"];
}

/** The connections to one origin; last freed, first used, so that unneeded ones close. */
export class Pool implements ConnectionEvents {
  readonly uploadFailed: ConnectionEvents["uploadFailed"];
  readonly #connect: Connect;
  readonly #llhttp: Llhttp;
  readonly #keepAlive: number;
  readonly #all = new Set<Connection>();
  readonly #free: Connection[] = [];
  /** Requests that are about to go over connections used before. */
  #reuses: Reuse[] = [];
  #waryUntil = 0;
  #closed = false;
  #sweeping = false;

  constructor({ connect, llhttp, keepAlive = usualKeepAlive, uploadFailed }: PoolOptions) {
    this.uploadFailed = uploadFailed;
    this.#connect = connect;
    this.#llhttp = llhttp;
    this.#keepAlive = keepAlive;
  }

  send(request: PendingRequest): void {
    const connection = this.#free.pop();
    if (connection === undefined) {
      this.#open(request);
      return;
    }
    request.start();
    // The upstream may have closed it, or sent unasked bytes: Node looks at it before it is written
    // to. What is scheduled once may come before Node has looked at its sockets.
    if (this.#reuses.push({ connection, request }) === 1) {
      setImmediate(setImmediate, this.#reuseAll);
    }
  }

  free(connection: Connection): void {
    const { keptFor } = connection;
    const now = performance.now();
    const isKept = this.#keepAlive > 0 && (keptFor === null || keptFor > safety);
    if (this.#closed || now < this.#waryUntil || !isKept) {
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

  #open(request: PendingRequest): void {
    const connection = new Connection(this.#llhttp, this);
    this.#all.add(connection);
    request.start();
    connection.open(request, this.#connect);
  }

  readonly #reuseAll = (): void => {
    const reuses = this.#reuses;
    this.#reuses = [];
    for (const { connection, request } of reuses) {
      if (request.over) {
        if (connection.isFree) this.#keep(connection);
      } else if (this.#closed) request.fail(closedBefore);
      else if (!connection.send(request)) this.send(request);
    }
  };

  #keep(connection: Connection): void {
    if (this.#free.length >= mostFree) {
      connection.close();
      return;
    }
    this.#free.push(connection);
    this.#sweepLater();
  }

  #sweepLater(): void {
    if (this.#sweeping || this.#free.length === 0) return;
    this.#sweeping = true;
    setTimeout(() => this.#sweep(), safety).unref();
  }

  #sweep(): void {
    const now = performance.now();
    this.#sweeping = false;
    // Closing takes it out of the list.
    for (const connection of this.#free.slice()) {
      const limit = Math.min(this.#keepAlive, (connection.keptFor ?? Infinity) - safety);
      if (now - connection.freeSince >= limit - safety) connection.close();
    }
    this.#sweepLater();
  }
}

interface Reuse {
  readonly connection: Connection;
  readonly request: PendingRequest;
}

const closedBefore: Failure = { kind: "unreachable", detail: "closed on our side", sent: false };
