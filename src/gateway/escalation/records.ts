import type { EscalationRecord } from "../../escalation/record.ts";
import { Superseded } from "../../escalation/scope.ts";
import type { EscalationStore } from "../../escalation/store.ts";
import { NO_COUNTS } from "../../escalation/triggers.ts";
import { wakeOf } from "../../escalation/wake.ts";
import type { Subscribers } from "./ears.ts";

/** Reads and writes escalation records. Everything rejects when the store fails. */
export interface Records extends Subscribers {
  /** The record of a conversation; a new one, not written yet, when there is none. */
  load(key: string, instance: string): Promise<EscalationRecord>;
  /**
   * Writes it down and tells whoever listens. Rejects with Superseded when somebody else wrote
   * meanwhile.
   */
  save(record: EscalationRecord): Promise<EscalationRecord>;
  /** A new record, not written yet. */
  fresh(key: string, instance: string): EscalationRecord;
  /**
   * Changes what is stored, whoever else writes at the same time. `null`: nothing is to be written.
   */
  change(
    key: string,
    instance: string,
    changed: (record: EscalationRecord) => EscalationRecord | null,
  ): Promise<EscalationRecord>;
  /**
   * True when this process has seen last that a person or a form of ours has this conversation. For
   * a store that fails.
   */
  isOurs(key: string): boolean;
}

/** @param ears absent: nobody listens here */
export function createRecords(
  store: EscalationStore,
  now: () => number,
  ears: Subscribers = { listen: () => nothing, tell: nothing, hold: () => nothing },
): Records {
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
    ears.tell(written);
    return written;
  };

  return {
    ...ears,
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
}

function nothing(): void {}

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
    messages: [],
    lastMessage: 0,
    delivered: 0,
    deliveredBefore: 0,
    options: [],
    wake: null,
    created: now,
    updated: now,
  };
}
