import { chatOf } from "./stores/record.ts";
import type { EscalationStore } from "./stores/store.ts";

/** Conversations that agents still hold, of instances that no longer hand over. */
export interface HeldConversations {
  /** True if an instance has such conversations. Await `ready` first. */
  has(instance: string): boolean;
  /** Resolves when the conversations are known; null if they are. */
  ready(snapshot: object): Promise<void> | null;
  holds(key: string): boolean;
}

/** Reads the store once per snapshot, since their number only falls. Failures are retried. */
export function createHeldConversations(
  store: Pick<EscalationStore, "listOpen">,
  failed: (error: unknown) => void,
  now: () => number,
): HeldConversations {
  let known: object | null = null;
  let failedAt: number | null = null;
  let reading: Promise<void> | null = null;
  let held = new Map<string, string>();

  return {
    has: (instance) => [...held.values()].includes(instance),
    ready(snapshot) {
      if (known !== snapshot) {
        known = snapshot;
        reading = read().finally(() => {
          if (known === snapshot) reading = null;
        });
      } else if (failedAt !== null && reading === null && now() - failedAt >= retryDelay) {
        failedAt = now();
        void read();
      }
      return reading;
    },
    holds: (key) => held.has(key),
  };

  async function read(): Promise<void> {
    try {
      const open = await store.listOpen(limit);
      const talks = open.filter((record) => chatOf(record) !== null);
      held = new Map(talks.map(({ key, instance }) => [key, instance]));
      failedAt = null;
    } catch (error) {
      failedAt = now();
      failed(error);
    }
  }
}

const limit = 10_000;
/** Milliseconds between two attempts. */
const retryDelay = 5000;
