import { RETRY } from "./event-stream.ts";
import type { FeedEvent } from "./feed-events.ts";
import type { StreamRequest } from "./stream-request.ts";
import type { Subscription } from "./subscription.ts";

/** The parts of a WebSocket that a stream of events needs. */
export interface EventSocket {
  /** Resolves to true once the network has the texts, to false if that takes `timeout` ms. */
  send(texts: readonly string[], timeout: number): Promise<boolean>;
  ping(): void;
  close(code: number, reason: string): void;
  /** Breaks the connection off. */
  terminate(): void;
  onPong(listener: () => void): void;
  onText(listener: (text: string) => void): void;
  onClosed(listener: () => void): void;
}

/** Close codes: those of RFC 6455, 7.4 and its registry, and private ones from 4000 on. */
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

/** Milliseconds after a close frame until a connection that does not answer it is broken off. */
const CLOSE_TIMEOUT = 3_000;

/**
 * Sends events to a peer that may see them, as JSON texts: first `ready`, then each `event`, and
 * finally `end` with the reason. Each heartbeat sends a ping. Agents get two during the life of
 * their HTTP stream. A peer that has not answered one by the next is disconnected. Resolves when
 * the connection is over.
 */
export async function serveSocket(
  socket: EventSocket,
  { caller, limits, checkCaller, mayListen }: StreamRequest,
  subscription: Subscription,
): Promise<void> {
  let over = false;
  const isOpen = (): boolean => !over;
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
    setTimeout(() => socket.terminate(), CLOSE_TIMEOUT).unref();
  };
  const interval = caller.person?.kind === "agent" ? limits.agentLife / 2 : limits.heartbeat;
  const heartbeat = setInterval(() => {
    if (!answered) {
      stop();
      socket.terminate();
      return;
    }
    answered = false;
    socket.ping();
    void checkCaller().then(
      (isAllowed) => (isAllowed ? undefined : end(CLOSE.unauthorized, REVOKED)),
      () => undefined,
    );
  }, interval);
  socket.onPong(() => {
    answered = true;
  });
  let answering = false;
  socket.onText((text) => {
    answered = true;
    // Only one answer is under way, so that a client that does not read cannot fill a buffer.
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
    while (read && isOpen()) {
      const events = await subscription.next(limits.heartbeat);
      if (over) return;
      if (subscription.ended !== null) {
        const last = { type: "end", reason: subscription.ended, retryAfter: RETRY };
        await socket.send([JSON.stringify(last)], 100);
        return end(CLOSE.restart, "restart");
      }
      if (events.length > 0 && !(await mayListen())) return end(CLOSE.unauthorized, REVOKED);
      if (events.length > 0) read = await socket.send(events.map(toFrame), limits.patience);
    }
    end(CLOSE.slow, "what was sent was not read");
  } catch {
    end(CLOSE.failed, "the events cannot be read at this moment");
  }
}

const REVOKED = "the credentials are no longer valid";

function toFrame({ number, body }: FeedEvent): string {
  return `{"type":"event","id":"${number}",${body.slice(1)}`;
}
