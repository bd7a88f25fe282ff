import type { BackendDatabase } from "../../storage/tables/database.ts";
import { createWakeablePause } from "../../../wait.ts";
import { audienceOf } from "./audience.ts";
import { readNewest, readSelected } from "./feed-events.ts";
import type { FeedEvent, EventSelection } from "./feed-events.ts";
import { noteStream } from "../agents/presence.ts";
import { openFrontier } from "./feed-frontier.ts";
import type { Frontier } from "./feed-frontier.ts";
import { createListener } from "./subscription.ts";
import type { Listener, Subscription } from "./subscription.ts";

/** The events of all chats and tickets of a database. The log is read once for all streams. */
export interface ChatFeed {
  /** The number of open streams. */
  readonly count: number;
  /** The number of open streams of this person, or of this app's server. */
  countOf(selection: EventSelection): number;
  /**
   * Opens a stream of all events after `after`, or of future events. It delivers each event once
   * and skips none. Null if the process is about to end.
   */
  open(selection: EventSelection, after: number | null): Promise<Subscription | null>;
  /**
   * Reads events now, after this process has committed some. Events of other processes are read
   * within {@link FeedOptions.every}.
   */
  wake(): void;
  /** Ends every stream, and asks each client to connect again. */
  end(): void;
  /** Ends every stream, and resolves when the database is no longer in use. */
  close(): Promise<void>;
}

export interface FeedOptions {
  readonly database: BackendDatabase;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds between two reads of events of other processes. Default 100. */
  readonly every?: number | undefined;
  /** Called for reads that failed; reading goes on all the same. */
  readonly report?: ((error: unknown) => void) | undefined;
}

/** Events read at once. */
const eventsPerRead = 500;
/** Least milliseconds between two reads, and the wait for a transaction that is about to end. */
const minPause = 20;

export function createFeed({ database, now, every = 100, report }: FeedOptions): ChatFeed {
  const { kysely } = database;
  const listeners = createListeners();
  let count = 0;
  let ending = false;
  const pump = createPump({
    database,
    listeners,
    every,
    isNeeded: () => count > 0 && !ending,
    report,
  });

  return {
    get count() {
      return count;
    },
    countOf: (selection) => listeners.countOf(selection),
    async open(selection, after) {
      if (ending) return null;
      // The stream is counted first, because the frontier might end before it has begun.
      count += 1;
      try {
        await pump.start();
        await noteAgent(selection);
        // After a restored backup, an id may be ahead of the log and would hide events until the
        // numbers catch up.
        const from = after === null ? pump.position() : Math.min(after, await readNewest(kysely));
        if (!ending) return listen(selection, from);
      } catch (error) {
        count -= 1;
        throw error;
      }
      count -= 1;
      return null;
    },
    wake: () => pump.wake(),
    end,
    async close() {
      end();
      for (const one of listeners.all()) one.close();
      await pump.ended();
    },
  };

  function listen(selection: EventSelection, from: number): Listener {
    const listener = createListener(
      {
        position: () => pump.position(),
        read: (...range) => readSelected(kysely, selection, ...range),
        closed() {
          count -= 1;
          // The database may be closed while the process ends. The last recorded presence then stays.
          noteAgent(selection).catch((error: unknown) => (ending ? undefined : report?.(error)));
          listeners.remove(selection, listener);
          pump.look();
        },
      },
      from,
    );
    listeners.add(selection, listener);
    return listener;
  }

  async function noteAgent({ person }: EventSelection): Promise<void> {
    if (person?.kind === "agent") await noteStream(kysely, person.id, now());
  }

  function end(): void {
    ending = true;
    for (const one of listeners.all()) one.end();
    pump.look();
  }
}

/** The open streams, by person or app. */
function createListeners() {
  const byKey = new Map<string, Set<Listener>>();
  return {
    countOf: (selection: EventSelection): number => byKey.get(keyOf(selection))?.size ?? 0,
    add(selection: EventSelection, listener: Listener): void {
      const key = keyOf(selection);
      byKey.set(key, (byKey.get(key) ?? new Set()).add(listener));
    },
    remove(selection: EventSelection, listener: Listener): void {
      const key = keyOf(selection);
      const all = byKey.get(key);
      all?.delete(listener);
      if (all?.size === 0) byKey.delete(key);
    },
    *all(): Generator<Listener> {
      for (const some of byKey.values()) yield* some;
    },
    hasPeople: (): boolean => [...byKey.keys()].some((key) => key.startsWith("person ")),
    /** The streams of these people, and of the event's app unless the event is about a ticket. */
    *of({ app, chat }: FeedEvent, people: Iterable<string>): Generator<Listener> {
      if (chat !== null) yield* byKey.get(`app ${app}`) ?? [];
      for (const person of people) yield* byKey.get(`person ${person}`) ?? [];
    },
  };
}

function keyOf({ app, person }: EventSelection): string {
  return person === null ? `app ${app}` : `person ${person.id}`;
}

interface PumpOptions extends Pick<FeedOptions, "database" | "report"> {
  readonly listeners: ReturnType<typeof createListeners>;
  readonly every: number;
  /** False when no stream is open, or the process ends. */
  readonly isNeeded: () => boolean;
}

/** Reads the log for as long as it is needed, and pushes its events to their listeners. */
function createPump({ database, listeners, every, isNeeded, report }: PumpOptions) {
  const { kysely } = database;
  const { pause, wake } = createWakeablePause();
  let begun: Promise<Frontier> | null = null;
  let frontier: Frontier | null = null;
  // The number of the last pushed event: the frontier may be ahead of it while audiences are looked
  // up.
  let pushed = 0;
  let running: Promise<void> = Promise.resolve();
  let isWoken = false;
  let isIdle = false;

  return {
    position: () => pushed,
    ended: () => running,
    /** Makes the next read come at once. */
    wake(): void {
      isWoken = true;
      if (isIdle) wake();
    },
    /** Ends the wait if the pump is no longer needed. */
    look(): void {
      if (!isNeeded()) wake();
    },
    /** The frontier is kept while there are streams. */
    async start(): Promise<void> {
      if (frontier !== null) return;
      begun ??= running.then(() => openFrontier(database));
      try {
        const opened = await begun;
        if (frontier !== null) return;
        frontier = opened;
        pushed = opened.position;
        running = run(opened);
      } finally {
        begun = null;
      }
    },
  };

  async function run(reader: Frontier): Promise<void> {
    while (isNeeded()) {
      isWoken = false;
      let rest = every;
      try {
        const { events, more } = await reader.next(eventsPerRead);
        await push(events);
        pushed = Math.max(pushed, reader.position);
        if (more !== "no") rest = more === "ready" ? 0 : minPause;
      } catch (error) {
        report?.(error);
        // Each stream now reads the missing events itself.
        for (const one of listeners.all()) one.lose();
        pushed = reader.position;
      }
      if (rest > 0) await pause(minPause);
      if (rest > minPause) await waitIdle(rest - minPause);
    }
    frontier = null;
  }

  async function waitIdle(milliseconds: number): Promise<void> {
    if (isWoken || !isNeeded()) return;
    isIdle = true;
    await pause(milliseconds);
    isIdle = false;
  }

  async function push(events: readonly FeedEvent[]): Promise<void> {
    if (events.length === 0) return;
    // For all people, listening or not: one may join during the query.
    const audience = listeners.hasPeople() ? await audienceOf(kysely, events) : null;
    for (const event of events) {
      for (const one of listeners.of(event, audience?.(event) ?? [])) one.push(event);
      pushed = event.number;
    }
  }
}
