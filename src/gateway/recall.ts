import type { InstanceConfig } from "../config/config.ts";
import {
  type ConversationMemory,
  type ConversationStore,
  nothingKnown,
  sessionTokenOf,
} from "../conversation/memory.ts";
import type { RawHeaders } from "./exchange.ts";
import { fieldOf } from "./headers.ts";
import type { Metrics } from "./metrics.ts";
import type { Platform } from "./platform.ts";

/** Reads and writes what is known of a conversation. Nothing here rejects: a store that fails is a conversation unknown. */
export interface Recall {
  /** Waits at most {@link patience}. Without a session, or on a miss, {@link nothingKnown}. */
  of(
    instance: InstanceConfig,
    headers: RawHeaders,
  ): ConversationMemory | Promise<ConversationMemory>;
  remember(
    instance: InstanceConfig,
    session: string,
    memory: ConversationMemory,
  ): void | Promise<void>;
}

/** How long a turn waits for the store, in milliseconds: a late answer is worse than one in the instance's language. */
export const patience = 50;

export function createRecall(
  store: ConversationStore,
  platform: Platform,
  metrics: Metrics,
): Recall {
  return {
    of(instance, headers) {
      const session = sessionTokenOf(fieldOf(headers, "x-inbenta-session"));
      if (session === null) return nothingKnown;
      return withKey(instance, session, (key) => {
        const found = attempt("read", () => store.get(key));
        return found instanceof Promise ? inTime(found) : (found ?? nothingKnown);
      });
    },
    remember(instance, session, memory) {
      return withKey(instance, session, (key) => {
        const done = attempt("write", () => store.put(key, memory));
        return done instanceof Promise ? inTime(done).then(() => undefined) : undefined;
      });
    },
  };

  // The key is a hash, so that a store that leaks gives no session away (design.md, Conversation memory).
  function withKey<Value>(
    instance: InstanceConfig,
    session: string,
    use: (key: string) => Value | Promise<Value>,
  ): Value | Promise<Value> {
    const key = platform.digest(`${instance.name}\n${session}`);
    return typeof key === "string" ? use(key) : key.then(use);
  }

  function attempt<Value>(
    doing: "read" | "write",
    work: () => Value | Promise<Value>,
  ): Value | Promise<Value | null> | null {
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

  async function inTime<Value>(work: Promise<Value | null>): Promise<Value | typeof nothingKnown> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(failed("wait")), patience);
    });
    const value = await Promise.race([work, late]);
    clearTimeout(timer);
    return value ?? nothingKnown;
  }
}
