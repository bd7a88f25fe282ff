import type { BackendDatabase } from "../../storage/tables/database.ts";
import { audienceOf } from "./audience.ts";
import { newest, readWanted } from "./feed-events.ts";
import type { FeedEvent, EventSelection } from "./feed-events.ts";
import { noteStream } from "../agents/presence.ts";
import { openFrontier } from "./feed-frontier.ts";
import type { Frontier } from "./feed-frontier.ts";
import { createListener } from "./subscription.ts";
import type { Listener, Subscription } from "./subscription.ts";

/** What happens in all chats of a database. The log is read once for all streams. */
export interface ChatFeed {
  /** Streams that are open. */
  readonly count: number;
  /** How many of them belong to this person, or to this app's server. */
  countOf(wanted: EventSelection): number;
  /**
   * Begins behind the event `after`, or with what happens from now on; each event once, none
   * skipped. Null: the process is about to end.
   */
  open(wanted: EventSelection, after: number | null): Promise<Subscription | null>;
  /**
   * This process committed something: it is read at once, others' within {@link FeedOptions.every}.
   */
  wake(): void;
  /** Ends every stream, and asks each client to connect again. */
  end(): void;
  /** Ends every stream, and resolves when nothing is asked of the database any more. */
  close(): Promise<void>;
}

export interface FeedOptions {
  readonly database: BackendDatabase;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds between two looks at what other processes have done. Default 100. */
  readonly every?: number;
  /** Called for reads that failed; the next one comes all the same. Default: nothing happens. */
  readonly report?: (error: unknown) => void;
}

/** Events read at once. */
const batch = 500;
/** Milliseconds between two looks, and while something waits for a transaction to end. */
const gathering = 20;

export function createFeed({ database, now, every = 100, report }: FeedOptions): ChatFeed {
  const { kysely } = database;
  const listeners = new Map<string, Set<Listener>>();
  let count = 0;
  let ending = false;
  let begun: Promise<Frontier> | null = null;
  let frontier: Frontier | null = null;
  // What has been pushed: the frontier may be ahead of it while audiences are looked up.
  let pushed = 0;
  let running: Promise<void> = Promise.resolve();
  let woken = false;
  let wake: (() => void) | null = null;

  return {
    get count() {
      return count;
    },
    countOf: (wanted) => listeners.get(keyOf(wanted))?.size ?? 0,
    async open(wanted, after) {
      if (ending) return null;
      // Counted first: otherwise the frontier might end before this stream has begun.
      count += 1;
      try {
        await started();
        await noteAgent(wanted);
        // An id from before a restored backup would hide all until the numbers catch up.
        const from = after === null ? pushed : Math.min(after, await newest(kysely));
        if (!ending) return listen(wanted, from);
      } catch (error) {
        count -= 1;
        throw error;
      }
      count -= 1;
      return null;
    },
    wake() {
      woken = true;
      wake?.();
    },
    end,
    async close() {
      end();
      for (const all of listeners.values()) for (const one of all) one.close();
      await running;
    },
  };

  function listen(wanted: EventSelection, from: number): Listener {
    const key = keyOf(wanted);
    const listener = createListener(
      {
        position: () => pushed,
        read: (...range) => readWanted(kysely, wanted, ...range),
        closed() {
          count -= 1;
          // While the process ends its database may be closed: then the last note holds.
          noteAgent(wanted).catch((error: unknown) => (ending ? undefined : report?.(error)));
          const all = listeners.get(key);
          all?.delete(listener);
          if (all?.size === 0) listeners.delete(key);
          if (count === 0) wake?.();
        },
      },
      from,
    );
    const all = listeners.get(key);
    if (all === undefined) listeners.set(key, new Set([listener]));
    else all.add(listener);
    return listener;
  }

  async function noteAgent({ person }: EventSelection): Promise<void> {
    if (person?.kind === "agent") await noteStream(kysely, person.id, now());
  }

  function end(): void {
    ending = true;
    for (const all of listeners.values()) for (const one of all) one.end();
    wake?.();
  }

  /** The frontier is kept while there are streams. */
  async function started(): Promise<void> {
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
  }

  async function run(reader: Frontier): Promise<void> {
    while (goesOn()) {
      woken = false;
      let pause = every;
      try {
        const { events, more } = await reader.next(batch);
        await push(events);
        pushed = Math.max(pushed, reader.position);
        if (more !== "no") pause = more === "ready" ? 0 : gathering;
      } catch (error) {
        report?.(error);
        // Each stream reads for itself what could not be pushed.
        for (const all of listeners.values()) for (const one of all) one.lose();
        pushed = reader.position;
      }
      if (pause > 0) await sleep(gathering, false);
      if (pause > gathering) await sleep(pause - gathering, true);
    }
    frontier = null;
  }

  async function push(events: readonly FeedEvent[]): Promise<void> {
    if (events.length === 0) return;
    // For all people, listening or not: one may join during the query.
    const people = [...listeners.keys()].some((key) => key.startsWith("person "));
    const audience = people ? await audienceOf(kysely, events) : null;
    for (const event of events) {
      for (const one of listeners.get(`app ${event.app}`) ?? []) one.push(event);
      for (const person of audience?.(event) ?? []) {
        for (const one of listeners.get(`person ${person}`) ?? []) one.push(event);
      }
      pushed = event.number;
    }
  }

  function goesOn(): boolean {
    return count > 0 && !ending;
  }

  /** Until the time has passed, or something happens. */
  function sleep(milliseconds: number, wakes: boolean): Promise<void> {
    if (wakes && woken) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        wake = null;
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      wake = () => {
        if (wakes || ending || count === 0) done();
      };
    });
  }
}

function keyOf({ app, person }: EventSelection): string {
  return person === null ? `app ${app}` : `person ${person.id}`;
}
