import type { Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** How a drain ended. */
export interface Drained {
  /** Exchanges and tunnels that were broken off. */
  readonly broken: number;
}

export interface Drain {
  readonly draining: boolean;
  track(outgoing: ServerResponse): void;
  trackTunnel(socket: Duplex): void;
  start(limit: number): Promise<Drained>;
}

/** How often connections that have become idle are looked for, in milliseconds. */
const sweepEvery = 50;

/** Knows what is under way on a server, and ends it in good order. */
export function createDrain(server: Server): Drain {
  const exchanges = new Set<ServerResponse>();
  const tunnels = new Set<Duplex>();
  let running: Promise<Drained> | null = null;

  const run = (limit: number): Promise<Drained> =>
    new Promise((resolve) => {
      let broken = 0;
      // Answers whose head is not out yet will say Connection: close.
      for (const outgoing of exchanges) outgoing.shouldKeepAlive = false;
      const sweep = setInterval(() => server.closeIdleConnections(), sweepEvery);
      const end = setTimeout(() => {
        broken = exchanges.size + tunnels.size;
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
      exchanges.add(outgoing);
      outgoing.on("close", () => exchanges.delete(outgoing));
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
