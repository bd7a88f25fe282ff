import type { EscalationRecord } from "../../escalation/record.ts";
import { Superseded } from "../../escalation/scope.ts";
import type { EscalationStore } from "../../escalation/store.ts";
import { NO_COUNTS } from "../../escalation/triggers.ts";
import { wakeOf } from "../../escalation/wake.ts";

/** Reads and writes escalation records. Everything rejects when the store fails. */
export interface Records {
  /** The record of a conversation; a new one, not written yet, when there is none. */
  load(key: string, instance: string): Promise<EscalationRecord>;
  /** Writes it down and tells whoever listens. Rejects with Superseded when somebody else wrote meanwhile. */
  save(record: EscalationRecord): Promise<EscalationRecord>;
  /** Called with every record that this process wrote or looked at; gives back how to end it. */
  listen(key: string, heard: (record: EscalationRecord) => void): () => void;
  /** Tells the listeners of this process. */
  tell(record: EscalationRecord): void;
  /**
   * While a turn is under way its answer carries what there is to say: listeners are told when it is over. Gives back how to
   * end it.
   */
  hold(key: string): () => void;
  /** Conversations that somebody listens to. */
  listened(): readonly string[];
}

export function createRecords(store: EscalationStore, now: () => number): Records {
  const listeners = new Map<string, Set<(record: EscalationRecord) => void>>();
  const held = new Map<string, { count: number; latest: EscalationRecord | null }>();

  return {
    async load(key, instance) {
      return (await store.get(key)) ?? unwritten(key, instance, now());
    },
    async save(record) {
      const at = now();
      const written = await store.put({ ...record, updated: at, wake: wakeOf(record, at) });
      if (written === null) throw new Superseded();
      tell(written);
      return written;
    },
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
    listened: () => [...listeners.keys()],
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

function unwritten(key: string, instance: string, now: number): EscalationRecord {
  return {
    key,
    instance,
    revision: 0,
    epoch: 0,
    phase: { name: "bot", quietUntil: 0 },
    counts: NO_COUNTS,
    eventId: "",
    locale: "",
    channel: "",
    lines: [],
    dropped: 0,
    person: { name: "", email: "", id: "", consent: false },
    intents: [],
    sayings: [],
    lastSaying: 0,
    told: 0,
    toldBefore: 0,
    options: [],
    wake: null,
    created: now,
    updated: now,
  };
}
