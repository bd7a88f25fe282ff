import { readEvents } from "../call/server-sent.ts";
import { isCallError } from "../call/call-error.ts";
import { isObject, parseJson } from "../../json/values.ts";
import { pause } from "../../wait.ts";
import { trustAnswer } from "../call/read.ts";
import type { CallOptions } from "../call/caller.ts";
import type { ChatDelivery } from "./answers.ts";

/** An event of a stream. */
export interface ChatStreamEvent extends ChatDelivery {
  /** As `after`, this id makes a later stream continue after this event. */
  readonly id: string;
}

export interface EventsOptions extends CallOptions {
  /** Id of the event after which to begin. Default: only new events. */
  readonly after?: string;
}

/** Milliseconds of silence until reconnecting. The service sends something every 15 seconds. */
const maxSilence = 45_000;
/** Milliseconds before reconnecting, unless the stream names a value. */
const usualWait = 2_000;
/** The longest of these waits after failures, in milliseconds. */
const maxWait = 10_000;

/** Opens a stream of the events after one of them; null means only new ones. */
export type OpenEvents = (after: string | null, signal: AbortSignal) => Promise<Response>;

/** Yields each event once, in order, over as many connections as it takes. */
export async function* openChatEvents(
  open: OpenEvents,
  { after, signal }: EventsOptions,
): AsyncGenerator<ChatStreamEvent, void, undefined> {
  let last = after ?? null;
  let wait = usualWait;
  let failures = 0;
  const isStopped = (): boolean => signal?.aborted === true;
  while (!isStopped()) {
    const connection = new AbortController();
    const stop = (): void => connection.abort();
    signal?.addEventListener("abort", stop, { once: true });
    let timer = setTimeout(stop, maxSilence);
    try {
      const response = await open(last, connection.signal);
      const { body } = response;
      if (body === null) return;
      for await (const { event, data, id, retry } of readEvents(body)) {
        clearTimeout(timer);
        timer = setTimeout(stop, maxSilence);
        failures = 0;
        wait = retry ?? wait;
        if (data !== "" && event !== "stream:end") {
          // An unreadable event is skipped, because each new connection would begin with it again.
          const delivery = parseJson(data);
          if (isObject(delivery)) yield trustAnswer<ChatStreamEvent>({ id, ...delivery });
        }
        if (id !== "") last = id;
      }
    } catch (error) {
      if (isStopped()) return;
      if (isCallError(error) && !isTemporary(error.code)) throw error;
      failures += 1;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      // Leaving the loop closes the connection too.
      connection.abort();
    }
    const delay = failures === 0 ? wait : Math.min(maxWait, wait * 2 ** (failures - 1));
    await pause(delay, signal);
  }
}

function isTemporary(code: string): boolean {
  return /^call-(?:unreachable|timeout|failed|rate-limited)$/.test(code);
}
