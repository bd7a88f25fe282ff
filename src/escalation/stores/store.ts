import type { EscalationRecord, Intent } from "./record.ts";

/** Keeps escalation records. One suite tests all. After a rejection, the write is uncertain. */
export interface EscalationStore {
  get(key: string): Promise<EscalationRecord | null>;
  /** The record whose reader's stream has this id. */
  byEventId(eventId: string): Promise<EscalationRecord | null>;
  /**
   * Writes when the stored revision is `record.revision`, as `revision + 1` (0: when there is none,
   * or one that cannot be read). Durable when it resolves, where the store is durable; of a record
   * that is not open a power cut may take the last writes. Ends the lease that `due` gave. Of a
   * record that is too large the oldest lines leave, and are counted in `dropped`.
   *
   * @returns the written record, or null when another revision is stored
   * @throws RangeError for a record that is too large without lines
   */
  put(record: EscalationRecord): Promise<EscalationRecord | null>;
  delete(key: string): Promise<void>;
  /** Records with `wake` at or before `now`, each leased to one caller for `lease` ms. */
  due(now: number, limit: number, lease: number): Promise<readonly EscalationRecord[]>;
  /** Leases a name for `lease` ms from now on. False: another holder has it. */
  claim(name: string, by: string, lease: number): Promise<boolean>;
  release(name: string, by: string): Promise<void>;
  /** Records that {@link isOpen}, the latest first. */
  open(limit: number): Promise<readonly EscalationRecord[]>;
  /** Removes records that were last written before, unless {@link isPending}; how many. */
  sweep(before: number): Promise<number>;
}

/** True for what the operator sees: something goes on, or what came of a call is not settled. */
export function isOpen({ phase, intents }: EscalationRecord): boolean {
  return phase.name !== "bot" || intents.some(({ state }) => unsettled.has(state));
}

/** True if kept at any age, as a reader waits: not an offer, form, or doubt left to an operator. */
export function isPending({ phase, intents }: EscalationRecord): boolean {
  return busy.has(phase.name) || intents.some(({ state }) => underWay.has(state));
}

const busy: ReadonlySet<string> = new Set(["reaching", "waiting", "talking"]);
const underWay: ReadonlySet<Intent["state"]> = new Set(["planned", "sent"]);
const unsettled: ReadonlySet<Intent["state"]> = new Set(["planned", "sent", "unknown"]);
