import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { limits } from "./server-limits.ts";

type Serve = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/**
 * Serves the requests of a connection one after the other, as a client that waits for each answer
 * would ask them. Node hands over all that it has read at once, and each of them would take a place
 * before its turn.
 */
export function inTurn(serve: Serve): Serve {
  /** How many requests wait, of connections where some do. */
  const waiting = new WeakMap<Socket, number>();

  function wait(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { socket } = incoming;
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    if (count > limits.pipelined) {
      socket.destroy();
      return;
    }
    // Not at once: Node goes on reading at each request's end.
    if (count >= pausedFrom) process.nextTick(pause, socket);
    outgoing.once("socket", () => {
      const left = (waiting.get(socket) ?? 1) - 1;
      waiting.set(socket, left);
      if (left === pausedFrom - 1) socket.resume();
      serve(incoming, outgoing);
    });
  }

  function pause(socket: Socket): void {
    if ((waiting.get(socket) ?? 0) >= pausedFrom) socket.pause();
  }

  return (incoming, outgoing) => {
    // Without a socket an answer stands behind another one.
    if (outgoing.socket === null) wait(incoming, outgoing);
    else serve(incoming, outgoing);
  };
}

/**
 * With fewer the connection is read on: a server that does not read does not notice that a client
 * leaves.
 */
const pausedFrom = 16;
