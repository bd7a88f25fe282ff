import type { Chat } from "../../api/chat/answers.ts";
import type { Acts } from "./acts.ts";
import type { Context } from "./context.ts";
import { addressOf } from "./saved.ts";
import { patch, withDraft } from "./state/state.ts";
import type { Sync } from "./sync.ts";
import { unreadOf, withRead } from "./state/timeline.ts";

type Moves = "accept" | "reject" | "take" | "leave" | "giveBack" | "close" | "transfer";

/**
 * Creates the acts that move a chat from one agent to another, or end it.
 *
 * @param readJoinedChat called after this agent has joined a chat
 */
export function createChatMoves(
  context: Context,
  sync: Sync,
  readJoinedChat: (chat: string) => Promise<void>,
): Pick<Acts, Moves> {
  const { store, ask, session } = context;

  const act = createActRunner(context, sync);
  const enter = (
    kind: "accept" | "take",
    chat: string,
    work: () => Promise<unknown>,
  ): Promise<boolean> =>
    act(kind, chat, async () => {
      await work();
      await readJoinedChat(chat);
      location.hash = addressOf(chat);
    });
  const leave = (
    kind: "leave" | "giveBack" | "transfer",
    chat: string,
    work: () => Promise<unknown>,
  ): Promise<boolean> =>
    act(kind, chat, async () => {
      await work();
      sync.noteChange(chat, false);
      store.change((desk) => patch(desk, chat, { mine: false }));
      if (store.get().selected === chat) location.hash = "#";
    });
  const readUserId = (): string | undefined => session()?.agent;
  /** The notes of hand-overs that failed after their note was kept, by chat. */
  const keptNotes = new Map<string, string>();

  return {
    accept: (chat) =>
      enter("accept", chat, () =>
        ask("POST", "invitations/accept", { body: { chatId: chat, userId: readUserId() } }),
      ),
    reject: (chat) =>
      act("reject", chat, () =>
        ask("POST", "invitations/reject", { body: { chatId: chat, userId: readUserId() } }),
      ),
    take: (chat) =>
      enter("take", chat, () =>
        ask("POST", `${pathOf(chat)}/join`, { body: { userId: readUserId() } }),
      ),
    leave: (chat) =>
      leave("leave", chat, () =>
        ask("PUT", `${pathOf(chat)}/leave`, { body: { userId: readUserId() } }),
      ),
    giveBack: (chat) => leave("giveBack", chat, () => ask("POST", `${pathOf(chat)}/toinbox`)),
    close: (chat, reason) =>
      act("close", chat, async () => {
        await ask("DELETE", pathOf(chat), { body: { userId: readUserId(), reason } });
        await sync.chat(chat);
      }),
    transfer: (chat, { kind, id }, note) =>
      (kind === "room" ? leave : act)("transfer", chat, async () => {
        if (note.trim() !== "" && keptNotes.get(chat) !== note) {
          await keepNote(context, sync, chat, note);
          keptNotes.set(chat, note);
        }
        const [what, body] =
          kind === "room" ? ["toinbox", { room: id }] : ["transfer", { userId: id }];
        await ask("POST", `${pathOf(chat)}/${what}`, { body });
        keptNotes.delete(chat);
      }),
  };
}

/**
 * Creates the function that runs an act on a chat and reads the chat again afterwards, also after a
 * failure. The second click of a double click does nothing. Another act waits for the answer to the
 * one before, which would otherwise overwrite its result on the page.
 */
function createActRunner(context: Context, sync: Sync) {
  const { store, session } = context;
  /** The last act on each chat that is not answered yet. */
  const unanswered = new Map<string, { readonly kind: Moves; readonly done: Promise<boolean> }>();
  return (kind: Moves, chat: string, work: () => Promise<unknown>): Promise<boolean> => {
    const before = unanswered.get(chat);
    if (before?.kind === kind) return Promise.resolve(false);
    const run = async (): Promise<boolean> => {
      await before?.done;
      store.change((desk) => (desk.notice === null ? desk : { ...desk, notice: null }));
      const worked = await context.attempt(work);
      if (unanswered.get(chat) === current) unanswered.delete(chat);
      runQuietly(sync.chat(chat));
      if (session() !== null) runQuietly(sync.me());
      return worked;
    };
    const current = { kind, done: run() };
    unanswered.set(chat, current);
    return current.done;
  };
}

type Reads = "chatsOf" | "look" | "read" | "readNotes" | "readPerson" | "addNote" | "find";

/** Creates the acts that read chats and their notes. */
export function createChatReading(context: Context, sync: Sync): Pick<Acts, Reads> {
  const { store, ask, session } = context;
  const marking = new Set<string>();
  return {
    async chatsOf(user) {
      const query = `userId=${encodeURIComponent(user)}&length=200`;
      const { chats } = await ask<{ chats: Chat[] }>("GET", `chats?${query}`);
      return chats.toReversed();
    },
    look(chat) {
      if (session() === null || store.get().chats.get(chat)?.loaded === true) return;
      const load = async (): Promise<void> => {
        await sync.chat(chat);
        if (store.get().chats.has(chat)) await sync.history(chat);
      };
      runQuietly(load());
    },
    read(chat) {
      const me = session()?.agent;
      const known = store.get().chats.get(chat);
      if (me === undefined || known?.mine !== true) return;
      for (const { id } of unreadOf(known.timeline, me)) {
        if (marking.has(id)) continue;
        marking.add(id);
        const path = `messages/${encodeURIComponent(id)}/read`;
        const marked = ask("PUT", path, { body: { userId: me } }).then(() =>
          store.change((desk) => {
            const timeline = desk.chats.get(chat)?.timeline;
            return timeline === undefined
              ? desk
              : patch(desk, chat, { timeline: withRead(timeline, id, me) });
          }),
        );
        runQuietly(marked.finally(() => marking.delete(id)));
      }
    },
    readPerson: (id) => runQuietly(sync.person(id)),
    readNotes: (chat) => runQuietly(sync.notes(chat)),
    addNote: (chat, text) => context.attempt(() => keepNote(context, sync, chat, text)),
    find(query) {
      const whole = { order: "newest", preview: "true", length: "30", ...query };
      return ask("GET", `chats?${new URLSearchParams(whole).toString()}`);
    },
  };
}

async function keepNote(context: Context, sync: Sync, chat: string, text: string): Promise<void> {
  await context.ask("POST", `${pathOf(chat)}/notes`, { body: { text } });
  // The draft stays if the agent has gone on writing.
  context.store.change((desk) => {
    const draft = `note ${chat}`;
    return desk.drafts.get(draft) === text ? withDraft(desk, draft, "") : desk;
  });
  await sync.notes(chat);
}

function pathOf(chat: string): string {
  return `chats/${encodeURIComponent(chat)}`;
}

/** Ignores failures of work that the next event or connection repeats. */
function runQuietly(work: Promise<unknown>): void {
  void work.catch(() => undefined);
}
