import type { Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** How a drain ended. */
export interface Drained {
  /** Exchanges and tunnels that were broken off. */
  readonly broken: number;
}

export interface Drain {
  readonly draining: boolean;
  /** Call the returned function once, when the answer is closed. */
  track(outgoing: ServerResponse): () => void;
  trackTunnel(socket: Duplex): void;
  start(limit: number): Promise<Drained>;
}

/** How often connections that have become idle are looked for, in milliseconds. */
const sweepEvery = 50;

/** Knows what is under way on a server, and ends it in good order. */
export function createDrain(server: Server): Drain {
  const exchanges = createPlaces<ServerResponse>();
  const tunnels = new Set<Duplex>();
  let running: Promise<Drained> | null = null;

  const run = (limit: number): Promise<Drained> =>
    new Promise((resolve) => {
      let broken = 0;
      // Answers whose head is not out yet will say Connection: close.
      exchanges.each((outgoing) => {
        outgoing.shouldKeepAlive = false;
      });
      const sweep = setInterval(() => server.closeIdleConnections(), sweepEvery);
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

  return {
    get draining() {
      return running !== null;
    },
    track(outgoing) {
      if (running !== null) outgoing.shouldKeepAlive = false;
      return exchanges.take(outgoing);
    },
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

interface Places<Item> {
  /** The returned function gives the place up; call it once. */
  take(item: Item): () => void;
  each(use: (item: Item) => void): void;
  size(): number;
}

/**
 * Holds what comes and goes with every request. Not a Set: one that is added to and deleted from all the time gets a new
 * table every few dozen requests, the old one points to the new, and once one of them is old to the collector it keeps all
 * that follow, with the exchanges in them, until the next full collection.
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
