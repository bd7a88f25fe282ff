import { LRUCache } from "lru-cache";
import { type ConversationMemory, type ConversationStore, memoryLifetime } from "./memory.ts";

/**
 * Conversations in this process: at most `limit`, the one that was silent longest leaves first.
 *
 * @param now milliseconds, monotonic or not
 */
export function createMemoryStore(now: () => number, limit = 100_000): ConversationStore {
  // With `max` the room for all of them would be taken at once, which takes 10 ms.
  const entries = new LRUCache<string, Entry>({ maxSize: limit, sizeCalculation: () => 1 });

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return null;
      const time = now();
      if (entry.expires <= time) {
        entries.delete(key);
        return null;
      }
      entry.expires = time + memoryLifetime;
      return entry.memory;
    },
    put(key, memory) {
      entries.set(key, { memory, expires: now() + memoryLifetime });
    },
  };
}

interface Entry {
  readonly memory: ConversationMemory;
  expires: number;
}
