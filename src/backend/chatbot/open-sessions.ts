import { createKeyedQueue } from "../../wait.ts";
import type { Credential } from "../auth/credentials.ts";
import { answerSessionExpired } from "../http/refusal.ts";
import type { HistoryItem, Session, SessionStore } from "../storage/types.ts";
import { keyOfHeader, SESSION_LIFETIME } from "./sessions.ts";

/** The result of a change of a session. */
export interface Changed {
  /** The same object that `work` received, if nothing has changed. */
  readonly session: Session;
  readonly history?: readonly HistoryItem[];
  readonly response: Response;
  /** True when something was sent, such as a form, so that the work must not be repeated. */
  readonly done?: boolean;
}

/** The request's session. Unknown, idle and other projects' sessions all answer as expired. */
export interface OpenSessions {
  read(
    request: Request,
    caller: Credential,
    work: (session: Session) => Promise<Response> | Response,
  ): Promise<Response>;
  /**
   * Like `read`, with one request at a time for a session. The returned session is stored, and its
   * lifetime begins again. If another process has changed the session in the meantime, `work` is
   * called again with the new state.
   */
  change(
    request: Request,
    caller: Credential,
    work: (session: Session) => Promise<Changed> | Changed,
  ): Promise<Response>;
}

export function openSessions(store: SessionStore, now: () => number): OpenSessions {
  const inTurn = createKeyedQueue();
  const find = async (key: string | null, caller: Credential): Promise<Session | null> => {
    const session = key === null ? null : await store.read(key, now());
    return session !== null && session.project === caller.project ? session : null;
  };

  return {
    async read(request, caller, work) {
      const session = await find(await keyOf(request), caller);
      return session === null ? answerSessionExpired() : work(session);
    },
    async change(request, caller, work) {
      const key = await keyOf(request);
      if (key === null) return answerSessionExpired();
      return inTurn(key, async () => {
        for (let tries = 1; ; tries++) {
          const session = await find(key, caller);
          if (session === null) return answerSessionExpired();
          const { session: next, history = [], response, done = false } = await work(session);
          const expires = now() + SESSION_LIFETIME;
          if (next === session && history.length === 0) {
            await store.prolong(key, expires);
            return response;
          }
          const kept = { ...next, expires };
          if (done || tries === maxTries) {
            await store.write(kept, history);
            return response;
          }
          if (await store.replace(kept, history)) return response;
        }
      });
    },
  };
}

// Readers send one message at a time. Conflicts arise only when a client repeats a request to
// another node.
const maxTries = 5;

function keyOf(request: Request): Promise<string | null> {
  return keyOfHeader(request.headers.get("x-inbenta-session"));
}
