import { chatOf } from "./stores/record.ts";
import type { EscalationStore } from "./stores/store.ts";

/** Conversations that a person still holds although their instance does not hand over any more. */
export interface HeldConversations {
  /** Whether there are some of this instance. `ready` says when it is known. */
  has(instance: string): boolean;
  /** Null: it is known. */
  ready(snapshot: object): Promise<void> | null;
  holds(key: string): boolean;
}

/** Looks into the store once per snapshot: the number only falls. Failures retry at intervals. */
export function createHeldConversations(
  store: Pick<EscalationStore, "open">,
  failed: (error: unknown) => void,
  now: () => number,
): HeldConversations {
  let known: object | null = null;
  let failedAt: number | null = null;
  let looking: Promise<void> | null = null;
  let held = new Map<string, string>();

  return {
    has: (instance) => [...held.values()].includes(instance),
    ready(snapshot) {
      if (known !== snapshot) {
        known = snapshot;
        looking = look().finally(() => {
          if (known === snapshot) looking = null;
        });
      } else if (failedAt !== null && looking === null && now() - failedAt >= pause) {
        failedAt = now();
        void look();
      }
      return looking;
    },
    holds: (key) => held.has(key),
  };

  async function look(): Promise<void> {
    try {
      const open = await store.open(most);
      const talks = open.filter((record) => chatOf(record) !== null);
      held = new Map(talks.map(({ key, instance }) => [key, instance]));
      failedAt = null;
    } catch (error) {
      failedAt = now();
      failed(error);
    }
  }
}

const most = 10_000;
/** Between two tries, in milliseconds. */
const pause = 5000;
