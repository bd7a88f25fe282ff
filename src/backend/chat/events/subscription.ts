import { createWakeablePause } from "../../../wait.ts";
import type { FeedEvent, FeedPage } from "./feed-events.ts";

/** The events of one stream, at the pace of its reader. */
export interface Subscription {
  /** The number of the last event that was returned, or after which the stream began. */
  readonly position: number;
  /** The reason why no more events will follow, or null. */
  readonly ended: "restart" | null;
  /** Returns the next events, in order, each once; none if none arrive within `milliseconds`. */
  next(milliseconds: number): Promise<readonly FeedEvent[]>;
  close(): void;
}

/** A subscription as the feed sees it. */
export interface Listener extends Subscription {
  /** Queues an event, or drops it if the queue is full; it is then read from the database. */
  push(event: FeedEvent): void;
  /** Called if events could not be pushed: the next ones are read from the database. */
  lose(): void;
  end(): void;
}

export interface Source {
  /** Returns the number up to which all events have been pushed. */
  position(): number;
  /** Reads the events of this stream from the database. */
  read(from: number, upTo: number, limit: number): Promise<FeedPage>;
  closed(): void;
}

/**
 * The most events that wait in memory for one stream. Slower readers get them from the database.
 */
const maxWaiting = 500;
const maxBytes = 1_048_576;
/** The most events that are returned at once. */
const portion = 100;

/** @param after begins behind this number */
export function createListener(source: Source, after: number): Listener {
  let from = after;
  // Null if the next events are read from the database.
  let queue: FeedEvent[] | null = after >= source.position() ? [] : null;
  let bytes = 0;
  let ended: Subscription["ended"] = null;
  let closed = false;
  const { pause, wake } = createWakeablePause();

  return {
    get position() {
      return from;
    },
    get ended() {
      return ended;
    },
    push(event) {
      if (queue === null || event.number <= from) return;
      bytes += event.body.length;
      if (queue.length < maxWaiting && bytes < maxBytes) queue.push(event);
      else forget();
      wake();
    },
    lose() {
      forget();
      wake();
    },
    end() {
      ended = "restart";
      wake();
    },
    async next(milliseconds) {
      if (queue !== null && queue.length === 0 && !isOver()) await pause(milliseconds);
      while (queue === null && !isOver()) {
        const read = await catchUp();
        if (read.length > 0) return read;
      }
      if (isOver() || queue === null) return [];
      // Events that were not pushed by now were not for this stream.
      if (queue.length === 0) from = Math.max(from, source.position());
      return takePortion(queue);
    },
    close() {
      if (closed) return;
      closed = true;
      forget();
      wake();
      source.closed();
    },
  };

  function forget(): void {
    queue = null;
    bytes = 0;
  }

  function isOver(): boolean {
    return closed || ended !== null;
  }

  function takePortion(waiting: FeedEvent[]): readonly FeedEvent[] {
    const events = waiting.splice(0, portion);
    bytes = waiting.reduce((sum, { body }) => sum + body.length, 0);
    from = events.at(-1)?.number ?? from;
    return events;
  }

  async function catchUp(): Promise<readonly FeedEvent[]> {
    const upTo = source.position();
    const { events, complete } = await source.read(from, upTo, portion);
    from = complete ? Math.max(from, upTo) : (events.at(-1)?.number ?? from);
    // No event was pushed in between, so none is missed or repeated.
    if (complete && source.position() <= from && !closed) queue = [];
    return events;
  }
}
