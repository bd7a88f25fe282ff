import type { EscalationRecord } from "./record.ts";
import { type EscalationStore, isOpen, isPending } from "./store.ts";
import { encodeRecord } from "./stored-record.ts";

export interface MemoryEscalationsOptions {
  /** Milliseconds, monotonic or not. */
  readonly now: () => number;
  /**
   * The most records. Beyond it, the one that is not pending and was written longest ago is
   * dropped. Default 100,000.
   */
  readonly limit?: number;
}

/**
 * Keeps escalation records in this process. A write rejects when the limit is reached with pending
 * ones.
 */
export function createMemoryEscalations({
  now,
  limit = 100_000,
}: MemoryEscalationsOptions): EscalationStore {
  // The longest unwritten first: a Map keeps the order of insertion.
  const records = new Map<string, EscalationRecord>();
  const byEvent = new Map<string, string>();
  const waking = new Map<string, number>();
  const leases = new Map<string, Lease>();

  return {
    get: async (key) => records.get(key) ?? null,
    findByEventId: async (eventId) => records.get(byEvent.get(eventId) ?? "") ?? null,
    async put(given) {
      const { key } = given;
      const before = records.get(key);
      if ((before?.revision ?? 0) !== given.revision) return null;
      const { record } = encodeRecord({ ...given, revision: given.revision + 1 });
      if (before === undefined) makeRoom();
      remove(key);
      records.set(key, record);
      if (record.eventId !== "") byEvent.set(record.eventId, key);
      if (record.wake !== null) waking.set(key, record.wake);
      return record;
    },
    async delete(key) {
      remove(key);
    },
    async leaseDue(at, most, lease) {
      const free = [...waking]
        .filter(([key, wake]) => wake <= at && isFree(leases.get(key), at))
        .toSorted(([, a], [, b]) => a - b)
        .slice(0, most);
      for (const [key] of free) leases.set(key, { from: at, until: at + lease });
      return free.flatMap(([key]) => records.get(key) ?? []);
    },
    ...createClaims(now),
    listOpen: async (most) =>
      [...records.values()]
        .filter(isOpen)
        .toSorted((a, b) => b.updated - a.updated)
        .slice(0, most),
    async sweep(before) {
      const old = [...records.values()].filter(
        (record) => record.updated < before && !isPending(record),
      );
      for (const { key } of old) remove(key);
      return old.length;
    },
  };

  function remove(key: string): void {
    const record = records.get(key);
    if (record !== undefined && byEvent.get(record.eventId) === key) byEvent.delete(record.eventId);
    records.delete(key);
    waking.delete(key);
    leases.delete(key);
  }

  function makeRoom(): void {
    if (records.size < limit) return;
    const idle = records.values().find((record) => !isPending(record));
    if (idle === undefined) throw new RangeError(`${limit} escalations are under way`);
    remove(idle.key);
  }
}

/** Names that one caller holds at a time, until released or past their lease. */
function createClaims(now: () => number): Pick<EscalationStore, "claim" | "release"> {
  // The oldest first: a Map keeps the order of insertion.
  const claims = new Map<string, Lease & { readonly by: string }>();

  return {
    async claim(name, by, lease) {
      const at = now();
      const held = claims.get(name);
      if (held !== undefined && held.by !== by && !isFree(held, at)) return false;
      claims.delete(name);
      forgetClaims(at);
      claims.set(name, { by, from: at, until: at + lease });
      return true;
    },
    async release(name, by) {
      if (claims.get(name)?.by === by) claims.delete(name);
    },
  };

  /** The oldest are in front. A few are examined with each new one. */
  function forgetClaims(at: number): void {
    for (const [name, held] of claims.entries().take(4)) {
      if (isFree(held, at)) claims.delete(name);
    }
  }
}

interface Lease {
  readonly from: number;
  readonly until: number;
}

/** A lease that begins in the future was given before the clock was set back. */
function isFree(lease: Lease | undefined, now: number): boolean {
  return lease === undefined || lease.until <= now || lease.from > now;
}
