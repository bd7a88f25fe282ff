import type { RawHeaders } from "../../http/types.ts";
import type { InstanceConfig } from "../../config/config.ts";
import {
  type ConversationMemory,
  type ConversationStore,
  type MaybePromise,
  emptyMemory,
} from "../../conversation/memory.ts";
import { sessionOf } from "../exchange/headers.ts";
import type { Metrics } from "../exchange/metrics.ts";
import type { Platform } from "../exchange/platform.ts";

/**
 * Reads and changes the memory of conversations. Its calls never reject, and take at most
 * {@link patience}. A failure is counted, and the turn goes on.
 */
export interface Recall {
  /** Reads the memory. {@link emptyMemory} without a session or an entry; null if the store failed. */
  of(instance: InstanceConfig, headers: RawHeaders): MaybePromise<ConversationMemory | null>;
  remember(instance: InstanceConfig, session: string, memory: ConversationMemory): Promise<void>;
  /**
   * Reads, changes and writes the memory. If the read fails, nothing is written, so that a
   * conversation does not lose its language because a store was late. If two processes change one
   * conversation at the same moment, the later write wins (docs/state.md). Without a session, nothing
   * is done.
   */
  change(
    instance: InstanceConfig,
    headers: RawHeaders,
    change: (memory: ConversationMemory) => ConversationMemory,
  ): Promise<void>;
}

/** Milliseconds that a turn waits for the store. */
export const patience = 50;

export function createRecall(
  store: ConversationStore,
  platform: Platform,
  metrics: Metrics,
): Recall {
  return {
    of(instance, headers) {
      const session = sessionOf(headers);
      if (session === null) return emptyMemory;
      const key = keyOf(instance, session);
      const memory = key instanceof Promise ? key.then(read) : read(key);
      return memory instanceof Promise ? waitInTime(memory) : memory;
    },
    async remember(instance, session, memory) {
      const key = await keyOf(instance, session);
      await waitInTime(write(key, memory));
    },
    async change(instance, headers, change) {
      const session = sessionOf(headers);
      if (session === null) return;
      const key = await keyOf(instance, session);
      const readAndWrite = async (): Promise<void> => {
        const memory = await read(key);
        if (memory !== null) await write(key, change(memory));
      };
      await waitInTime(readAndWrite());
    },
  };

  /** Hashes the key if it leaves this process, so that a leaking store reveals no session. */
  function keyOf({ name }: InstanceConfig, session: string): MaybePromise<string> {
    const key = `${name}\n${session}`;
    return store.inProcess === true ? key : platform.digest(key);
  }

  function read(key: string): MaybePromise<ConversationMemory | null> {
    try {
      const found = store.get(key);
      if (!(found instanceof Promise)) return found ?? emptyMemory;
      return found.then(
        (memory) => memory ?? emptyMemory,
        () => countFailure("read"),
      );
    } catch {
      return countFailure("read");
    }
  }

  async function write(key: string, memory: ConversationMemory): Promise<void> {
    try {
      await store.put(key, memory);
    } catch {
      countFailure("write");
    }
  }

  function countFailure(step: "read" | "write" | "wait"): null {
    metrics.count("afterword_memory_failures_total", step);
    return null;
  }

  async function waitInTime<Value>(work: Promise<Value>): Promise<Value | null> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<null>((resolve) => {
      const giveUp = (): void => resolve(countFailure("wait"));
      // If the process was delayed, this timer fires before the answers that arrived meanwhile are
      // read. The second timer lets them go first.
      timer = setTimeout(() => (timer = setTimeout(giveUp)), patience);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
