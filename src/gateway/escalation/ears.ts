import type { EscalationRecord } from "../../escalation/record.ts";

/** Who listens to conversations in this process. */
export interface Subscribers {
  /** Called with every record that this process wrote or looked at; gives back how to end it. */
  listen(key: string, heard: (record: EscalationRecord) => void): () => void;
  /** Tells the listeners of this process. */
  tell(record: EscalationRecord): void;
  /**
   * While a turn is under way its answer carries what there is to say: listeners are told when it
   * is over. Gives back how to end it.
   */
  hold(key: string): () => void;
}

export function createSubscribers(): Subscribers {
  const listeners = new Map<string, Set<(record: EscalationRecord) => void>>();
  const held = new Map<string, { count: number; latest: EscalationRecord | null }>();

  return {
    listen(key, heard) {
      const all = listeners.get(key) ?? new Set();
      listeners.set(key, all.add(heard));
      return () => {
        all.delete(heard);
        if (all.size === 0 && listeners.get(key) === all) listeners.delete(key);
      };
    },
    tell,
    hold(key) {
      const hold = held.get(key) ?? { count: 0, latest: null };
      hold.count++;
      held.set(key, hold);
      return () => {
        hold.count--;
        if (hold.count > 0) return;
        held.delete(key);
        if (hold.latest !== null) tell(hold.latest);
      };
    },
  };

  function tell(record: EscalationRecord): void {
    const hold = held.get(record.key);
    if (hold !== undefined) {
      hold.latest = record;
      return;
    }
    for (const heard of listeners.get(record.key) ?? []) heard(record);
  }
}
