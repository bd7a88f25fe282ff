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
  /** A new record, not written yet. */
  fresh(key: string, instance: string): EscalationRecord;
  /** Changes what is stored, whoever else writes at the same time. `null`: nothing is to be written. */
  change(
    key: string,
    instance: string,
    changed: (record: EscalationRecord) => EscalationRecord | null,
  ): Promise<EscalationRecord>;
  /** True when this process has seen last that a person or a form of ours has this conversation. For a store that fails. */
  isOurs(key: string): boolean;
  /** Conversations that somebody listens to. */
  listened(): readonly string[];
}

export function createRecords(store: EscalationStore, now: () => number): Records {
  const listeners = new Map<string, Set<(record: EscalationRecord) => void>>();
  const held = new Map<string, { count: number; latest: EscalationRecord | null }>();
  const ours = new Set<string>();
  const load = async (key: string, instance: string): Promise<EscalationRecord> => {
    const stored = await store.get(key);
    if (stored !== null) remember(stored);
    return stored ?? unwritten(key, instance, now());
  };
  const save = async (record: EscalationRecord): Promise<EscalationRecord> => {
    const at = now();
    const written = await store.put({ ...record, updated: at, wake: wakeOf(record, at) });
    if (written === null) throw new Superseded();
    remember(written);
    tell(written);
    return written;
  };

  return {
    load,
    save,
    fresh: (key, instance) => unwritten(key, instance, now()),
    async change(key, instance, changed) {
      for (let attempt = 0; ; attempt++) {
        const record = await load(key, instance);
        const next = changed(record);
        if (next === null) return record;
        try {
          return await save(next);
        } catch (error) {
          if (!(error instanceof Superseded) || attempt >= mostAttempts) throw error;
        }
      }
    },
    isOurs: (key) => ours.has(key),
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

  function remember({ key, phase: { name } }: EscalationRecord): void {
    ours.delete(key);
    if (name === "bot" || name === "offered") return;
    ours.add(key);
    // The one that was looked at longest ago leaves.
    for (const oldest of ours) {
      if (ours.size <= mostOurs) break;
      ours.delete(oldest);
    }
  }

  function tell(record: EscalationRecord): void {
    const hold = held.get(record.key);
    if (hold !== undefined) {
      hold.latest = record;
      return;
    }
    for (const heard of listeners.get(record.key) ?? []) heard(record);
  }
}

const mostAttempts = 8;
const mostOurs = 10_000;

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
