import { limitTime } from "../../wait.ts";
import type { EscalationStore } from "./store.ts";

/** The store, whose calls reject when they take longer than `limit` milliseconds. */
export function withDeadline(store: EscalationStore, limit: number): EscalationStore {
  const inTime = <Value>(doing: string, work: Promise<Value>): Promise<Value> =>
    limitTime(limit, work, () => {
      throw new Error(`the state store did not answer within ${limit} ms (${doing})`);
    });
  return {
    get: (key) => inTime("get", store.get(key)),
    byEventId: (eventId) => inTime("byEventId", store.byEventId(eventId)),
    put: (record) => inTime("put", store.put(record)),
    delete: (key) => inTime("delete", store.delete(key)),
    due: (now, limitOfDue, lease) => inTime("due", store.due(now, limitOfDue, lease)),
    claim: (name, by, lease) => inTime("claim", store.claim(name, by, lease)),
    release: (name, by) => inTime("release", store.release(name, by)),
    open: (most) => inTime("open", store.open(most)),
    sweep: (before) => inTime("sweep", store.sweep(before)),
  };
}

/** Long for a disk or a network, short for a reader. Milliseconds. */
export const storePatience = 3000;
