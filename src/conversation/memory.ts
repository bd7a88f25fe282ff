import { LRUCache } from "lru-cache";

/**
 * The facts of a conversation's start that later turns need: plain data, so any store can keep it.
 */
export interface ConversationMemory {
  readonly lang: string | null;
  readonly env: string | null;
  readonly userType: string | null;
  readonly source: string | null;
  /** Listed variables, by lower-case name. */
  readonly variables: { readonly [name: string]: string };
  /**
   * The engine's texts, each with the one that the reader saw instead, in order. Kept with
   * `history: shown`.
   */
  readonly shown: readonly (readonly [original: string, shown: string])[];
}

/** A value, or a promise of one when the store is not in this process. */
export type MaybePromise<Value> = Value | Promise<Value>;

/**
 * Memories by key. Each use renews the 30 minutes. A failing store rejects, and callers continue
 * without it.
 */
export interface ConversationStore {
  /** True if keys stay in this process, so that the session in them need not be hashed. */
  readonly inProcess?: true;
  get(key: string): MaybePromise<ConversationMemory | null>;
  put(key: string, memory: ConversationMemory): MaybePromise<void>;
}

/** The memory of a conversation of which nothing is known. */
export const emptyMemory: ConversationMemory = Object.freeze({
  lang: null,
  env: null,
  userType: null,
  source: null,
  variables: Object.freeze({}),
  shown: Object.freeze([]),
});

/** Milliseconds for which a conversation is remembered after its last turn. */
export const memoryLifetime: number = 30 * 60_000;

/** The session token without the header value's `Bearer ` prefix. */
export function sessionTokenOf(headerValue: string | null): string | null {
  if (headerValue === null) return null;
  const token = headerValue.startsWith("Bearer ")
    ? headerValue.slice("Bearer ".length).trim()
    : headerValue.replace(/^bearer\s+/i, "").trim();
  return token === "" ? null : token;
}

/**
 * Keeps at most `limit` conversations in this process, and drops the one that was silent longest.
 *
 * @param now milliseconds, monotonic or not
 */
export function createMemoryStore(now: () => number, limit = 100_000): ConversationStore {
  // With `max` the cache would allocate all entries at once, which takes 10 ms.
  const entries = new LRUCache<string, Entry>({ maxSize: limit, sizeCalculation: () => 1 });

  return {
    inProcess: true,
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
