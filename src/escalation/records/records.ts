import { LRUCache } from "lru-cache";
import { lostAfter, isSettled } from "./intents.ts";
import { chatOf, type EscalationRecord, createRecord } from "../stores/record.ts";
import { Superseded, untilSaved } from "./scope.ts";
import type { EscalationStore } from "../stores/store.ts";

/** Reads and writes escalation records. Everything rejects when the store fails. */
export interface Records {
  /** Reads the record of a conversation, or creates one that is not stored yet. */
  load(key: string, instance: string): Promise<EscalationRecord>;
  /** Writes the record, and notifies its subscribers. Rejects with Superseded. */
  save(record: EscalationRecord): Promise<EscalationRecord>;
  /** Changes what is stored, also while others write. `null`: writes nothing. */
  change(
    key: string,
    instance: string,
    changed: (record: EscalationRecord) => EscalationRecord | null,
  ): Promise<EscalationRecord>;
  /**
   * True when a person or form last had this conversation, as far as this process knows; used when
   * the store fails.
   */
  wasOurs(key: string): boolean;
  /**
   * Calls the subscriber with every record that this process wrote or read. Returns the function
   * that ends it.
   */
  subscribe(key: string, subscriber: Subscriber): () => void;
  publish(record: EscalationRecord): void;
  /**
   * Delays subscribers while a turn's answer delivers the news. Returns the function that ends the
   * delay.
   */
  hold(key: string): () => void;
}

type Subscriber = (record: EscalationRecord) => void;

/**
 * @param changed told of each record that was written, with what was known of it before; null where
 *   nothing was
 */
export function createRecords(
  store: EscalationStore,
  now: () => number,
  changed?: (before: EscalationRecord | null, after: EscalationRecord) => void,
): Records {
  const known = changed === undefined ? null : new LRUCache<string, EscalationRecord>(maxKnown);
  const ours = new Set<string>();
  const subscribers = new Map<string, Set<Subscriber>>();
  const held = new Map<string, { turns: number; latest: EscalationRecord | null }>();
  return {
    load,
    save,
    change: (key, instance, changed) =>
      untilSaved(async () => {
        const record = await load(key, instance);
        const next = changed(record);
        return next === null ? record : save(next);
      }),
    wasOurs: (key) => ours.has(key),
    subscribe(key, subscriber) {
      const all = subscribers.get(key) ?? new Set();
      subscribers.set(key, all.add(subscriber));
      return () => {
        all.delete(subscriber);
        if (all.size === 0 && subscribers.get(key) === all) subscribers.delete(key);
      };
    },
    publish,
    hold(key) {
      const hold = held.get(key) ?? { turns: 0, latest: null };
      hold.turns++;
      held.set(key, hold);
      return () => {
        hold.turns--;
        if (hold.turns > 0) return;
        held.delete(key);
        if (hold.latest !== null) publish(hold.latest);
      };
    },
  };

  async function load(key: string, instance: string): Promise<EscalationRecord> {
    const stored = await store.get(key);
    if (stored !== null) remember(stored);
    if (stored !== null) known?.set(key, stored);
    return stored ?? createRecord(key, instance, now());
  }

  async function save(record: EscalationRecord): Promise<EscalationRecord> {
    const at = now();
    const written = await store.put({ ...record, updated: at, wake: wakeOf(record, at) });
    if (written === null) throw new Superseded();
    changed?.(known?.get(record.key) ?? null, written);
    known?.set(record.key, written);
    remember(written);
    publish(written);
    return written;
  }

  function publish(record: EscalationRecord): void {
    const hold = held.get(record.key);
    if (hold !== undefined) {
      // A caller that read the record before the turn may only notify after the turn has written.
      if (record.revision >= (hold.latest?.revision ?? 0)) hold.latest = record;
    } else for (const subscriber of subscribers.get(record.key) ?? []) subscriber(record);
  }

  function remember({ key, phase: { name } }: EscalationRecord): void {
    ours.delete(key);
    if (name === "bot" || name === "offered") return;
    ours.add(key);
    // Drops the record that was used longest ago.
    for (const oldest of ours) {
      if (ours.size <= maxOurs) break;
      ours.delete(oldest);
    }
  }
}

const maxOurs = 10_000;
/** A record is loaded shortly before it is written. */
const maxKnown = { max: 1000 };

/** When a record is examined without a request, in milliseconds since the epoch, or null. */
function wakeOf(record: EscalationRecord, now: number): number | null {
  const due = record.intents.flatMap((intent) =>
    isSettled(intent) || intent.next === null ? [] : [intent.next],
  );
  // If a process ends during a step, another one continues it.
  if (record.phase.name === "reaching") due.push(now + lostAfter);
  if (chatOf(record) !== null) due.push(now + lookAgain);
  return due.length === 0 ? null : Math.min(...due);
}

/** How often an open chat is polled when no reader listens. */
const lookAgain = 15_000;
