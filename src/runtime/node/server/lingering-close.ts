import type { IncomingMessage } from "node:http";
import { limits } from "./server-limits.ts";

/**
 * Makes Node close the connection of an incomplete request gently (RFC 9112, 9.6): the answer and
 * the end of the connection go out first, and what still arrives is dropped for a while. Closing at
 * once would reset the connection, and the client would lose the answer.
 */
export function lingerAtClose(incoming: IncomingMessage): void {
  const { socket } = incoming;
  // Node calls this after an answer with `Connection: close`.
  socket.destroySoon = () => {
    // Restores the prototype's method.
    Reflect.deleteProperty(socket, "destroySoon");
    if (incoming.complete || incoming.destroyed) return socket.destroySoon();
    socket.end();
    dropRest(incoming);
  };
}

/** Reads on until the request is whole, within limits, and then closes the connection. */
function dropRest(incoming: IncomingMessage): void {
  const { socket } = incoming;
  const first = socket.bytesRead;
  const until = performance.now() + limits.linger;
  let last = first;
  let quietSince = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    const { bytesRead } = socket;
    if (bytesRead !== last) quietSince = now;
    last = bytesRead;
    const isQuiet = now - quietSince >= limits.lingerStall;
    if (isQuiet || now >= until || bytesRead - first > limits.dropped) socket.destroy();
  }, checkInterval).unref();
  socket.once("close", () => clearInterval(timer));
  incoming.once("end", () => socket.destroySoon());
  // A reader that has given up may pause the body each time that it flows.
  incoming.removeAllListeners("data");
  incoming.resume();
}

/** Milliseconds. */
const checkInterval = 250;
