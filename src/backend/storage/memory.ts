import { STORAGE_LIMITS } from "./types.ts";
import type { HistoryItem, Session, Storage, StorageLimits, TrackedEvent } from "./types.ts";

/** Storage that ends with the process. */
export function memoryStorage(limits: StorageLimits = STORAGE_LIMITS): Storage {
  // In the order of expiry: a session that is written moves to the end.
  const sessions = new Map<string, { session: Session; history: readonly HistoryItem[] }>();
  const events: TrackedEvent[] = [];

  return {
    sessions: {
      async create(session) {
        sessions.set(session.key, { session, history: [] });
        // Whatever has expired stands in front, so it goes first.
        for (const key of sessions.keys()) {
          if (sessions.size <= limits.sessions) break;
          sessions.delete(key);
        }
      },
      async read(key, now) {
        const kept = sessions.get(key);
        if (kept === undefined) return null;
        if (kept.session.expires > now) return kept.session;
        sessions.delete(key);
        return null;
      },
      async write(session, said) {
        const kept = sessions.get(session.key);
        if (kept === undefined) return;
        sessions.delete(session.key);
        const history = [...kept.history, ...said].slice(-limits.history);
        sessions.set(session.key, { session, history });
      },
      async history(key) {
        return sessions.get(key)?.history ?? [];
      },
    },
    events: {
      async append(event) {
        events.push(event);
        if (events.length > limits.events) events.shift();
      },
      async latest(limit) {
        return limit === 0 ? [] : events.slice(-limit);
      },
    },
    async close() {
      sessions.clear();
      events.length = 0;
    },
  };
}
