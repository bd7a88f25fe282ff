import { RETRY } from "./event-stream.ts";
import type { FeedEvent } from "./feed-events.ts";
import type { StreamRequest } from "./stream-request.ts";
import type { Subscription } from "./subscription.ts";

/** A WebSocket, as little of it as is needed. */
export interface EventSocket {
  /** Resolves when it was handed to the network; false when the peer took nothing for so long. */
  send(texts: readonly string[], patience: number): Promise<boolean>;
  ping(): void;
  close(code: number, reason: string): void;
  /** Breaks the connection off. */
  terminate(): void;
  onPong(heard: () => void): void;
  onText(heard: (text: string) => void): void;
  onClosed(closed: () => void): void;
}

/** Close codes: those of RFC 6455, 7.4 and the registry behind it, and our own from 4000 on. */
export const CLOSE = {
  restart: 1012,
  tryLater: 1013,
  failed: 1011,
  unreadable: 4400,
  unauthorized: 4401,
  forbidden: 4403,
  silent: 4408,
  slow: 4413,
} as const;

/** Milliseconds between a close frame and the end of a connection that does not answer it. */
const farewell = 3_000;

/**
 * Tells a peer who may listen what happens, as JSON texts: first `ready`, then an `event` each, and
 * before the end an `end` that says why. Pings go out at every heartbeat, to agents twice in the
 * life of a stream over HTTP; a peer that does not answer one until the next is gone. Resolves when
 * the connection is over.
 */
export async function serveSocket(
  socket: EventSocket,
  { caller, limits, lives, mayHear }: StreamRequest,
  subscription: Subscription,
): Promise<void> {
  let over = false;
  const lasts = (): boolean => !over;
  let answered = true;
  const stop = (): void => {
    over = true;
    clearInterval(heartbeat);
    subscription.close();
  };
  const end = (code: number, reason: string): void => {
    if (over) return;
    stop();
    socket.close(code, reason);
    setTimeout(() => socket.terminate(), farewell).unref();
  };
  const every = caller.person?.kind === "agent" ? limits.agentLife / 2 : limits.heartbeat;
  const heartbeat = setInterval(() => {
    if (!answered) {
      stop();
      socket.terminate();
      return;
    }
    answered = false;
    socket.ping();
    void lives().then(
      (may) => (may ? undefined : end(CLOSE.unauthorized, worthless)),
      () => undefined,
    );
  }, every);
  socket.onPong(() => {
    answered = true;
  });
  let answering = false;
  socket.onText((text) => {
    answered = true;
    // One answer at a time, so that a client that asks without reading fills no buffer.
    if (text !== '{"type":"ping"}' || answering) return;
    answering = true;
    void socket.send(['{"type":"pong"}'], limits.patience).finally(() => {
      answering = false;
    });
  });
  socket.onClosed(stop);

  try {
    const ready = { type: "ready", lastEventId: String(subscription.position) };
    let read = await socket.send([JSON.stringify(ready)], limits.patience);
    while (read && lasts()) {
      const events = await subscription.next(limits.heartbeat);
      if (over) return;
      if (subscription.ended !== null) {
        const sign = { type: "end", reason: subscription.ended, retryAfter: RETRY };
        await socket.send([JSON.stringify(sign)], 100);
        return end(CLOSE.restart, "restart");
      }
      if (events.length > 0 && !(await mayHear())) return end(CLOSE.unauthorized, worthless);
      if (events.length > 0) read = await socket.send(events.map(toFrame), limits.patience);
    }
    end(CLOSE.slow, "what was sent was not read");
  } catch {
    end(CLOSE.failed, "the events cannot be read at this moment");
  }
}

const worthless = "the credentials are worth nothing any more";

function toFrame({ number, body }: FeedEvent): string {
  return `{"type":"event","id":"${number}",${body.slice(1)}`;
}
