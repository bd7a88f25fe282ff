import { limitTime } from "../../wait.ts";
import type { EscalationStore } from "./store.ts";

/** Wraps a store so that its calls reject when they take longer than `limit` milliseconds. */
export function withDeadline(store: EscalationStore, limit: number): EscalationStore {
  const limitStoreTime = <Value>(doing: string, work: Promise<Value>): Promise<Value> =>
    limitTime(limit, work, () => {
      throw new Error(`the state store did not answer within ${limit} ms (${doing})`);
    });
  return {
    get: (key) => limitStoreTime("get", store.get(key)),
    findByEventId: (eventId) => limitStoreTime("findByEventId", store.findByEventId(eventId)),
    put: (record) => limitStoreTime("put", store.put(record)),
    delete: (key) => limitStoreTime("delete", store.delete(key)),
    leaseDue: (now, limitOfDue, lease) =>
      limitStoreTime("leaseDue", store.leaseDue(now, limitOfDue, lease)),
    claim: (name, by, lease) => limitStoreTime("claim", store.claim(name, by, lease)),
    release: (name, by) => limitStoreTime("release", store.release(name, by)),
    listOpen: (most) => limitStoreTime("listOpen", store.listOpen(most)),
    sweep: (before) => limitStoreTime("sweep", store.sweep(before)),
  };
}

/** Milliseconds: long for a disk or a network, short for a reader. */
export const storePatience = 3000;
