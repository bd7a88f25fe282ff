import type { IncomingMessage } from "node:http";
import { limits } from "./server-limits.ts";

/**
 * Reads to its end a request body that nobody reads any more, after its answer: the next request on
 * this connection stands behind it. What is longer than worth waiting for ends the connection.
 */
export function finishBody(incoming: IncomingMessage): void {
  if (incoming.readableEnded || incoming.destroyed) return;
  // Nothing is left but the end itself, which Node sees to.
  if (incoming.complete && incoming.readableLength === 0) return;
  // Whoever is still reading may be about to come to the end.
  setImmediate(() => setImmediate(skip, incoming));
}

function skip(incoming: IncomingMessage): void {
  if (incoming.readableEnded || incoming.destroyed) return;
  let read = 0;
  const giveUp = (): void => {
    stop();
    incoming.socket.destroySoon();
  };
  const timer = setTimeout(giveUp, limits.rest).unref();
  const count = ({ length }: Uint8Array): void => {
    read += length;
    if (read > limits.dropped) giveUp();
  };
  const stop = (): void => {
    clearTimeout(timer);
    incoming.off("data", count).off("close", stop);
  };
  incoming.on("close", stop).on("data", count);
  incoming.resume();
}
