import type { DeskSession } from "./api.ts";
import { FailedCall } from "../shared/failed-call.ts";
import { explain } from "./context.ts";
import type { Context } from "./context.ts";
import { withDraft, withOutgoing, withoutOutgoing } from "./state/state.ts";
import type { Outgoing } from "./state/state.ts";
import { fill } from "../shared/words.ts";
import type { Words } from "./words.ts";

/** Sends messages and files in order, and shows users that the agent is typing. */
export interface MessageOutbox {
  /** Sends a text. Returns false if it is empty or too long. */
  readonly text: (chat: string, text: string) => boolean;
  readonly file: (chat: string, file: File) => void;
  /** Sends a failed message again. */
  readonly retry: (chat: string, key: string) => void;
  readonly discard: (chat: string, key: string) => void;
  /** Keeps a draft, and shows the user that an agent is writing. */
  readonly typed: (chat: string, text: string) => void;
  /** Sends everything that failed again, after a new login. */
  readonly retryAll: () => void;
  /** Sends everything that did not reach the service again, once the connection is back. */
  readonly retryUnreached: () => void;
}

/** Bytes that a file may have (docs/chat.md). */
const LARGEST_FILE = 7_340_032;
export const LARGEST_MEGABYTES = String(LARGEST_FILE / 1_048_576);
/** Limit of a message, in characters. */
export const LONGEST_TEXT = 10_000;
/** Milliseconds between two typing notices. */
const TYPING_INTERVAL = 3_000;
/** Milliseconds after the last key until an agent no longer counts as typing. */
const TYPING_END = 5_000;
/** Milliseconds until a failed message is sent again while the event stream is open. */
const RETRY_AFTER = 10_000;
/** Statuses without an answer of the service: none at all, or a proxy's. */
const UNREACHED: readonly number[] = [0, 502, 503, 504];
/** Statuses of a message that was refused for its content, and would be refused again. */
const REFUSED: readonly number[] = [403, 413, 422];

export function createOutbox(context: Context): MessageOutbox {
  const { store, words } = context;
  /** By chat. Its messages are sent one after the other, as they were written. */
  const queues = new Map<string, Promise<void>>();
  const typing = createTypingNotices(context);

  const note = (chat: string, one: Outgoing): void =>
    store.change((desk) => withOutgoing(desk, chat, one));

  const deliver = async (chat: string, one: Outgoing): Promise<void> => {
    const sentIn = context.session();
    try {
      const noteProgress = (part: number): void => note(chat, { ...one, part });
      note(chat, { ...one, state: "sent", sentAs: await send(context, chat, one, noteProgress) });
    } catch (error) {
      const status = error instanceof FailedCall ? error.status : null;
      // The agent logged in again while the ended session's call was under way.
      if (status === 401 && isRenewed(sentIn, context.session())) return deliver(chat, one);
      const unreached = status !== null && UNREACHED.includes(status);
      const retryable = status === null || !REFUSED.includes(status);
      const reason = explain(error, words());
      note(chat, { ...one, state: "failed", reason, retryable, unreached });
      // While the event stream stays open, no new connection triggers a retry.
      if (unreached && store.get().link === "live") setTimeout(retryUnreached, RETRY_AFTER);
    }
  };

  const createOutgoing = (chat: string, text: string, file: File | null = null): Outgoing => {
    const after = store.get().chats.get(chat)?.timeline.entries.at(-1)?.event ?? 0;
    return { ...NEW, key: crypto.randomUUID(), text, file, after };
  };

  const queue = (chat: string, one: Outgoing): void => {
    note(chat, one);
    const before = queues.get(chat) ?? Promise.resolve();
    queues.set(
      chat,
      before.then(() => deliver(chat, one)),
    );
  };

  const retry = (chat: string, key: string): void => {
    const { outgoing = [] } = store.get().chats.get(chat) ?? {};
    const one = outgoing.find((out) => out.key === key);
    if (one?.state === "failed" && one.retryable)
      queue(chat, { ...one, state: "sending", reason: "", unreached: false });
  };
  const retryEach = (isMeant: (one: Outgoing) => boolean): void => {
    for (const [chat, { outgoing }] of store.get().chats)
      for (const one of outgoing.filter(isMeant)) retry(chat, one.key);
  };
  const retryUnreached = (): void => retryEach(({ unreached }) => unreached);

  return {
    text(chat, text) {
      if (text.trim() === "" || text.length > LONGEST_TEXT) return false;
      store.change((desk) => withDraft(desk, chat, ""));
      // For the user, the message itself ends the typing.
      typing.forget(chat);
      queue(chat, createOutgoing(chat, text));
      return true;
    },
    file(chat, file) {
      const one = createOutgoing(chat, file.name, file);
      const reason = findFileProblem(file, store.get().fileTypes, words());
      if (reason !== null) note(chat, { ...one, state: "failed", reason, retryable: false });
      else queue(chat, one);
    },
    retry,
    discard: (chat, key) => store.change((desk) => withoutOutgoing(desk, chat, key)),
    typed(chat, text) {
      store.change((desk) => withDraft(desk, chat, text));
      if (text.trim() === "") typing.end(chat);
      else typing.begin(chat);
    },
    retryAll: () => retryEach(() => true),
    retryUnreached,
  };
}

/** True if the same agent has logged in again. */
function isRenewed(before: DeskSession | null, now: DeskSession | null): boolean {
  if (before === null || now === null || before.token === now.token) return false;
  return before.appId === now.appId && before.agent === now.agent;
}

/** The state of a new message. */
const NEW = {
  state: "sending",
  retryable: true,
  unreached: false,
  reason: "",
  sentAs: "",
} as const satisfies Partial<Outgoing>;

/** Sends a message or a file. Returns the message's id, or the file's address. */
async function send(
  { ask, session }: Context,
  chat: string,
  { text, file, key }: Outgoing,
  progress: (part: number) => void,
): Promise<string> {
  if (file !== null) {
    const form = new FormData();
    form.set("chatId", chat);
    form.set("senderId", session()?.agent ?? "");
    form.set("media", file, file.name);
    const options = { form, timeout: 120_000, progress };
    return (await ask<{ media: { url: string } }>("POST", "media", options)).media.url;
  }
  const path = `chats/${encodeURIComponent(chat)}/messages`;
  const answer = await ask<{ message: { id: string } }>("POST", path, {
    key,
    body: { sender: session()?.agent, message: text },
  });
  return answer.message.id;
}

/** Shows users that this agent is typing. */
function createTypingNotices({ ask, session }: Context) {
  const active = new Map<string, { at: number; timer: ReturnType<typeof setTimeout> }>();
  const notify = (chat: string, type: "writing" | "not-writing"): void => {
    const agent = encodeURIComponent(session()?.agent ?? "");
    const body = { type, chatId: chat };
    // A lost notice does no harm.
    void ask("POST", `users/${agent}/activity`, { body }).catch(() => undefined);
  };
  const forget = (chat: string): void => {
    clearTimeout(active.get(chat)?.timer);
    active.delete(chat);
  };
  const end = (chat: string): void => {
    if (!active.has(chat)) return;
    forget(chat);
    notify(chat, "not-writing");
  };
  return {
    /** Called for each key. The notice ends by itself some seconds after the last one. */
    begin(chat: string): void {
      const known = active.get(chat);
      clearTimeout(known?.timer);
      const due = known === undefined || Date.now() - known.at >= TYPING_INTERVAL;
      active.set(chat, {
        at: due ? Date.now() : known.at,
        timer: setTimeout(() => end(chat), TYPING_END),
      });
      if (due) notify(chat, "writing");
    },
    end,
    /** Ends the notice without a call. */
    forget,
  };
}

/** Says why the service would refuse a file; null for one that it takes. */
function findFileProblem(file: File, types: readonly string[] | null, words: Words): string | null {
  if (file.size > LARGEST_FILE) return fill(words.fileTooLarge, { size: LARGEST_MEGABYTES });
  if (types === null || isAllowed(file, types)) return null;
  return fill(words.fileNotAllowed, { types: namesOf(types) });
}

/** Decides as the service does, by extension or declared type. A file of no known type is refused. */
function isAllowed({ name, type }: File, types: readonly string[]): boolean {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return types.some((one) => {
    const allowed = one.toLowerCase().replace(/^\./, "");
    if (!allowed.includes("/")) return allowed === extension;
    if (type === "" || allowed === "*/*" || allowed === type) return true;
    return allowed.endsWith("/*") && type.startsWith(allowed.slice(0, -1));
  });
}

/** Lists types by the file extensions that people know. */
export function namesOf(types: readonly string[]): string {
  const names = types.map((one) => {
    const type = one.replace(/^\.|^(?:application|audio|image|video)\/(?:x-)?(?=[^*])/, "");
    return ENDINGS.get(type) ?? type;
  });
  return [...new Set(names)].join(", ");
}

const ENDINGS: ReadonlyMap<string, string> = new Map([
  ["msword", "doc"],
  ["vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"],
  ["vnd.ms-excel", "xls"],
  ["vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"],
  ["msvideo", "avi"],
  ["ms-wma", "wma"],
  ["mpeg", "mp3"],
]);
