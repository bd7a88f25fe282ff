import type { InstanceConfig } from "../config/config.ts";
import {
  type ConversationMemory,
  type ConversationStore,
  type Eventually,
  nothingKnown,
  sessionTokenOf,
} from "../conversation/memory.ts";
import type { RawHeaders } from "./exchange.ts";
import { fieldOf } from "./headers.ts";
import type { Metrics } from "./metrics.ts";
import type { Platform } from "./platform.ts";

/**
 * Reads and writes what is known of a conversation. Nothing here rejects, and nothing takes longer
 * than {@link patience}: a store that fails or is late is counted, and the turn goes on without it.
 */
export interface Recall {
  /** Without a session, or on a miss, {@link nothingKnown}. Null when the store did not say. */
  of(instance: InstanceConfig, headers: RawHeaders): Eventually<ConversationMemory | null>;
  remember(instance: InstanceConfig, session: string, memory: ConversationMemory): Eventually<void>;
  /**
   * Reads, changes and writes. When the read fails nothing is written: a conversation must not lose
   * its language because a store was late. Two nodes that change one conversation at the same
   * moment: the later one wins (docs/state.md). Without a session there is nothing to change.
   */
  change(
    instance: InstanceConfig,
    headers: RawHeaders,
    change: (memory: ConversationMemory) => ConversationMemory,
  ): Eventually<void>;
}

/**
 * How long a turn waits for the store, in milliseconds: a late answer is worse than one in the
 * instance's language.
 */
export const patience = 50;

export function createRecall(
  store: ConversationStore,
  platform: Platform,
  metrics: Metrics,
): Recall {
  const keyIn = createKeys(platform);

  return {
    of(instance, headers) {
      const key = keyIn(instance, headers);
      return key === null ? nothingKnown : inTime(after(key, read));
    },
    remember(instance, session, memory) {
      const key = keyFor(platform, instance, session);
      return done(inTime(after(key, (known) => write(known, memory))));
    },
    change(instance, headers, change) {
      const key = keyIn(instance, headers);
      if (key === null) return undefined;
      const work = (known: string) =>
        after(read(known), (memory) => (memory === null ? null : write(known, change(memory))));
      return done(inTime(after(key, work)));
    },
  };

  function read(key: string): Eventually<ConversationMemory | null> {
    return attempt("read", () => after(store.get(key), (memory) => memory ?? nothingKnown));
  }

  function write(key: string, memory: ConversationMemory): Eventually<true | null> {
    return attempt("write", () => after(store.put(key, memory), () => true as const));
  }

  function attempt<Value>(
    doing: "read" | "write",
    work: () => Eventually<Value>,
  ): Eventually<Value | null> {
    try {
      const value = work();
      return value instanceof Promise ? value.catch(() => failed(doing)) : value;
    } catch {
      return failed(doing);
    }
  }

  function failed(doing: "read" | "write" | "wait"): null {
    metrics.count("afterword_memory_failures_total", { doing });
    return null;
  }

  function inTime<Value>(work: Eventually<Value | null>): Eventually<Value | null> {
    return work instanceof Promise ? race(work) : work;
  }

  async function race<Value>(work: Promise<Value | null>): Promise<Value | null> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<null>((resolve) => {
      const giveUp = (): void => resolve(failed("wait"));
      // A process that was held up finds this timer due before it has looked at what came
      // meanwhile: that goes first.
      timer = setTimeout(() => (timer = setTimeout(giveUp)), patience);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** A hash, so that a store that leaks gives no session away (design.md, Conversation memory). */
function keyFor(platform: Platform, { name }: InstanceConfig, session: string): Eventually<string> {
  return platform.digest(`${name}\n${session}`);
}

/**
 * How many keys a generation has. What is given up has become old to the collector, so
 * conversations that come round again must be found: with fewer keys than conversations every turn
 * leaves its own to the next full collection.
 */
const mostKeys = 16_384;

/** Fields longer than this are hashed each time. Sessions have about 200 chars. */
const longestField = 1000;

interface Key {
  readonly instance: string;
  readonly key: string;
}

/**
 * The keys of the conversations that spoke last, by the field that names them, so that a turn costs
 * no hash: two generations, of which the older one is given up whole. Null for no session.
 */
function createKeys(
  platform: Platform,
): (instance: InstanceConfig, headers: RawHeaders) => Eventually<string> | null {
  let recent = new Map<string, Key>();
  let older = new Map<string, Key>();
  const keep = (instance: string, field: string, key: string): string => {
    if (field.length > longestField) return key;
    if (recent.size >= mostKeys) {
      older = recent;
      recent = new Map();
    }
    recent.set(field, { instance, key });
    return key;
  };
  return (instance, headers) => {
    const field = fieldOf(headers, "x-inbenta-session");
    if (field === null) return null;
    const { name } = instance;
    const young = recent.get(field);
    if (young?.instance === name) return young.key;
    const known = older.get(field);
    if (known?.instance === name) return keep(name, field, known.key);
    const session = sessionTokenOf(field);
    if (session === null) return null;
    return after(keyFor(platform, instance, session), (key) => keep(name, field, key));
  };
}

/** As `await`, without leaving the turn of the event loop when there is nothing to wait for. */
function after<Value, Next>(
  value: Eventually<Value>,
  use: (value: Value) => Eventually<Next>,
): Eventually<Next> {
  return value instanceof Promise ? value.then(use) : use(value);
}

function done(work: Eventually<unknown>): Eventually<void> {
  return after(work, () => undefined);
}
