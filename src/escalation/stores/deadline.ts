import type { EscalationStore } from "./store.ts";

/** The store, whose calls reject when they take longer than `limit` milliseconds. */
export function withDeadline(store: EscalationStore, limit: number): EscalationStore {
  const within = <Value>(doing: string, work: Promise<Value>): Promise<Value> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`the state store did not answer within ${limit} ms (${doing})`));
      }, limit);
      work.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  return {
    get: (key) => within("get", store.get(key)),
    byEventId: (eventId) => within("byEventId", store.byEventId(eventId)),
    put: (record) => within("put", store.put(record)),
    delete: (key) => within("delete", store.delete(key)),
    due: (now, limitOfDue, lease) => within("due", store.due(now, limitOfDue, lease)),
    claim: (name, by, lease) => within("claim", store.claim(name, by, lease)),
    release: (name, by) => within("release", store.release(name, by)),
    open: (most) => within("open", store.open(most)),
    sweep: (before) => within("sweep", store.sweep(before)),
  };
}

/** Long for a disk or a network, short for a reader. Milliseconds. */
export const storePatience = 3000;
