import type { EscalationRows, NewRow, Row } from "../../escalation/stores/rows.ts";
import type { ObjectNamespace } from "./platform.ts";

/** The remote interface of an object that stores one record, or pointers to others. */
export interface EscalationStub {
  /** @param event null, or the digest of the event id that it must have */
  record(event: string | null): StoredRow | null | Promise<StoredRow | null>;
  putRecord(row: NewRow, expected: number): boolean | Promise<boolean>;
  deleteRecord(): void | Promise<void>;
  claim(name: string, by: string, lease: number): boolean | Promise<boolean>;
  release(name: string, by: string): void | Promise<void>;
  point(key: string, updated: number): void | Promise<void>;
  unpoint(key: string): void | Promise<void>;
  pointers(limit: number): readonly string[] | Promise<readonly string[]>;
}

/** The columns of an object beside its row. */
export interface StoredRow extends Row {
  readonly open: boolean;
  readonly updated: number;
}

/** Names the object that points from the digest of an event id to the conversation. */
export function toEventObject(event: string): string {
  return `event:${event}`;
}

/** The name of the object with pointers to open records. */
export const openObject = "open";

/**
 * Escalation rows in Durable Objects, one for each conversation. Each object's own alarm handles it
 * when it is due or too old, so `leaseDue` and `sweep` find nothing here.
 *
 * @param of finds the object of a conversation's key, or of one of the names above
 */
export function createObjectRows(of: (name: string) => EscalationStub): EscalationRows {
  return {
    get: async (key) => of(key).record(null),
    async findByEvent(event) {
      const [key] = await of(toEventObject(event)).pointers(1);
      // A pointer may be out of date for a moment, so the record's own event decides.
      return key === undefined ? null : of(key).record(event);
    },
    put: async (row, expected) => of(row.key).putRecord(row, expected),
    async delete(key) {
      await of(key).deleteRecord();
    },
    leaseDue: async () => [],
    async listOpen(limit) {
      const keys = limit < 1 ? [] : await of(openObject).pointers(limit);
      const rows = await Promise.all(keys.map(async (key) => of(key).record(null)));
      return rows
        .filter((row) => row !== null)
        .filter(({ open }) => open)
        .toSorted((a, b) => b.updated - a.updated);
    },
    sweep: async () => 0,
    claim: async (name, by, lease) => of(toClaimedName(name)).claim(name, by, lease),
    async release(name, by) {
      await of(toClaimedName(name)).release(name, by);
    },
  };
}

/** Finds stubs in the worker's namespace. */
export function objectsIn<Stub>(namespace: ObjectNamespace<Stub>): (name: string) => Stub {
  return (name) => namespace.get(namespace.idFromName(name));
}

/** `attend:<key>` is kept where the record is. */
function toClaimedName(name: string): string {
  return name.replace(/^attend:/, "");
}
