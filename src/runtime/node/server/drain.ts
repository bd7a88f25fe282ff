import { type Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { Server as TlsServer } from "node:tls";
import { limits } from "./server-limits.ts";

/** How a drain ended. */
export interface Drained {
  /** How many exchanges and tunnels were broken off at the limit. */
  readonly broken: number;
}

export interface Drain {
  /** Lists the answers that are not sent completely. */
  listAnswers(): readonly ServerResponse[];
  trackTunnel(socket: Duplex): void;
  /** Stops the server. Work that is not done after `limit` milliseconds is broken off. */
  start(limit: number): Promise<Drained>;
}

/** Creates the drain of a server, which ends the server after its work. */
export function createDrain(server: Server): Drain {
  const tunnels = new Set<Duplex>();
  const sockets = new Set<Socket>();
  /** The connections that carry requests. With TLS, these are the sockets after the handshake. */
  const connections = server instanceof TlsServer ? new Set<Socket>() : sockets;
  server.on("connection", (socket: Socket) => trackUntilClosed(sockets, socket));
  if (connections !== sockets) {
    server.on("secureConnection", (socket: Socket) => trackUntilClosed(connections, socket));
  }
  let running: Promise<Drained> | null = null;

  const run = (limit: number): Promise<Drained> =>
    new Promise((resolve) => {
      let broken = 0;
      // An answer whose head is not sent yet will have Connection: close.
      for (const outgoing of listAnswers()) outgoing.shouldKeepAlive = false;
      const deadline = performance.now() + limits.arriving;
      const sweep = setInterval(() => {
        server.closeIdleConnections();
        closeUnused(performance.now() >= deadline);
      }, limits.sweepEvery);
      const cutOff = setTimeout(() => {
        broken = listAnswers().length + tunnels.size;
        server.closeAllConnections();
        for (const socket of tunnels) socket.destroy();
      }, limit);
      server.close(() => {
        clearInterval(sweep);
        clearTimeout(cutOff);
        resolve({ broken });
      });
    });

  /**
   * Closes connections without a request, such as those that browsers open in advance. Node does not
   * regard them as idle.
   *
   * @param all true if connections with an incomplete request are closed too
   */
  function closeUnused(all: boolean): void {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    if (!all) return;
    for (const socket of connections) {
      if (answerOn(socket) === null && !tunnels.has(socket)) socket.destroy();
    }
  }

  // A set that every request enters and leaves would move finished requests into V8's old generation,
  // and make a message half as expensive again. The connections already refer to the answers.
  function listAnswers(): readonly ServerResponse[] {
    return [...connections].flatMap((socket) => answerOn(socket) ?? []);
  }

  return {
    listAnswers,
    trackTunnel: (socket) => trackUntilClosed(tunnels, socket),
    start: (limit) => (running ??= run(limit)),
  };
}

/** Returns the answer that a connection serves now, which Node does not expose elsewhere. */
export function answerOn(socket: Duplex): ServerResponse | null {
  const answer: unknown = Reflect.get(socket, "_httpMessage");
  return answer instanceof ServerResponse ? answer : null;
}

/** Adds an item to a set until it is closed. */
function trackUntilClosed<Item extends Duplex>(items: Set<Item>, item: Item): void {
  items.add(item);
  item.once("close", () => items.delete(item));
}
