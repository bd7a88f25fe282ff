import type { InstanceConfig } from "../../config/config.ts";
import type { EscalationStore } from "../../escalation/store.ts";
import type { Snapshot } from "../core.ts";

/**
 * Conversations that a person holds of instances that hand nobody over any more: what was begun is
 * brought to its end.
 */
export interface HeldConversations {
  /**
   * False: there are none of this instance, or it is not known yet, and `ready` tells when it is.
   */
  has(instance: InstanceConfig): boolean;
  /** Null: it is known. */
  ready(snapshot: Pick<Snapshot, "config">): Promise<void> | null;
  holds(key: string): boolean;
}

/**
 * Looks into the store once for each configuration: afterwards there are only fewer. Where that
 * fails it is tried again now and then, which no message waits for.
 */
export function createHeldConversations(
  store: Pick<EscalationStore, "open">,
  failed: (error: unknown) => void,
  now: () => number,
): HeldConversations {
  let known: Pick<Snapshot, "config"> | null = null;
  let failedAt: number | null = null;
  let looking: Promise<void> | null = null;
  let held = new Map<string, string>();

  return {
    has: ({ name }) => [...held.values()].includes(name),
    ready(snapshot) {
      if (known === snapshot) {
        if (failedAt !== null && looking === null && now() - failedAt >= pause) lookAgain();
        return looking;
      }
      known = snapshot;
      looking = look().finally(() => {
        if (known === snapshot) looking = null;
      });
      return looking;
    },
    holds: (key) => held.has(key),
  };

  /** Nobody waits for it: the next message finds what it found. */
  function lookAgain(): void {
    failedAt = now();
    void look();
  }

  async function look(): Promise<void> {
    try {
      const open = await store.open(most);
      const ours = open.filter(({ phase: { name } }) => name === "waiting" || name === "talking");
      held = new Map(ours.map(({ key, instance }) => [key, instance]));
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
