import { hashSha256Hex } from "../../json/bytes.ts";
import type { EscalationRecord } from "./record.ts";
import { type EscalationStore, isOpen, isPending } from "./store.ts";
import type { EscalationRows, NewRow, Row } from "./rows.ts";
import type { Sealing } from "./sealing.ts";
import { decodeRecord, encodeRecord } from "./stored-record.ts";

export interface StoredOptions {
  readonly rows: EscalationRows;
  readonly sealing: Sealing;
  /** Called for every stored record that cannot be read, which counts as missing. */
  readonly damaged: () => void;
}

/** Stores records as text, encrypted if there is a key, under digests of their event ids. */
export function createStoredEscalations({
  rows,
  sealing,
  damaged,
}: StoredOptions): EscalationStore {
  return {
    get: async (key) => recordOf(await rows.get(key)),
    findByEventId: async (eventId) =>
      eventId === "" ? null : recordOf(await rows.findByEvent(await hashSha256Hex(eventId))),
    async put(record) {
      const written = await writeRecord(record, record.revision);
      if (await rows.put(written.row, record.revision)) return written.record;
      if (record.revision !== 0) return null;
      // A record that cannot be read must not keep a new one out for ever.
      const there = await rows.get(record.key);
      if (there === null || (await read(there)) !== null) return null;
      const anew = await writeRecord(record, there.revision);
      return (await rows.put(anew.row, there.revision)) ? anew.record : null;
    },
    delete: (key) => rows.delete(key),
    async leaseDue(now, limit, lease) {
      const found: EscalationRecord[] = [];
      // Records that cannot be read are leased too, and others are asked for in their place.
      for (let round = 0; round < maxRounds && found.length < limit; round++) {
        const batchSize = limit - found.length;
        const batch = await rows.leaseDue(now, batchSize, lease);
        found.push(...(await recordsOf(batch)));
        if (batch.length < batchSize) break;
      }
      return found;
    },
    claim: (name, by, lease) => rows.claim(name, by, lease),
    release: (name, by) => rows.release(name, by),
    listOpen: async (limit) => recordsOf(await rows.listOpen(limit)),
    sweep: (before) => rows.sweep(before),
  };

  async function writeRecord(
    record: EscalationRecord,
    on: number,
  ): Promise<{ readonly record: EscalationRecord; readonly row: NewRow }> {
    const { record: next, text } = encodeRecord({ ...record, revision: on + 1 });
    const { key, revision, eventId, wake, updated } = next;
    const value = await sealing.seal(text, describeKey(key));
    const event = eventId === "" ? "" : await hashSha256Hex(eventId);
    const standing = { open: isOpen(next), pending: isPending(next) };
    return { record: next, row: { key, revision, value, event, wake, updated, ...standing } };
  }

  async function read(row: Row): Promise<EscalationRecord | null> {
    const text = await sealing.open(row.value, describeKey(row.key));
    const record = text === null ? null : decodeRecord(text);
    return record?.key === row.key && record.revision === row.revision ? record : null;
  }

  async function recordOf(row: Row | null): Promise<EscalationRecord | null> {
    if (row === null) return null;
    const record = await read(row);
    if (record === null) damaged();
    return record;
  }

  async function recordsOf(list: readonly Row[]): Promise<readonly EscalationRecord[]> {
    const records = await Promise.all(list.map(recordOf));
    return records.filter((record) => record !== null);
  }
}

const maxRounds = 20;

/** A sealed text can only be opened under the key that it was stored under. */
function describeKey(key: string): string {
  return `escalation ${key}`;
}
