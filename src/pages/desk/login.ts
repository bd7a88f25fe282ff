import type { ChatAgent } from "../../api/chat/answers.ts";
import type { Acts } from "./acts.ts";
import { ask, call } from "./api.ts";
import { FailedCall } from "../shared/failed-call.ts";
import type { DeskSession } from "./api.ts";
import { connect } from "./connection.ts";
import type { DeskConnection, ConnectionOptions } from "./connection.ts";
import { explain } from "./context.ts";
import type { Context } from "./context.ts";
import type { MessageOutbox } from "./outbox.ts";
import { saveSession, readSavedSession } from "./saved.ts";
import { START, withPerson } from "./state/state.ts";
import type { Desk } from "./state/state.ts";
import type { Store } from "./state/store.ts";
import type { Words } from "./words.ts";

/** The session of this tab, and the event stream that is open while it lasts. */
export interface SessionKeeper {
  readonly session: () => DeskSession | null;
  readonly begin: (session: DeskSession, stream: Stream) => void;
  readonly end: () => void;
  /** Ends a session that the service refused, and asks for a new login. */
  readonly expire: () => void;
  readonly hurry: () => void;
  /** Checks whether the service is still reachable. */
  readonly doubt: () => void;
}

/** The reactions to the stream's news. */
export type Stream = Pick<ConnectionOptions, "opened" | "event">;

export function createSessionKeeper(store: Store<Desk>): SessionKeeper {
  let session: DeskSession | null = null;
  let connection: DeskConnection | null = null;

  const end = (): void => {
    connection?.end();
    connection = null;
    session = null;
    saveSession(null);
  };
  const expire = (): void => {
    const inUse = store.get().listed;
    end();
    store.change((desk) => ({ ...desk, phase: inUse ? "expired" : "out", link: "joining" }));
  };
  const settle = (): void =>
    store.change((desk) => (desk.link === "regained" ? { ...desk, link: "live" } : desk));
  const begin = (next: DeskSession, { opened, event }: Stream): void => {
    session = next;
    saveSession(next);
    store.change((desk) => ({
      ...desk,
      phase: "in",
      app: next.appId,
      link: "joining",
      problem: null,
    }));
    connection?.end();
    connection = connect({
      open: (lastEventId, signal) =>
        call(next, "GET", "events", {
          signal,
          timeout: 0,
          ...(lastEventId !== "" && { headers: { "last-event-id": lastEventId } }),
        }),
      opened(resumed) {
        store.change((desk) =>
          desk.link === "joining" ? { ...desk, link: "live" } : withRegained(desk),
        );
        setTimeout(settle, regainedFor);
        opened(resumed);
      },
      lost: () => store.change((desk) => ({ ...desk, link: "lost" })),
      event,
      refused: expire,
    });
  };

  return {
    session: () => session,
    begin,
    end,
    expire,
    hurry: () => connection?.hurry(),
    doubt: () => connection?.doubt(),
  };
}

/** Milliseconds for which the desk says that the connection is back. */
const regainedFor = 5_000;

/** The problem goes too: without a connection, calls fail for that reason alone. */
function withRegained(desk: Desk): Desk {
  return desk.link === "lost" ? { ...desk, link: "regained", problem: null } : desk;
}

/** Logging in and out, in this tab and in the others of the same agent. */
export function createLoginActs(
  { session, begin, end }: SessionKeeper,
  { store, words }: Context,
  outbox: MessageOutbox,
  stream: Stream,
): Pick<Acts, "open" | "login" | "logout"> {
  // Another tab of the same agent: a login ends with its logout everywhere.
  const tabs = new BroadcastChannel("afterword-desk");
  tabs.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    const current = session();
    if (current === null || data !== `logout ${current.appId} ${current.agent}`) return;
    leave();
  });
  const leave = (): void => {
    end();
    location.hash = "#";
    store.change(() => ({ ...START, phase: "out" }));
  };

  return {
    open() {
      const saved = readSavedSession();
      if (saved === null) store.change((desk) => ({ ...desk, phase: "out" }));
      else begin(saved, stream);
    },
    async login({ appId, login, password }) {
      try {
        const body = { login, password };
        const answer = await ask<{ agent: ChatAgent; session: { token: string } }>(
          { appId },
          "POST",
          "agents/login",
          { body },
        );
        const { agent } = answer;
        const same = store.get().me === null || store.get().me?.id === agent.id;
        // Another agent begins with an empty desk, and sees nothing of the one before.
        if (!same) store.change(({ selected }) => ({ ...START, selected }));
        store.change((desk) => withPerson({ ...desk, me: agent }, agent));
        begin({ appId, agent: agent.id, token: answer.session.token }, stream);
        if (same) outbox.retryAll();
        return null;
      } catch (error) {
        return explainLogin(error, words());
      }
    },
    async logout() {
      const leavingAs = session();
      leave();
      if (leavingAs === null) return;
      tabs.postMessage(`logout ${leavingAs.appId} ${leavingAs.agent}`);
      const logout = ask(leavingAs, "POST", "agents/logout", { body: {} });
      await logout.catch(() => undefined);
    },
  };
}

/** Explains a refused login in words. The service's message tells which field was wrong. */
function explainLogin(error: unknown, words: Words): string {
  if (!(error instanceof FailedCall)) return explain(error, words);
  if (error.status === 401) {
    return /appId/i.test(error.message) ? words.unknownApp : words.wrongPassword;
  }
  const locked = error.status === 429 && /wrong passwords/i.test(error.message);
  return locked ? words.locked : explain(error, words);
}
