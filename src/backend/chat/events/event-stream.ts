import { formatEvent } from "../../../api/call/server-sent.ts";
import type { ChatRequest } from "../request.ts";
import { createChatError } from "../errors.ts";
import type { FeedEvent } from "./feed-events.ts";
import { requireOrigin } from "./origin.ts";
import { toStreamRequest } from "./stream-request.ts";
import type { StreamRequest } from "./stream-request.ts";
import { requireStreamCapacity, RETRY_STREAM } from "./stream-limits.ts";
import type { Subscription } from "./subscription.ts";

/** Milliseconds after which a client must connect again, and so show its credentials again. */
const LONGEST_STREAM = 900_000;
/** Milliseconds that a client waits before it connects again. */
export const RETRY = 1_000;

/**
 * Streams events as they happen (`text/event-stream`): all of them to the app's server, and to a
 * person those of the chats that this person may see. `Last-Event-ID`, or `lastEventId` in the
 * query, continues a broken stream: no event is skipped or repeated. Clients that do not read are
 * disconnected, and continue in the same way. An agent's stream is short: its connection may look
 * alive long after the machine is gone, and only the next request proves that the agent is present.
 */
export async function openEventStream(request: ChatRequest): Promise<Response> {
  const { options, caller, query } = request;
  const { feed } = options;
  if (feed === undefined) throw new Error("unreachable: the routes have a feed");
  const { app, person } = caller;
  await requireOrigin(options.database.kysely, app, request.headers);
  const queried = query["lastEventId"];
  const last = request.lastEventId ?? (typeof queried === "string" ? queried : null);
  const stream = toStreamRequest(
    { ...options, feed },
    caller,
    request.shown,
    request.headers,
    last,
  );
  requireStreamCapacity(feed, { app, person }, stream.limits);
  const subscription = await feed.open({ app, person }, stream.after);
  if (subscription === null) return refuseStream();
  return new Response(streamOf(stream, subscription, request), {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    },
  });
}

function refuseStream(): Response {
  return createChatError(503, "The service is about to restart. Come back in a moment.", {
    "retry-after": String(RETRY_STREAM),
  });
}

function streamOf(
  { caller, limits, checkCaller, mayListen }: StreamRequest,
  subscription: Subscription,
  { signal: gone, breakOff }: Pick<ChatRequest, "signal" | "breakOff">,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const { life, beat } = rhythmOf(caller, limits);
  const ends = performance.now() + life;
  let lastSent = performance.now();
  let checked = performance.now();
  let isClosed = false;
  let unread: NodeJS.Timeout | undefined;
  const close = (): void => {
    isClosed = true;
    clearTimeout(unread);
    gone.removeEventListener("abort", close);
    subscription.close();
  };
  gone.addEventListener("abort", close, { once: true });
  if (gone.aborted) close();
  return new ReadableStream({
    start(controller) {
      // The bare id lets a client that has received no event yet continue from here.
      const begin = formatEvent({ retry: RETRY, id: subscription.position });
      controller.enqueue(encoder.encode(begin));
      watch(controller);
    },
    async pull(controller) {
      clearTimeout(unread);
      try {
        const next = await readNext();
        if (next !== null) controller.enqueue(encoder.encode(next.text));
        if (next === null || next.last) {
          close();
          controller.close();
        } else watch(controller);
      } catch (error) {
        close();
        controller.error(error);
      }
    },
    cancel: close,
  });

  /** Closes the connection of a client that reads nothing for too long. */
  function watch(controller: ReadableStreamDefaultController<Uint8Array>): void {
    clearTimeout(unread);
    unread = setTimeout(() => {
      close();
      // A Node server would log an error.
      if (breakOff !== null) breakOff();
      else controller.error(new Error("the client of an event stream does not read"));
    }, limits.patience);
  }

  function isOpen(): boolean {
    return !isClosed && performance.now() < ends;
  }

  async function readNext(): Promise<{ readonly text: string; readonly last: boolean } | null> {
    while (isOpen()) {
      const wait = Math.min(lastSent + beat, ends) - performance.now();
      const events = wait > 0 ? await subscription.next(wait) : [];
      if (subscription.ended !== null) return { text: formatLast(subscription.ended), last: true };
      if (performance.now() - checked >= limits.heartbeat) {
        checked = performance.now();
        if (!(await checkCaller())) return null;
      }
      if (events.length > 0 && !(await mayListen())) return null;
      if (events.length === 0 && performance.now() - lastSent < beat) continue;
      lastSent = performance.now();
      const text =
        events.length === 0
          ? formatEvent({ id: subscription.position })
          : events.map(toText).join("");
      return { text, last: false };
    }
    return null;
  }
}

/** How long a stream lasts, and how often it gives a sign of life, in milliseconds. */
function rhythmOf(
  { person }: StreamRequest["caller"],
  { agentLife, heartbeat }: StreamRequest["limits"],
): { readonly life: number; readonly beat: number } {
  if (person?.kind !== "agent") return { life: LONGEST_STREAM, beat: heartbeat };
  // An agent's page notices within seconds that the connection is gone.
  return { life: agentLife, beat: Math.min(heartbeat, agentLife / 3) };
}

/** Formats the event that tells clients to connect again; `EventSource` does so after `retry`. */
function formatLast(reason: string): string {
  const data = JSON.stringify({ reason, retryAfter: RETRY });
  return formatEvent({ retry: RETRY, event: "stream:end", data });
}

function toText({ number, trigger, body }: FeedEvent): string {
  return formatEvent({ id: number, event: trigger, data: body });
}
