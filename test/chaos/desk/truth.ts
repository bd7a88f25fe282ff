import type { ChatClient } from "../../../src/api/chat/client-types.ts";
import { isObject } from "../../../src/json/values.ts";

/** A chat from one change to the next, as the service's own events tell it. */
export interface ChatMoment {
  readonly at: number;
  readonly agents: ReadonlySet<string>;
  readonly invited: string | null;
  readonly closed: boolean;
}

/** What really happened in the chats of the service. */
export interface Truth {
  /** The changes of each chat, the oldest first. */
  readonly chats: ReadonlyMap<string, readonly ChatMoment[]>;
  /** Whether the chat was in these states at some moment in this time. */
  was(chat: string, from: number, to: number, is: (moment: ChatMoment) => boolean): boolean;
  at(chat: string, time: number): ChatMoment | null;
  end(): Promise<void>;
}

/** Listens as the app's server. @param agents ids of all agents */
export function watchChats(chat: ChatClient, agents: ReadonlySet<string>): Truth {
  const chats = new Map<string, ChatMoment[]>();
  const stop = new AbortController();
  const take = (trigger: string, data: Readonly<Record<string, unknown>>): void => {
    const id = String(data["chatId"]);
    const person = String(data["userId"]);
    const moments = chats.get(id) ?? [];
    chats.set(id, moments);
    const now = moments.at(-1) ?? { agents: new Set<string>(), invited: null, closed: false };
    const next = changed(now, trigger, person, agents.has(person));
    if (next !== null) moments.push({ ...next, at: Date.now() });
  };
  const listening = (async () => {
    for await (const { trigger, data } of chat.events({ after: "0", signal: stop.signal })) {
      if (isObject(data) && data["chatId"] !== undefined) take(trigger, data);
    }
  })().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  const at = (id: string, time: number): ChatMoment | null =>
    chats.get(id)?.findLast((moment) => moment.at <= time) ?? null;
  return {
    chats,
    at,
    was(id, from, to, is) {
      const first = at(id, from);
      const inside = (chats.get(id) ?? []).filter((one) => one.at > from && one.at <= to);
      return [...(first === null ? [] : [first]), ...inside].some(is);
    },
    async end() {
      stop.abort();
      await listening;
    },
  };
}

function changed(
  now: Omit<ChatMoment, "at">,
  trigger: string,
  person: string,
  isAgent: boolean,
): Omit<ChatMoment, "at"> | null {
  const without = (): ReadonlySet<string> => new Set([...now.agents].filter((id) => id !== person));
  switch (trigger) {
    case "chats:create":
      return now;
    case "invitations:new":
      return { ...now, invited: person };
    case "invitations:accept":
    case "invitations:reject":
      return now.invited === person ? { ...now, invited: null } : null;
    case "chats:join":
      return isAgent ? { ...now, agents: new Set([...now.agents, person]), invited: null } : null;
    case "chats:leave":
      return { ...now, agents: without() };
    case "chats:close":
      return { ...now, agents: new Set(), invited: null, closed: true };
    default:
      return null;
  }
}
