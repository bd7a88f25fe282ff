import { DatabaseSync, type SQLOutputValue } from "node:sqlite";

/** A chat between two changes, from the service's log of events. */
export interface ChatMoment {
  readonly at: number;
  readonly agents: ReadonlySet<string>;
  readonly invited: string | null;
  readonly closed: boolean;
}

/** The true history of the service's chats. */
export interface Truth {
  /** The changes of each chat by its id, the oldest first. */
  readonly chats: ReadonlyMap<string, readonly ChatMoment[]>;
  /** Whether the chat was in these states at some moment of this time. */
  was(chat: string, from: number, to: number, is: (moment: ChatMoment) => boolean): boolean;
  at(chat: string, time: number): ChatMoment | null;
}

export type Row = Readonly<Record<string, SQLOutputValue>>;

/** Asks a database file, with plain SQL. */
export interface Sql {
  rows(query: string): readonly Row[];
  close(): void;
}

export function openSql(file: string): Sql {
  const database = new DatabaseSync(file, { readOnly: true });
  return { rows: (query) => database.prepare(query).all(), close: () => database.close() };
}

/** Reads the log of events. @param agents ids of all agents */
export function readTruth(sql: Sql, agents: ReadonlySet<string>): Truth {
  const chats = new Map<string, ChatMoment[]>();
  const events = sql.rows(
    "SELECT c.id, l.trigger_name, l.data, l.at FROM chat_log l JOIN chat_chats c ON c.number = l.chat ORDER BY l.number",
  );
  for (const { id, trigger_name: trigger, data, at } of events) {
    const moments = chats.get(String(id)) ?? [];
    chats.set(String(id), moments);
    const { userId } = JSON.parse(String(data)) as { readonly userId?: string };
    const now = moments.at(-1) ?? { agents: new Set<string>(), invited: null, closed: false };
    const next = changed(now, String(trigger), userId ?? "", agents.has(userId ?? ""));
    if (next !== null) moments.push({ ...next, at: Number(at) });
  }
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
