import type {
  Chat,
  ChatAgent,
  ChatCannedAnswer,
  ChatEvent,
  ChatNote,
  ChatRoom,
  ChatUser,
} from "../../api/chat/answers.ts";
import { FailedCall } from "../shared/failed-call.ts";
import type { Context } from "./context.ts";
import { patch, withChat, withHistory, withoutChat, withPerson } from "./state/state.ts";
import { concerns } from "./state/lists.ts";

/** Updates the desk's data from the service. */
export interface Sync {
  /** The agent, the rooms, and every chat with something to do. */
  readonly all: () => Promise<void>;
  /** This agent alone, with their current rights. */
  readonly me: () => Promise<void>;
  /** One chat. Concurrent calls share one read. */
  readonly chat: (id: string) => Promise<void>;
  /**
   * Notes that a chat has changed, so that a list which was requested before does not overwrite it.
   * `isMember`: this agent has joined (true) or left (false).
   */
  readonly noteChange: (id: string, isMember?: boolean) => void;
  readonly history: (id: string) => Promise<void>;
  readonly notes: (id: string) => Promise<void>;
  /** A person whose name is not known yet. */
  readonly person: (id: string) => Promise<void>;
  readonly colleagues: () => Promise<readonly ChatAgent[]>;
}

/** Concurrent calls. A browser opens six connections, and the event stream needs one. */
const maxConcurrent = 4;
const pageLength = 200;
const maxPages = 10;

export function createSync(context: Context): Sync {
  const { store, ask, session } = context;
  const person = createPersonReader(context);
  const chat = createChatReader(context, person);
  const history = (id: string): Promise<void> => readHistory(context, person, id);
  const reads = new Set<ChangedChats>();
  const noteChange = (id: string, isMember?: boolean): void => {
    for (const changed of reads) changed.set(id, isMember ?? changed.get(id));
    if (isMember !== undefined) chat.noteMember(id, isMember);
  };
  return {
    async all() {
      const changed: ChangedChats = new Map();
      reads.add(changed);
      try {
        await readAll(context, changed, { chat: chat.read, history, person });
      } finally {
        reads.delete(changed);
      }
    },
    async me() {
      const path = `agents/${encodeURIComponent(session()?.agent ?? "")}`;
      const { agent } = await ask<{ agent: ChatAgent }>("GET", path);
      store.change((desk) => ({ ...desk, me: agent }));
    },
    chat: chat.read,
    noteChange,
    history,
    notes: createNotesReader(context, person),
    person,
    async colleagues() {
      const { agents } = await ask<{ agents: ChatAgent[] }>("GET", `agents?length=${pageLength}`);
      store.change((desk) => agents.reduce(withPerson, desk));
      return agents.filter(({ id }) => id !== session()?.agent);
    },
  };
}

function createChatReader({ store, ask }: Context, person: Sync["person"]) {
  const running = new Map<string, Promise<void>>();
  const again = new Set<string>();
  /** Whether this agent is in a chat from now on: the next read of the chat does not tell. */
  const members = new Map<string, boolean>();

  const readChat = async (id: string): Promise<void> => {
    try {
      const { chat } = await ask<{ chat: Chat }>("GET", `chats/${encodeURIComponent(id)}`);
      store.change((desk) => {
        const next = withChat(desk, chat, members.get(id));
        members.delete(id);
        return concerns(next, chat.id) ? next : withoutChat(next, chat.id);
      });
      const named = [chat.creator, chat.agent, chat.invitation?.userId];
      await Promise.all(named.map((one) => person(one ?? "")));
    } catch (error) {
      if (!(error instanceof FailedCall && error.status === 404)) throw error;
      store.change((desk) => withoutChat(desk, id));
    }
  };

  const read = (id: string): Promise<void> => {
    const current = running.get(id);
    if (current !== undefined) {
      // An answer that is on its way may be older than the last event.
      again.add(id);
      return current;
    }
    const run = (async () => {
      try {
        do {
          again.delete(id);
          await readChat(id);
        } while (again.has(id));
      } finally {
        running.delete(id);
      }
    })();
    running.set(id, run);
    return run;
  };
  return { read, noteMember: (id: string, isMember: boolean) => void members.set(id, isMember) };
}

function createNotesReader({ store, ask }: Context, person: Sync["person"]): Sync["notes"] {
  const latest = new Map<string, symbol>();
  return async (id) => {
    const turn = Symbol(id);
    latest.set(id, turn);
    const path = `chats/${encodeURIComponent(id)}/notes`;
    const { notes } = await ask<{ notes: ChatNote[] }>("GET", path);
    // A late answer would remove a note that was added in the meantime.
    if (latest.get(id) !== turn) return;
    store.change((desk) => patch(desk, id, { notes }));
    await Promise.all(notes.map(({ author }) => person(author)));
  };
}

function createPersonReader({ store, ask }: Context): Sync["person"] {
  const people = new Map<string, Promise<void>>();
  const readPerson = async (id: string): Promise<void> => {
    try {
      const { user } = await ask<{ user: ChatUser }>("GET", `users/${encodeURIComponent(id)}`);
      store.change((desk) => withPerson(desk, user));
    } catch (error) {
      // A transcript may name a person whom the service does not know.
      if (!(error instanceof FailedCall && error.status === 404)) throw error;
    }
  };
  return (id) => {
    if (id === "" || id === "system" || id === "assistant" || store.get().people.has(id))
      return done;
    const pending = people.get(id) ?? readPerson(id).finally(() => people.delete(id));
    people.set(id, pending);
    return pending;
  };
}

async function readHistory(
  { store, ask }: Context,
  person: Sync["person"],
  id: string,
): Promise<void> {
  const { history: events } = await ask<{ history: ChatEvent[] }>(
    "GET",
    `chats/${encodeURIComponent(id)}/history`,
  );
  store.change((desk) => withHistory(desk, id, events));
  const known = store.get().chats.get(id)?.timeline.entries ?? [];
  const named = known.map((entry) =>
    entry.kind === "message" ? entry.message.sender : entry.person,
  );
  await runConcurrently([...new Set(named)], person);
}

async function listChats({ ask }: Context, status: string): Promise<readonly Chat[]> {
  const found: Chat[] = [];
  for (let page = 0; page < maxPages; page++) {
    const query = `status=${status}&length=${pageLength}&offset=${page * pageLength}`;
    const { chats, hasMore } = await ask<{ chats: Chat[]; hasMore: boolean }>(
      "GET",
      `chats?${query}`,
    );
    found.push(...chats);
    if (!hasMore) break;
  }
  return found;
}

/**
 * The chats that changed while lists are read, and whether this agent is in them; undefined if that
 * did not change.
 */
type ChangedChats = Map<string, boolean | undefined>;

async function readAll(
  context: Context,
  changed: ChangedChats,
  { chat, history, person }: Pick<Sync, "chat" | "history" | "person">,
): Promise<void> {
  const { store, ask, session } = context;
  const id = encodeURIComponent(session()?.agent ?? "");
  const [{ agent }, { rooms }, { settings }, { cannedAnswers }, waiting, active] =
    await Promise.all([
      ask<{ agent: ChatAgent }>("GET", `agents/${id}`),
      ask<{ rooms: ChatRoom[] }>("GET", "rooms"),
      ask<{ settings: { allowedMediaTypes?: readonly string[] } }>("GET", "settings"),
      ask<{ cannedAnswers: ChatCannedAnswer[] }>("GET", "canned-answers"),
      listChats(context, "waiting"),
      listChats(context, "active"),
    ]);
  const { selected: named } = store.get();
  // A link may name a chat that is in none of these lists.
  if (named !== null) await chat(named);
  const joined = new Set(agent.chats);
  const isMine = (one: string): boolean => changed.get(one) ?? joined.has(one);
  const due = [...waiting, ...active].filter(
    (one) =>
      isMine(one.id) ||
      one.agent === null ||
      one.unanswered === true ||
      one.invitation?.userId === agent.id,
  );
  const open = new Set(due.map((one) => one.id));
  store.change((desk) => {
    const next = due.reduce((kept, one) => withChat(kept, one, isMine(one.id)), desk);
    const fileTypes = settings.allowedMediaTypes ?? null;
    const lists = { rooms, cannedAnswers, fileTypes, listed: true };
    return withPerson({ ...next, ...lists, me: agent }, agent);
  });
  // Chats that are gone were closed, left or taken by another agent in the meantime.
  const stale = [...store.get().chats.values()].filter(
    (one) => (!open.has(one.chat.id) && !one.chat.closed) || changed.has(one.chat.id),
  );
  await runConcurrently(
    stale.map((one) => one.chat.id),
    async (one) => {
      await chat(one);
      const closed = store.get().chats.get(one)?.chat.closed === true;
      if (!closed) store.change((desk) => patch(desk, one, { mine: isMine(one) }));
    },
  );
  const own = due.map((one) => one.id).filter(isMine);
  const { selected } = store.get();
  await Promise.all([
    runConcurrently(
      selected === null || own.includes(selected) ? own : [selected, ...own],
      history,
    ),
    runConcurrently([...new Set(due.flatMap((one) => [one.creator, one.agent ?? ""]))], person),
  ]);
}

const done = Promise.resolve();

async function runConcurrently(
  ids: readonly string[],
  work: (id: string) => Promise<void>,
): Promise<void> {
  const left = [...ids];
  const runWorker = async (): Promise<void> => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) await work(id);
  };
  await Promise.all(Array.from({ length: maxConcurrent }, runWorker));
}
