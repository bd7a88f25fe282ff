import { type ConversationMemory, type ConversationStore, memoryLifetime } from "./memory.ts";

/**
 * Conversations in this process: at most `limit`, the one that was silent longest leaves first.
 *
 * @param now milliseconds, monotonic or not
 */
export function createMemoryStore(now: () => number, limit = 100_000): ConversationStore {
  const entries = new Map<string, Entry>();

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return null;
      entries.delete(key);
      if (entry.expires <= now()) return null;
      touch(key, entry);
      return entry.memory;
    },
    put(key, memory) {
      entries.delete(key);
      while (entries.size >= limit) {
        const oldest = entries.keys().next();
        if (oldest.done === true) break;
        entries.delete(oldest.value);
      }
      touch(key, { memory, expires: 0 });
    },
  };

  // A Map keeps the order of insertion, so that writing again makes an entry the youngest.
  function touch(key: string, entry: Entry): void {
    entry.expires = now() + memoryLifetime;
    entries.set(key, entry);
  }
}

interface Entry {
  readonly memory: ConversationMemory;
  expires: number;
}
