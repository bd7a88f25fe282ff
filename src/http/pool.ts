import type { Connect } from "./connect.ts";
import { Connection, type ConnectionEvents } from "./connection.ts";
import type { Llhttp } from "./llhttp.ts";
import type { PendingRequest } from "./request.ts";
import type { Failure } from "./types.ts";

/** How long an idle connection is kept, in milliseconds, unless the upstream promises less. */
const DEFAULT_KEEP_ALIVE = 4000;

/** How long before the upstream's promised time a connection is closed, in milliseconds. */
const SAFETY_MARGIN = 1000;

/** How many idle connections are kept for an origin. */
const MAX_FREE = 1024;

/**
 * An upstream that closes a connection within this many milliseconds after an answer will do so
 * again.
 */
const EARLY_CLOSE = 1000;

/** How long connections to such an upstream are not reused, in milliseconds. */
const NO_REUSE_PERIOD = 10_000;

export interface PoolOptions {
  readonly connect: Connect;
  readonly llhttp: Llhttp;
  readonly keepAlive?: number | undefined;
  readonly toUploadFailure: ConnectionEvents["toUploadFailure"];
}

/** The connections to one origin. The one freed last is used first, so that surplus ones close. */
export class Pool implements ConnectionEvents {
  readonly toUploadFailure: ConnectionEvents["toUploadFailure"];
  readonly #connect: Connect;
  readonly #llhttp: Llhttp;
  readonly #keepAlive: number;
  readonly #all = new Set<Connection>();
  readonly #free: Connection[] = [];
  /** Requests that are about to be sent over idle connections. */
  #reuses: Reuse[] = [];
  #noReuseUntil = 0;
  #closed = false;
  #sweeping = false;

  constructor({ connect, llhttp, keepAlive = DEFAULT_KEEP_ALIVE, toUploadFailure }: PoolOptions) {
    this.toUploadFailure = toUploadFailure;
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
    // The upstream may have closed it meanwhile, or sent bytes that nobody asked for. Two turns of
    // the event loop let Node notice before the request is written; after one it may not have polled.
    if (this.#reuses.push({ connection, request }) === 1) {
      setImmediate(setImmediate, this.#reuseAll);
    }
  }

  free(connection: Connection): void {
    const { keepAliveTimeout } = connection;
    const now = performance.now();
    const isKept =
      this.#keepAlive > 0 && (keepAliveTimeout === null || keepAliveTimeout > SAFETY_MARGIN);
    if (this.#closed || now < this.#noReuseUntil || !isKept) {
      connection.close();
      return;
    }
    connection.freeSince = now;
    this.#keep(connection);
  }

  closedByUpstream({ freeSince }: Connection): void {
    const now = performance.now();
    if (now - freeSince >= EARLY_CLOSE) return;
    this.#noReuseUntil = now + NO_REUSE_PERIOD;
    // Closing removes it from the list.
    for (const connection of this.#free.slice()) connection.close();
  }

  gone(connection: Connection): void {
    this.#all.delete(connection);
    const index = this.#free.lastIndexOf(connection);
    if (index !== -1) this.#free.splice(index, 1);
  }

  /** Closes all connections and fails their requests. */
  close(): void {
    this.#closed = true;
    for (const connection of this.#all) connection.abort();
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
    if (this.#free.length >= MAX_FREE) {
      connection.close();
      return;
    }
    this.#free.push(connection);
    this.#sweepLater();
  }

  #sweepLater(): void {
    if (this.#sweeping || this.#free.length === 0) return;
    this.#sweeping = true;
    setTimeout(() => this.#sweep(), SAFETY_MARGIN).unref();
  }

  #sweep(): void {
    const now = performance.now();
    this.#sweeping = false;
    // Closing removes it from the list.
    for (const connection of this.#free.slice()) {
      const limit = Math.min(
        this.#keepAlive,
        (connection.keepAliveTimeout ?? Infinity) - SAFETY_MARGIN,
      );
      if (now - connection.freeSince >= limit - SAFETY_MARGIN) connection.close();
    }
    this.#sweepLater();
  }
}

interface Reuse {
  readonly connection: Connection;
  readonly request: PendingRequest;
}

const closedBefore: Failure = { kind: "unreachable", detail: "closed on our side", sent: false };
