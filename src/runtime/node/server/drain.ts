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

/** Knows what is under way on a server, and ends it in good order. */
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
      // Answers whose head is not out yet will say Connection: close.
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
   * To Node a connection that nobody has asked anything on is not idle: browsers open such ones
   * ahead.
   *
   * @param all also where a request has begun and did not get as far as us
   */
  function closeUnused(all: boolean): void {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    if (!all) return;
    for (const socket of connections) {
      if (answerOn(socket) === null && !tunnels.has(socket)) socket.destroy();
    }
  }

  // Looked for at the connections, and not kept: a set that every request enters and leaves makes
  // finished requests old to the collector, and a message costs half as much again.
  function answers(): readonly ServerResponse[] {
    return [...connections].flatMap((socket) => answerOn(socket) ?? []);
  }

  return {
    answers,
    trackTunnel: (socket) => keep(tunnels, socket),
    start: (limit) => (running ??= run(limit)),
  };
}

/** The answer that a connection is for now: Node says it nowhere else. */
export function answerOn(socket: Duplex): ServerResponse | null {
  const answer: unknown = Reflect.get(socket, "_httpMessage");
  return answer instanceof ServerResponse ? answer : null;
}

/** Until it is closed. */
function keep<Item extends Duplex>(items: Set<Item>, item: Item): void {
  items.add(item);
  item.once("close", () => items.delete(item));
}
