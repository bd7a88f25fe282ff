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
    byEventId: (eventId) => limitStoreTime("byEventId", store.byEventId(eventId)),
    put: (record) => limitStoreTime("put", store.put(record)),
    delete: (key) => limitStoreTime("delete", store.delete(key)),
    due: (now, limitOfDue, lease) => limitStoreTime("due", store.due(now, limitOfDue, lease)),
    claim: (name, by, lease) => limitStoreTime("claim", store.claim(name, by, lease)),
    release: (name, by) => limitStoreTime("release", store.release(name, by)),
    open: (most) => limitStoreTime("open", store.open(most)),
    sweep: (before) => limitStoreTime("sweep", store.sweep(before)),
  };
}

/** Milliseconds: long for a disk or a network, short for a reader. */
export const storePatience = 3000;
