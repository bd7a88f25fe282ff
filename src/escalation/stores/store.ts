import type { EscalationRecord, Intent } from "./record.ts";

/** Keeps escalation records. A write that rejects may still have happened. One suite tests all stores. */
export interface EscalationStore {
  get(key: string): Promise<EscalationRecord | null>;
  /** Returns the record with this event id. */
  findByEventId(eventId: string): Promise<EscalationRecord | null>;
  /**
   * Writes the record as `revision + 1` if the stored one has `record.revision` (0: if there is none,
   * or an unreadable one). In a durable store the write survives a power cut once this resolves,
   * except for the last writes of a record that is not open. Ends the lease of `leaseDue`. If the record
   * is too large, its oldest lines are dropped and counted in `dropped`.
   *
   * @returns the written record, or null when another revision is stored
   * @throws RangeError for a record that is too large without lines
   */
  put(record: EscalationRecord): Promise<EscalationRecord | null>;
  delete(key: string): Promise<void>;
  /** Leases records with `wake` at or before `now` to this caller for `lease` ms, and returns them. */
  leaseDue(now: number, limit: number, lease: number): Promise<readonly EscalationRecord[]>;
  /** Leases a name for `lease` ms from now on. False if another holder has it. */
  claim(name: string, by: string, lease: number): Promise<boolean>;
  release(name: string, by: string): Promise<void>;
  /** Lists records for which {@link isOpen} is true, the latest first. */
  listOpen(limit: number): Promise<readonly EscalationRecord[]>;
  /** Removes records last written before `before`, unless {@link isPending}. Returns their number. */
  sweep(before: number): Promise<number>;
}

/** True for a record that operators see: an escalation is under way, or a call is not settled. */
export function isOpen({ phase, intents }: EscalationRecord): boolean {
  return phase.name !== "bot" || intents.some(({ state }) => unsettledStates.has(state));
}

/** True while a reader waits, so that the record is kept at any age. Offers and forms do not count. */
export function isPending({ phase, intents }: EscalationRecord): boolean {
  return pendingPhases.has(phase.name) || intents.some(({ state }) => pendingStates.has(state));
}

const pendingPhases: ReadonlySet<string> = new Set(["reaching", "waiting", "talking"]);
const pendingStates: ReadonlySet<Intent["state"]> = new Set(["planned", "sent"]);
const unsettledStates: ReadonlySet<Intent["state"]> = new Set(["planned", "sent", "unknown"]);
