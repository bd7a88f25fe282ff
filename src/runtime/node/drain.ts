import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { Server as TlsServer } from "node:tls";
import { limits } from "./server-limits.ts";

/** How a drain ended. */
export interface Drained {
  /** Exchanges and tunnels that were broken off. */
  readonly broken: number;
}

export interface Drain {
  readonly draining: boolean;
  /** Call the returned function once, when the answer is closed. */
  track(outgoing: ServerResponse): () => void;
  /** Everything tracked whose answer is not closed. */
  eachExchange(use: (outgoing: ServerResponse) => void): void;
  trackTunnel(socket: Duplex): void;
  start(limit: number): Promise<Drained>;
}

/** Knows what is under way on a server, and ends it in good order. */
export function createDrain(server: Server): Drain {
  const exchanges = createPlaces<ServerResponse>();
  const tunnels = new Set<Duplex>();
  const sockets = createPlaces<Socket>();
  const secured = createPlaces<Socket>();
  const isSecure = server instanceof TlsServer;
  server.on("connection", (socket: Socket) => keep(sockets, socket));
  if (isSecure) server.on("secureConnection", (socket: Socket) => keep(secured, socket));
  let running: Promise<Drained> | null = null;

  const run = (limit: number): Promise<Drained> =>
    new Promise((resolve) => {
      let broken = 0;
      // Answers whose head is not out yet will say Connection: close.
      exchanges.each((outgoing) => {
        outgoing.shouldKeepAlive = false;
      });
      const late = performance.now() + limits.arriving;
      const sweep = setInterval(() => {
        server.closeIdleConnections();
        closeUnused(performance.now() >= late);
      }, limits.sweepEvery);
      const end = setTimeout(() => {
        broken = exchanges.size() + tunnels.size;
        server.closeAllConnections();
        for (const socket of tunnels) socket.destroy();
      }, limit);
      server.close(() => {
        clearInterval(sweep);
        clearTimeout(end);
        resolve({ broken });
      });
    });

  /**
   * To Node a connection that nobody has asked anything on is not idle: browsers open such ones
   * ahead.
   *
   * @param all also where a request has begun and did not get as far as us
   */
  function closeUnused(all: boolean): void {
    sockets.each((socket) => {
      if (socket.bytesRead === 0) socket.destroy();
    });
    if (!all) return;
    const used = new Set<Duplex | null>(tunnels);
    exchanges.each((outgoing) => used.add(outgoing.req.socket));
    (isSecure ? secured : sockets).each((socket) => {
      if (!used.has(socket)) socket.destroy();
    });
  }

  return {
    get draining() {
      return running !== null;
    },
    track(outgoing) {
      if (running !== null) outgoing.shouldKeepAlive = false;
      return exchanges.take(outgoing);
    },
    eachExchange: (use) => exchanges.each(use),
    trackTunnel(socket) {
      tunnels.add(socket);
      socket.on("close", () => tunnels.delete(socket));
    },
    start(limit) {
      running ??= run(limit);
      return running;
    },
  };
}

function keep(places: Places<Socket>, socket: Socket): void {
  socket.once("close", places.take(socket));
}

interface Places<Item> {
  /** The returned function gives the place up; call it once. */
  take(item: Item): () => void;
  each(use: (item: Item) => void): void;
  size(): number;
}

/**
 * Holds what comes and goes with every request. Not a Set: one that is added to and deleted from
 * all the time gets a new table every few dozen requests, the old one points to the new, and once
 * one of them is old to the collector it keeps all that follow, with the exchanges in them, until
 * the next full collection.
 */
function createPlaces<Item>(): Places<Item> {
  const items: (Item | null)[] = [];
  const free: number[] = [];
  return {
    take(item) {
      const place = free.pop() ?? items.length;
      items[place] = item;
      return () => {
        items[place] = null;
        free.push(place);
      };
    },
    each(use) {
      for (const item of items) if (item !== null) use(item);
    },
    size: () => items.length - free.length,
  };
}
