import type { InstanceConfig } from "../../config/config.ts";
import type { EscalationStore } from "../../escalation/store.ts";
import type { Snapshot } from "../core.ts";

/** Conversations that a person holds of instances that hand nobody over any more: what was begun is brought to its end. */
export interface Leftovers {
  /** False: there are none of this instance, or it is not known yet, and `ready` tells when it is. */
  has(instance: InstanceConfig): boolean;
  /** Null: it is known. */
  ready(snapshot: Snapshot): Promise<void> | null;
  holds(key: string): boolean;
}

/** Looks into the store once for each configuration: afterwards there are only fewer. */
export function createLeftovers(
  store: EscalationStore,
  failed: (error: unknown) => void,
): Leftovers {
  let known: Snapshot | null = null;
  let looking: Promise<void> | null = null;
  let held = new Map<string, string>();

  return {
    has: ({ name }) => [...held.values()].includes(name),
    ready(snapshot) {
      if (known === snapshot) return looking;
      known = snapshot;
      looking = look().finally(() => {
        if (known === snapshot) looking = null;
      });
      return looking;
    },
    holds: (key) => held.has(key),
  };

  async function look(): Promise<void> {
    try {
      const open = await store.open(most);
      const ours = open.filter(({ phase: { name } }) => name === "waiting" || name === "talking");
      held = new Map(ours.map(({ key, instance }) => [key, instance]));
    } catch (error) {
      failed(error);
    }
  }
}

const most = 10_000;
