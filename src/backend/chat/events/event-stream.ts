import { formatEvent } from "../../../api/call/server-sent.ts";
import type { ChatRequest } from "../request.ts";
import { createChatError } from "../errors.ts";
import type { FeedEvent } from "./feed-events.ts";
import { requireOrigin } from "./origin.ts";
import { toStreamRequest } from "./stream-request.ts";
import type { StreamRequest } from "./stream-request.ts";
import { requirePlace, RETRY_STREAM } from "./stream-limits.ts";
import type { Subscription } from "./subscription.ts";

/** Milliseconds after which a client must connect again, and so show its credentials again. */
const longest = 900_000;
/** Milliseconds after which a client connects again. */
export const RETRY = 1_000;

/**
 * Streams events as they happen (`text/event-stream`): for the app's server everything, for a
 * person what happens in the chats that this person may see. `Last-Event-ID`, or `lastEventId` in
 * the query, goes on where a broken stream ended: nothing is skipped and nothing comes twice. Who
 * does not read is cut off, and goes on in the same way. An agent's stream is short: its connection
 * may look alive long after the machine is gone, and only the next request shows the agent.
 */
export async function openEventStream(asked: ChatRequest): Promise<Response> {
  const { options, caller, query } = asked;
  const { feed } = options;
  if (feed === undefined) throw new Error("unreachable: the routes have a feed");
  const { app, person } = caller;
  await requireOrigin(options.database.kysely, app, asked.headers);
  const queried = query["lastEventId"];
  const last = asked.lastEventId ?? (typeof queried === "string" ? queried : null);
  const stream = toStreamRequest({ ...options, feed }, caller, asked.shown, asked.headers, last);
  requirePlace(feed, { app, person }, stream.limits);
  const subscription = await feed.open({ app, person }, stream.after);
  if (subscription === null) return refuseStream();
  return new Response(streamOf(stream, subscription, asked), {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    },
  });
}

export function refuseStream(): Response {
  return createChatError(503, "The service is about to restart. Come back in a moment.", {
    "retry-after": String(RETRY_STREAM),
  });
}

function streamOf(
  { caller, limits, lives, mayHear }: StreamRequest,
  subscription: Subscription,
  { signal: gone, breakOff }: Pick<ChatRequest, "signal" | "breakOff">,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const life = caller.person?.kind === "agent" ? limits.agentLife : longest;
  const ends = performance.now() + life;
  let spoken = performance.now();
  let checked = performance.now();
  let left = false;
  let unread: NodeJS.Timeout | undefined;
  const leave = (): void => {
    left = true;
    clearTimeout(unread);
    gone.removeEventListener("abort", leave);
    subscription.close();
  };
  gone.addEventListener("abort", leave, { once: true });
  if (gone.aborted) leave();
  return new ReadableStream({
    start(controller) {
      // The id alone: so a client that has not heard of anything yet goes on from here too.
      const begin = formatEvent({ retry: RETRY, id: subscription.position });
      controller.enqueue(encoder.encode(begin));
      watch(controller);
    },
    async pull(controller) {
      clearTimeout(unread);
      try {
        const text = await readNext();
        if (text !== null) controller.enqueue(encoder.encode(text.text));
        if (text === null || text.last) {
          leave();
          controller.close();
        } else watch(controller);
      } catch (error) {
        leave();
        controller.error(error);
      }
    },
    cancel: leave,
  });

  /** A client that reads nothing for so long is taken to be gone: the connection is closed. */
  function watch(controller: ReadableStreamDefaultController<Uint8Array>): void {
    clearTimeout(unread);
    unread = setTimeout(() => {
      leave();
      // An error would end up in the log of a Node server.
      if (breakOff !== null) breakOff();
      else controller.error(new Error("the reader of an event stream takes nothing"));
    }, limits.patience);
  }

  function lasts(): boolean {
    return !left && performance.now() < ends;
  }

  async function readNext(): Promise<{ readonly text: string; readonly last: boolean } | null> {
    while (lasts()) {
      const silent = Math.min(spoken + limits.heartbeat, ends) - performance.now();
      const events = silent > 0 ? await subscription.next(silent) : [];
      if (subscription.ended !== null) return { text: formatLast(subscription.ended), last: true };
      if (performance.now() - checked >= limits.heartbeat) {
        checked = performance.now();
        if (!(await lives())) return null;
      }
      if (events.length > 0 && !(await mayHear())) return null;
      if (events.length === 0 && performance.now() - spoken < limits.heartbeat) continue;
      spoken = performance.now();
      const text =
        events.length === 0
          ? formatEvent({ id: subscription.position })
          : events.map(toText).join("");
      return { text, last: false };
    }
    return null;
  }
}

/** Clients that know it come back at once; `EventSource` does so by itself, after `retry`. */
function formatLast(reason: string): string {
  const data = JSON.stringify({ reason, retryAfter: RETRY });
  return formatEvent({ retry: RETRY, event: "stream:end", data });
}

function toText({ number, trigger, body }: FeedEvent): string {
  return formatEvent({ id: number, event: trigger, data: body });
}
