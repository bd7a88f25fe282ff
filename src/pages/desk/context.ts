import type { RefusalReason } from "../../api/chat/reasons.ts";
import { ask } from "./api.ts";
import { FailedCall } from "../shared/failed-call.ts";
import type { AskOptions, DeskSession } from "./api.ts";
import type { Desk } from "./state/state.ts";
import type { Store } from "./state/store.ts";
import type { Words } from "./words.ts";
import { fill } from "../shared/words.ts";

/** The parts that the desk's calls to the service share. */
export interface Context {
  readonly store: Store<Desk>;
  readonly words: () => Words;
  readonly session: () => DeskSession | null;
  /**
   * Calls the service as this agent. A refusal with 401 requests a new login. Throws FailedCall.
   */
  readonly ask: <T>(method: string, path: string, options?: AskOptions) => Promise<T>;
  /** Reads this agent's rights again, after a call that they should allow was refused. */
  readonly rereadRights: () => void;
  /** Runs `work`. After a failure it shows the reason, and returns false. */
  readonly attempt: (work: () => Promise<unknown>) => Promise<boolean>;
  /** Announces a text about a chat to screen readers, with the alerts that the agent chose. */
  readonly announce: (text: string, chat: string, urgent?: boolean) => void;
}

export interface ContextParts extends Omit<Context, "ask" | "attempt"> {
  /** Asks for a new login. */
  readonly expire: () => void;
  /** Checks the connection, after a call that did not reach the service. */
  readonly doubt: () => void;
}

export function createContext({ expire, doubt, ...shared }: ContextParts): Context {
  const { store, words, session } = shared;
  return {
    ...shared,
    async ask(method, path, options) {
      const current = session();
      if (current === null) throw new FailedCall(401, "");
      try {
        return await ask(current, method, path, options);
      } catch (error) {
        const same = session()?.token === current.token;
        if (error instanceof FailedCall && error.status === 401 && same) expire();
        if (error instanceof FailedCall && error.status === 403) shared.rereadRights();
        if (error instanceof FailedCall && error.status === 0) doubt();
        throw error;
      }
    },
    async attempt(work) {
      try {
        await work();
        return true;
      } catch (error) {
        // The login form explains it better.
        if (!(error instanceof FailedCall && error.status === 401)) {
          store.change((desk) => ({ ...desk, problem: explain(error, words()) }));
        }
        return false;
      }
    },
  };
}

/** Explains a failure to the agent: by the service's reason, or else by the status. */
export function explain(error: unknown, words: Words): string {
  if (!(error instanceof FailedCall)) return fill(words.failed, { reason: String(error) });
  return describeReason(error, words) ?? describeStatus(error.status, words);
}

/** Returns the sentence for the service's reason of a refusal; null if it gives none. */
export function describeReason(
  { reason, params }: Pick<FailedCall, "reason" | "params">,
  words: Words,
): string | null {
  const name = reason === null ? undefined : new Map(SENTENCES).get(reason);
  if (name === undefined) return null;
  const values = Object.entries(params).map(([key, value]) => {
    const state = reason === "state" ? findState(value) : undefined;
    return [key, state === undefined ? value : words[state]] as const;
  });
  return fill(words[name], Object.fromEntries(values));
}

const SENTENCES: readonly (readonly [string, keyof Words])[] = Object.entries({
  right: "refusedRight",
  "right-queue": "refusedRightQueue",
  project: "refusedProject",
  holder: "refusedHolder",
  data: "refusedData",
  taken: "refusedTaken",
  "not-in-chat": "notInChat",
  "file-type": "fileNotAllowed",
  file: "refusedFile",
  expired: "refusedExpired",
  files: "refusedFiles",
  notes: "refusedNotes",
  busy: "refusedBusy",
  merged: "refusedMerged",
  closed: "refusedClosed",
  "ticket-closed": "ticketIsClosed",
  self: "refusedSelf",
  state: "refusedState",
  changed: "ticketChanged",
  answered: "answeredMeanwhile",
  "chat-closed": "chatClosed",
  "chat-ticket": "refusedChatTicket",
  assignee: "refusedAssignee",
  queue: "refusedQueue",
  "mail-off": "refusedMailOff",
  "mail-decided": "refusedMailDecided",
  "mail-partial": "refusedMailPartial",
  "mail-sent": "refusedMailSent",
  words: "refusedWords",
  tags: "refusedTags",
  name: "refusedName",
  contact: "mailWrong",
} as const satisfies Readonly<Record<RefusalReason, keyof Words>>);

/** Words of a ticket's states. */
export const STATES = {
  1: "ticketNew",
  2: "ticketOpen",
  3: "ticketPending",
  4: "ticketSolved",
  5: "ticketClosed",
} as const satisfies Readonly<Record<number, keyof Words>>;

export function findState(state: string | number): keyof Words | undefined {
  return new Map<string, keyof Words>(Object.entries(STATES)).get(String(state));
}

function describeStatus(status: number, words: Words): string {
  switch (status) {
    case 0:
      return words.unreachable;
    case 401:
      return words.sessionEnded;
    case 403:
      return words.notAllowed;
    case 404:
    case 410:
      return words.gone;
    case 409:
      return words.changedMeanwhile;
    case 413:
      return words.tooLarge;
    case 422:
      return words.notUnderstood;
    case 429:
      return words.tooMany;
    default:
      return status >= 500 ? words.serviceTrouble : fill(words.failed, { reason: String(status) });
  }
}
