import type { ChatAgent } from "../../../api/chat/answers.ts";
import type { Desk, DeskChat } from "./state.ts";
import { latestOf, unreadOf } from "./timeline.ts";

/** The desk's open chats, by what this agent has to do. */
export function sectionsOf({ chats, me }: Desk) {
  // Chats of the same second stay in the order of arrival.
  const known = [...chats.values()].toSorted((a, b) => a.chat.created - b.chat.created);
  const open = known.filter(({ chat }) => !chat.closed);
  const isAskingMe = ({ chat }: DeskChat): boolean =>
    chat.invitation?.userId === me?.id && me !== null && chat.invitation !== null;
  return {
    /** Chats that this agent is asked to take. The invitation that expires first is on top. */
    invitations: open
      .filter((one) => isAskingMe(one) && !one.mine)
      .toSorted((a, b) => (a.chat.invitation?.expires ?? 0) - (b.chat.invitation?.expires ?? 0)),
    mine: open.filter(({ mine }) => mine).toSorted(byWaiting),
    /** Chats that nobody answers. */
    waiting: open.filter((one) => !one.mine && !isAskingMe(one) && isUnattended(one)),
  };
}

/** True for an open chat that nobody answers for, or whose agent has not answered for too long. */
function isUnattended({ chat }: DeskChat): boolean {
  return !chat.closed && (chat.agent === null || chat.unanswered === true);
}

/** Sorts waiting chats before the others, the longest wait first; then by the latest message. */
function byWaiting(a: DeskChat, b: DeskChat): number {
  const [waitsA, waitsB] = [waitingSince(a), waitingSince(b)];
  if (waitsA !== null && waitsB !== null) return waitsA - waitsB;
  if (waitsA !== null || waitsB !== null) return waitsA === null ? 1 : -1;
  return (latestOf(b.timeline)?.event ?? 0) - (latestOf(a.timeline)?.event ?? 0);
}

/**
 * Returns the time since which a chat's user waits for an answer, in Unix seconds; null if none
 * waits.
 */
export function waitingSince({ chat, timeline, loaded }: DeskChat): number | null {
  if (chat.closed) return null;
  if (!loaded) return chat.waitingSince ?? null;
  let since: number | null = null;
  for (const entry of timeline.entries.toReversed()) {
    if (entry.kind !== "message" || entry.message.sender === "assistant") continue;
    if (entry.message.sender !== chat.creator) break;
    since = Math.max(entry.message.created, chat.created);
  }
  return since;
}

/** The chats that the list shows. */
export type ChatView = "open" | "waiting" | "closed" | "all";

/** The filter of the list. An empty string filters nothing. */
export interface ListFilter {
  readonly search: string;
  /** Id of a room. */
  readonly room: string;
  /** Id of an agent. */
  readonly agent: string;
  readonly lang: string;
  readonly reason: string;
  /** A tag of tickets; chats have none. */
  readonly tag: string;
  /** Days, as `2026-02-28`: the first and the last. */
  readonly since: string;
  readonly until: string;
}

export const NO_FILTER: ListFilter = {
  search: "",
  room: "",
  agent: "",
  lang: "",
  reason: "",
  tag: "",
  since: "",
  until: "",
};

/** Writes the query of a filter, with days in the agent's time zone. */
export function queryOf({ since, until, ...filter }: ListFilter): Readonly<Record<string, string>> {
  const all = { ...filter, from: secondsOf(since, 0), to: secondsOf(until, 1) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value.trim() !== ""));
}

/** Returns the local midnight that begins a day, some days later, in Unix seconds; "" for no day. */
function secondsOf(day: string, daysLater: number): string {
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + daysLater);
  return Number.isNaN(date.getTime()) ? "" : String(Math.floor(date.getTime() / 1000));
}

/** The statuses that an agent may choose. */
export const STATUSES = [
  "online",
  "busy",
  "away",
] as const satisfies readonly ChatAgent["status"][];

/** Returns the status that an agent has chosen, or "offline". */
export function statusOf({ online, status }: ChatAgent): ChatAgent["status"] | "offline" {
  return online ? status : "offline";
}

/** Counts this agent's slots in use. An invitation uses one too. */
export function loadOf(desk: Desk): number {
  const { invitations, mine } = sectionsOf(desk);
  return invitations.length + mine.length;
}

/** True while this agent can take no chat. */
export function isFull(desk: Desk): boolean {
  return desk.me !== null && loadOf(desk) >= desk.me.slots;
}

/** True for a chat that this agent may have to act on. */
export function concerns(desk: Desk, id: string): boolean {
  const known = desk.chats.get(id);
  if (known === undefined) return false;
  const { chat, mine } = known;
  if (mine || desk.selected === id || chat.invitation?.userId === desk.me?.id) return true;
  return isUnattended(known);
}

/** Returns the position of each queued chat in its room, from 1, by time of opening. */
export function queuePositionsOf({ chats }: Desk): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  const counts = new Map<string, number>();
  const queued = [...chats.values()].filter(({ chat }) => chat.inQueue === 1 && !chat.closed);
  for (const { chat } of queued.toSorted((a, b) => a.chat.created - b.chat.created)) {
    const position = (counts.get(String(chat.room)) ?? 0) + 1;
    counts.set(String(chat.room), position);
    positions.set(chat.id, position);
  }
  return positions;
}

/** Counts a chat's unread messages. */
export function countUnread({ timeline }: DeskChat, me: string): number {
  return unreadOf(timeline, me).length;
}

/** Counts the tickets that are new or wait for this agent's answer; 0 without the right to see them. */
export function countTicketsToDo({ me, ticketsToDo }: Desk): number {
  return me?.rights.TICKET_VIEW === true ? ticketsToDo : 0;
}

/**
 * Counts invitations, unread messages, and chats that are read but not answered, without those of
 * the chat that is open to the agent.
 */
export function countChatsToDo(desk: Desk, open: string | null = null): number {
  const { invitations, mine } = sectionsOf(desk);
  const me = desk.me?.id ?? "";
  return [...invitations, ...mine]
    .filter(({ chat }) => chat.id !== open)
    .map((one) =>
      one.mine ? Math.max(countUnread(one, me), waitingSince(one) === null ? 0 : 1) : 1,
    )
    .reduce((sum, count) => sum + count, 0);
}

/** Counts everything that waits for the agent, for the title. */
export function countAttention(desk: Desk): number {
  return countChatsToDo(desk) + countTicketsToDo(desk);
}

/**
 * Finds the next chat with unread messages, beginning after the selected one; null if there is
 * none.
 */
export function findNextUnread(desk: Desk): string | null {
  const me = desk.me?.id ?? "";
  const { mine } = sectionsOf(desk);
  const at = mine.findIndex(({ chat }) => chat.id === desk.selected);
  const others = [...mine.slice(at + 1), ...mine.slice(0, Math.max(at, 0))];
  return others.find((chat) => countUnread(chat, me) > 0)?.chat.id ?? null;
}

/** True where this agent may change the user's data (CHAT_EDIT_USER_INFO; open chats only). */
export function mayEditUser({ me }: Desk, { chat, mine }: DeskChat): boolean {
  return me !== null && me.rights.CHAT_EDIT_USER_INFO && mine && !chat.closed;
}
