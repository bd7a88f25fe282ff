import { type Server, ServerResponse } from "node:http";
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
  /** The answers that are under way. */
  answers(): readonly ServerResponse[];
  trackTunnel(socket: Duplex): void;
  start(limit: number): Promise<Drained>;
}

/** Keeps track of the work of a server, and ends it gracefully. */
export function createDrain(server: Server): Drain {
  const tunnels = new Set<Duplex>();
  const sockets = new Set<Socket>();
  /** The same connections, as requests come on them. */
  const connections = server instanceof TlsServer ? new Set<Socket>() : sockets;
  server.on("connection", (socket: Socket) => keep(sockets, socket));
  if (connections !== sockets) {
    server.on("secureConnection", (socket: Socket) => keep(connections, socket));
  }
  let running: Promise<Drained> | null = null;

  const run = (limit: number): Promise<Drained> =>
    new Promise((resolve) => {
      let broken = 0;
      // Answers whose head is not sent yet will say Connection: close.
      for (const outgoing of answers()) outgoing.shouldKeepAlive = false;
      const late = performance.now() + limits.arriving;
      const sweep = setInterval(() => {
        server.closeIdleConnections();
        closeUnused(performance.now() >= late);
      }, limits.sweepEvery);
      const end = setTimeout(() => {
        broken = answers().length + tunnels.size;
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
   * Node does not count a connection without any request as idle; browsers open such connections
   * ahead.
   *
   * @param all also connections with an incomplete request
   */
  function closeUnused(all: boolean): void {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    if (!all) return;
    for (const socket of connections) {
      if (answerOn(socket) === null && !tunnels.has(socket)) socket.destroy();
    }
  }

  // Found through the connections instead of a set: a set that every request enters and leaves
  // makes finished requests old to the collector, and a message costs half as much again.
  function answers(): readonly ServerResponse[] {
    return [...connections].flatMap((socket) => answerOn(socket) ?? []);
  }

  return {
    answers,
    trackTunnel: (socket) => keep(tunnels, socket),
    start: (limit) => (running ??= run(limit)),
  };
}

/** Returns the answer that a connection serves now, which Node does not expose elsewhere. */
export function answerOn(socket: Duplex): ServerResponse | null {
  const answer: unknown = Reflect.get(socket, "_httpMessage");
  return answer instanceof ServerResponse ? answer : null;
}

/** Until it is closed. */
function keep<Item extends Duplex>(items: Set<Item>, item: Item): void {
  items.add(item);
  item.once("close", () => items.delete(item));
}
