import type { Chat, ChatAgent, ChatNote, ChatTicket, ChatUser } from "../../api/chat/answers.ts";
import type { Acts } from "./acts.ts";
import { CallError, ask, call } from "./api.ts";
import type { Session } from "./api.ts";
import { connect } from "./connection.ts";
import type { Connection } from "./connection.ts";
import { createContext, explain } from "./context.ts";
import type { Context } from "./context.ts";
import { createEventHandler } from "./event-handler.ts";
import { createOutbox } from "./outbox.ts";
import { addressOf, chatInAddress, saveSession, savedSession } from "./saved.ts";
import { START, patch, withDraft, withPerson, withoutChat } from "./state.ts";
import type { Desk } from "./state.ts";
import type { Store } from "./store.ts";
import { createSync } from "./sync.ts";
import { unreadOf, withRead } from "./timeline.ts";
import type { Words } from "./words.ts";

export interface DeskParts {
  readonly store: Store<Desk>;
  readonly words: () => Words;
  readonly announce: Context["announce"];
}

export function createDesk({ store, words, announce }: DeskParts): Acts {
  let session: Session | null = null;
  let connection: Connection | null = null;
  const reading = new Set<string>();

  // Another tab of the same agent: a login ends with its logout everywhere.
  const tabs = new BroadcastChannel("afterword-desk");
  tabs.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (session === null || data !== `logout ${session.appId} ${session.agent}`) return;
    end();
    location.hash = "#";
    store.change(() => ({ ...START, phase: "out" }));
  });

  const end = (): void => {
    connection?.end();
    connection = null;
    session = null;
    saveSession(null);
  };
  const expired = (): void => {
    const inUse = store.get().listed;
    end();
    store.change((desk) => ({ ...desk, phase: inUse ? "expired" : "out", link: "joining" }));
  };
  const context = createContext({ store, words, announce, expired, session: () => session });
  const sync = createSync(context);
  const outbox = createOutbox(context);
  // Whether all that happened came in, so that a stream that resumes another is enough.
  let complete = false;
  const { handle, joined } = createEventHandler(context, sync, () => void (complete = false));

  const begin = (next: Session): void => {
    session = next;
    saveSession(next);
    store.change((desk) => ({ ...desk, phase: "in", link: "joining", problem: null }));
    connection?.end();
    connection = connect({
      open: (lastEventId, signal) =>
        call(next, "GET", "events", {
          signal,
          patience: 0,
          ...(lastEventId !== "" && { headers: { "last-event-id": lastEventId } }),
        }),
      opened(resumed) {
        store.change((desk) => (desk.link === "live" ? desk : { ...desk, link: "live" }));
        if (resumed && complete) return;
        complete = true;
        // After the stream is open, so that nothing happens unseen between the two.
        void context.attempt(() => sync.all()).then((read) => (complete &&= read));
      },
      lost: () => store.change((desk) => ({ ...desk, link: "lost" })),
      event: handle,
      refused: expired,
    });
  };

  const fetched = (chat: string): void => {
    quietly(sync.chat(chat));
    const me = session?.agent;
    if (me === undefined) return;
    const again = context.ask<{ agent: ChatAgent }>("GET", `agents/${encodeURIComponent(me)}`);
    quietly(again.then(({ agent }) => store.change((desk) => ({ ...desk, me: agent }))));
  };
  /** Does something to a chat, and looks at it again whatever came of it. */
  const act = async (chat: string, work: () => Promise<unknown>): Promise<boolean> => {
    store.change((desk) => (desk.notice === null ? desk : { ...desk, notice: null }));
    const worked = await context.attempt(work);
    fetched(chat);
    return worked;
  };
  const entering = (chat: string, work: () => Promise<unknown>): Promise<boolean> =>
    act(chat, async () => {
      await work();
      await joined(chat);
      location.hash = addressOf(chat);
    });
  const leaving = (chat: string, work: () => Promise<unknown>): Promise<boolean> =>
    act(chat, async () => {
      await work();
      store.change((desk) => patch(desk, chat, { mine: false }));
      if (store.get().selected === chat) location.hash = "#";
    });

  const look = (chat: string): void => {
    if (session === null || store.get().chats.get(chat)?.loaded === true) return;
    const load = async (): Promise<void> => {
      await sync.chat(chat);
      if (store.get().chats.has(chat)) await sync.history(chat);
    };
    quietly(load());
  };
  const readNotes = async (chat: string): Promise<void> => {
    const { notes } = await context.ask<{ notes: ChatNote[] }>("GET", `${path(chat)}/notes`);
    store.change((desk) => patch(desk, chat, { notes }));
    await Promise.all(notes.map(({ author }) => sync.person(author)));
  };
  const keepNote = async (chat: string, text: string): Promise<void> => {
    await context.ask("POST", `${path(chat)}/notes`, { body: { text } });
    store.change((desk) => withDraft(desk, `note ${chat}`, ""));
    await readNotes(chat);
  };

  return {
    outbox,
    open() {
      const saved = savedSession();
      if (saved === null) store.change((desk) => ({ ...desk, phase: "out" }));
      else begin(saved);
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
        begin({ appId, agent: agent.id, token: answer.session.token });
        if (same) outbox.retryAll();
        return null;
      } catch (error) {
        return loginProblem(error, words());
      }
    },
    async logout() {
      const leavingAs = session;
      end();
      location.hash = "#";
      store.change(() => ({ ...START, phase: "out" }));
      if (leavingAs === null) return;
      tabs.postMessage(`logout ${leavingAs.appId} ${leavingAs.agent}`);
      const said = ask(leavingAs, "POST", "agents/logout", { body: {} });
      await said.catch(() => undefined);
    },
    setStatus: (status) =>
      context.attempt(async () => {
        const me = encodeURIComponent(session?.agent ?? "");
        const { agent } = await context.ask<{ agent: ChatAgent }>("PUT", `agents/${me}`, {
          body: { status, ...(store.get().me?.online === false && { online: true }) },
        });
        store.change((desk) => ({ ...desk, me: agent }));
      }),
    select(chat) {
      store.change((desk) => (desk.selected === chat ? desk : { ...desk, selected: chat }));
      if (chat !== null) look(chat);
    },
    accept: (chat) =>
      entering(chat, () =>
        context.ask("POST", "invitations/accept", {
          body: { chatId: chat, userId: session?.agent },
        }),
      ),
    reject: (chat) =>
      act(chat, () =>
        context.ask("POST", "invitations/reject", {
          body: { chatId: chat, userId: session?.agent },
        }),
      ),
    take: (chat) =>
      entering(chat, () =>
        context.ask("POST", `${path(chat)}/join`, { body: { userId: session?.agent } }),
      ),
    leave: (chat) =>
      leaving(chat, () =>
        context.ask("PUT", `${path(chat)}/leave`, { body: { userId: session?.agent } }),
      ),
    giveBack: (chat) => leaving(chat, () => context.ask("POST", `${path(chat)}/toinbox`)),
    close: (chat, reason) =>
      act(chat, async () => {
        await context.ask("DELETE", path(chat), { body: { userId: session?.agent, reason } });
        await sync.chat(chat);
      }),
    async chatsOf(user) {
      const query = `userId=${encodeURIComponent(user)}&length=200`;
      const { chats } = await context.ask<{ chats: Chat[] }>("GET", `chats?${query}`);
      return chats.toReversed();
    },
    transfer: (chat, { kind, id }, note) =>
      (kind === "room" ? leaving : act)(chat, async () => {
        if (note.trim() !== "") await keepNote(chat, note);
        const [what, body] =
          kind === "room" ? ["toinbox", { room: id }] : ["transfer", { userId: id }];
        await context.ask("POST", `${path(chat)}/${what}`, { body });
      }),
    look,
    readNotes: (chat) => quietly(readNotes(chat)),
    addNote: (chat, text) => context.attempt(() => keepNote(chat, text)),
    draft: (name, text) => store.change((desk) => withDraft(desk, name, text)),
    putAway(chat) {
      store.change((desk) => withoutChat(desk, chat));
      if (chatInAddress() === chat) location.hash = "#";
    },
    colleagues: () => sync.colleagues(),
    async changeUser(id, change) {
      const { user } = await context.ask<{ user: ChatUser }>(
        "PUT",
        `users/${encodeURIComponent(id)}`,
        { body: change },
      );
      store.change((desk) => withPerson(desk, user));
    },
    read(chat) {
      const me = session?.agent;
      const known = store.get().chats.get(chat);
      if (me === undefined || known?.mine !== true) return;
      for (const { id } of unreadOf(known.timeline, me)) {
        if (reading.has(id)) continue;
        reading.add(id);
        const noted = context.ask("PUT", `messages/${encodeURIComponent(id)}/read`, {
          body: { userId: me },
        });
        const seen = noted.then(() =>
          store.change((desk) => {
            const timeline = desk.chats.get(chat)?.timeline;
            return timeline === undefined
              ? desk
              : patch(desk, chat, { timeline: withRead(timeline, id, me) });
          }),
        );
        quietly(seen.finally(() => reading.delete(id)));
      }
    },
    tickets: (filter) => context.ask("GET", `tickets?${new URLSearchParams(filter).toString()}`),
    async ticket(id) {
      const path = `tickets/${encodeURIComponent(id)}`;
      return (await context.ask<{ ticket: ChatTicket }>("GET", path)).ticket;
    },
    async download(address) {
      const current = session;
      if (current === null) throw new CallError(401, "");
      const response = await call(current, "GET", address.replace(/^\//, ""), {
        patience: 120_000,
      });
      return response.blob();
    },
    hurry: () => connection?.hurry(),
    forgetProblem: () => store.change((desk) => ({ ...desk, problem: null, notice: null })),
  };
}

function path(chat: string): string {
  return `chats/${encodeURIComponent(chat)}`;
}

/** For work whose failure the next event or the next connection makes good. */
function quietly(work: Promise<unknown>): void {
  void work.catch(() => undefined);
}

/** A refused login, in words: the service says by its message what was meant. */
function loginProblem(error: unknown, words: Words): string {
  if (!(error instanceof CallError)) return explain(error, words);
  if (error.status === 401) {
    return /appId/i.test(error.message) ? words.unknownApp : words.wrongPassword;
  }
  const locked = error.status === 429 && /wrong passwords/i.test(error.message);
  return locked ? words.locked : explain(error, words);
}
