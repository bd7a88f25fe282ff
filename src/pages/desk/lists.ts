import type { ChatAgent } from "../../api/chat/answers.ts";
import type { Desk, DeskChat } from "./state.ts";
import { latestOf, unreadOf } from "./timeline.ts";

/** The desk's chats by what there is to do about them. */
export interface Sections {
  /** This agent is asked. */
  readonly invitations: readonly DeskChat[];
  readonly mine: readonly DeskChat[];
  /** Nobody answers for them yet. */
  readonly waiting: readonly DeskChat[];
}

export function sectionsOf({ chats, me }: Desk): Sections {
  // Those of the same second stay in the order in which they came.
  const known = [...chats.values()].toSorted((a, b) => a.chat.created - b.chat.created);
  const open = known.filter(({ chat }) => !chat.closed);
  const isAskingMe = ({ chat }: DeskChat): boolean =>
    chat.invitation?.userId === me?.id && me !== null && chat.invitation !== null;
  return {
    // A new one comes below the others, whose time is over before.
    invitations: open
      .filter((one) => isAskingMe(one) && !one.mine)
      .toSorted((a, b) => (a.chat.invitation?.expires ?? 0) - (b.chat.invitation?.expires ?? 0)),
    mine: open.filter(({ mine }) => mine).toSorted(byWaiting),
    waiting: open.filter((one) => !one.mine && !isAskingMe(one) && isUnattended(one)),
  };
}

/** True for an open chat that nobody answers for, or whose agent has not answered for too long. */
function isUnattended({ chat }: DeskChat): boolean {
  return !chat.closed && (chat.agent === null || chat.unanswered === true);
}

/** Sorts the longest wait before the others; then the latest words. */
function byWaiting(a: DeskChat, b: DeskChat): number {
  const [waitsA, waitsB] = [waitingSince(a), waitingSince(b)];
  if (waitsA !== null && waitsB !== null) return waitsA - waitsB;
  if (waitsA !== null || waitsB !== null) return waitsA === null ? 1 : -1;
  return (latestOf(b.timeline)?.event ?? 0) - (latestOf(a.timeline)?.event ?? 0);
}

/** Since when a chat's user waits for an answer (Unix seconds), or null. */
export function waitingSince({ chat, timeline, loaded }: DeskChat): number | null {
  if (chat.closed) return null;
  if (!loaded) return chat.waitingSince ?? null;
  let since: number | null = null;
  for (const entry of timeline.entries.toReversed()) {
    if (entry.kind !== "said" || entry.message.sender === "assistant") continue;
    if (entry.message.sender !== chat.creator) break;
    since = Math.max(entry.message.created, chat.created);
  }
  return since;
}

/** The chats that the list shows. */
export type ChatView = "open" | "waiting" | "closed" | "all";

/** The filter of the list; empty: none. */
export interface ListFilter {
  readonly search: string;
  /** Id of a room. */
  readonly room: string;
  /** Id of an agent. */
  readonly agent: string;
  readonly lang: string;
  readonly reason: string;
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
  since: "",
  until: "",
};

/** Writes the query of a filter, in the agent's own days. */
export function queryOf({ since, until, ...filter }: ListFilter): Readonly<Record<string, string>> {
  const all = { ...filter, from: secondsOf(since, 0), to: secondsOf(until, 1) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value.trim() !== ""));
}

/** When a day begins here, or one so much later (Unix seconds); empty for none. */
function secondsOf(day: string, later: number): string {
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + later);
  return Number.isNaN(date.getTime()) ? "" : String(Math.floor(date.getTime() / 1000));
}

/** The statuses that an agent may choose. */
export const STATUSES = [
  "online",
  "busy",
  "away",
] as const satisfies readonly ChatAgent["status"][];

/** Returns the status of an agent, unless they are not there at all. */
export function statusOf({ online, status }: ChatAgent): ChatAgent["status"] | "offline" {
  return online ? status : "offline";
}

/** How many of this agent's slots are taken; an invitation takes one as well. */
export function loadOf(desk: Desk): number {
  const { invitations, mine } = sectionsOf(desk);
  return invitations.length + mine.length;
}

/** True while this agent can take no chat. */
export function isFull(desk: Desk): boolean {
  return desk.me !== null && loadOf(desk) >= desk.me.slots;
}

/** False for a chat that is not this agent's business any more: taken or closed. */
export function concerns(desk: Desk, id: string): boolean {
  const known = desk.chats.get(id);
  if (known === undefined) return false;
  const { chat, mine } = known;
  if (mine || desk.selected === id || chat.invitation?.userId === desk.me?.id) return true;
  return isUnattended(known);
}

/** The place of each queued chat in its room, from 1, in the order of their opening. */
export function placesOf({ chats }: Desk): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  const counts = new Map<string, number>();
  const queued = [...chats.values()].filter(({ chat }) => chat.inQueue === 1 && !chat.closed);
  for (const { chat } of queued.toSorted((a, b) => a.chat.created - b.chat.created)) {
    const place = (counts.get(String(chat.room)) ?? 0) + 1;
    counts.set(String(chat.room), place);
    places.set(chat.id, place);
  }
  return places;
}

/** How many messages of this agent's chats are unread. */
export function countUnread({ timeline }: DeskChat, me: string): number {
  return unreadOf(timeline, me).length;
}

/** Counts the tickets that are new, or wait for an answer of this agent. */
export function countTicketsToDo({ me, ticketsToDo }: Desk): number {
  return me?.rights.TICKET_VIEW === true ? ticketsToDo : 0;
}

/**
 * Counts for the title: invitations, unread messages, chats that are read but not answered, and
 * tickets to do.
 */
export function countAttention(desk: Desk): number {
  const { invitations, mine } = sectionsOf(desk);
  const me = desk.me?.id ?? "";
  const counts = mine.map((one) =>
    Math.max(countUnread(one, me), waitingSince(one) === null ? 0 : 1),
  );
  const chats = invitations.length + counts.reduce((sum, count) => sum + count, 0);
  return chats + countTicketsToDo(desk);
}

/** The chat with something to read that comes after the selected one, or null. */
export function findNextUnread(desk: Desk): string | null {
  const me = desk.me?.id ?? "";
  const { mine } = sectionsOf(desk);
  const at = mine.findIndex(({ chat }) => chat.id === desk.selected);
  const round = [...mine.slice(at + 1), ...mine.slice(0, Math.max(at, 0))];
  return round.find((chat) => countUnread(chat, me) > 0)?.chat.id ?? null;
}

/** True where this agent may change the user's data (CHAT_EDIT_USER_INFO; open chats only). */
export function mayEditUser({ me }: Desk, { chat, mine }: DeskChat): boolean {
  return me !== null && me.rights.CHAT_EDIT_USER_INFO && mine && !chat.closed;
}
