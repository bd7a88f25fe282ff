import type { ServerResponse } from "node:http";
import { limits } from "./server-limits.ts";
import type { Drain } from "./drain.ts";

/**
 * Ends the requests of clients that stop in the middle of a body: 408, and the connection is
 * closed. Node itself only limits the time of the whole request. All requests are checked once a
 * second, so that each needs no timer.
 *
 * @param end called with the answer to a request whose body does not arrive
 * @returns the function that stops it
 */
export function watchBodies(
  listAnswers: Drain["listAnswers"],
  end: (late: ServerResponse) => void,
): () => void {
  let seen = new Map<ServerResponse, Progress>();

  function look(): void {
    const now = performance.now();
    const before = seen;
    seen = new Map();
    const late: ServerResponse[] = [];
    for (const outgoing of listAnswers()) {
      if (!awaitsBody(outgoing)) continue;
      const { bytesRead } = outgoing.req.socket;
      const last = before.get(outgoing);
      const progress = last?.bytesRead === bytesRead ? last : { bytesRead, since: now };
      if (now - progress.since >= limits.bodyStall) late.push(outgoing);
      else seen.set(outgoing, progress);
    }
    for (const outgoing of late) end(outgoing);
  }

  const timer = setInterval(look, lookEvery).unref();
  return () => clearInterval(timer);
}

interface Progress {
  /** The bytes read on the connection. */
  readonly bytesRead: number;
  /** Milliseconds of `performance`. */
  readonly since: number;
}

/**
 * Everything that arrived is read, and more is due. Once the answer has begun, no more is needed.
 */
function awaitsBody({ req, headersSent }: ServerResponse): boolean {
  return !req.complete && req.readableLength === 0 && !headersSent;
}

const lookEvery = 1000;
