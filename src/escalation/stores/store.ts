import type { EscalationRecord } from "../record.ts";

/**
 * Where escalation records are kept. One suite holds for every implementation. A store that fails
 * rejects; nothing it was given is then certain to be kept or lost. Records are texts to it: it may
 * encrypt them.
 */
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
   * @returns the written record, or null when somebody else wrote meanwhile
   * @throws RangeError for a record that is too large without lines
   */
  put(record: EscalationRecord): Promise<EscalationRecord | null>;
  delete(key: string): Promise<void>;
  /**
   * Up to `limit` records with `wake` at or before `now`, the longest due first, each given to one
   * asker for `lease` ms.
   */
  due(now: number, limit: number, lease: number): Promise<readonly EscalationRecord[]>;
  /**
   * Takes a name for `lease` ms, such as the right to make a conversation's calls; for one who has
   * it, from now on. False: somebody else has it.
   */
  claim(name: string, by: string, lease: number): Promise<boolean>;
  release(name: string, by: string): Promise<void>;
  /**
   * Records with a phase other than `bot`, or an intent that is planned, sent or unknown; the
   * latest first.
   */
  open(limit: number): Promise<readonly EscalationRecord[]>;
  /**
   * Removes records that were last written before (`updated`) and for which nobody waits: in phase
   * `bot`, `offered` or `identity`, with no intent that is planned or sent. Returns how many.
   */
  sweep(before: number): Promise<number>;
}
