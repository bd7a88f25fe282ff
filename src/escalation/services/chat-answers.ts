import { isObject } from "../../json/values.ts";
import { readListMember, memberOf, numberOf, readTextMember } from "../../api/call/read.ts";

export interface ChatState {
  readonly id: string;
  readonly status: "waiting" | "active" | "closed";
  readonly queued: boolean;
  readonly externalId: string;
  /** An agent who is in it, or null. */
  readonly agent: string | null;
  /** True when no agent has answered the reader for longer than the service lets a chat be silent. */
  readonly unanswered?: boolean;
  /**
   * The person who closed the chat, by id, or `system`; absent where that is not to be found out.
   */
  readonly closedBy?: string;
  readonly closeReason?: string;
  /** Ids of who is writing; absent where the service does not say. */
  readonly writing?: readonly string[];
  /** By person, the id of the newest message that they have read; absent as above. */
  readonly read?: Readonly<Record<string, string>>;
}

export interface ChatServiceMessage {
  readonly id: string;
  readonly sender: string;
  readonly type: "text" | "media";
  readonly text: string;
  readonly media: { readonly name: string; readonly url: string; readonly type: string } | null;
  /** Unix seconds. */
  readonly at: number;
}

/** The id of what was created, under its wrapper or bare. */
export function idIn(value: unknown, wrapper: string): { readonly id: string } | null {
  const id = recordId(memberOf(value, wrapper) ?? value);
  return id === null ? null : { id };
}

/** Users with this external id; others in the list mean that the service did not filter. */
export function usersIn(
  value: unknown,
  externalId: string,
): readonly { readonly id: string; readonly chats: readonly string[] }[] | null {
  const users = memberOf(value, "users") ?? memberOf(value, "data");
  const one = memberOf(value, "user");
  const list = Array.isArray(users) ? users : one === null ? null : [one];
  if (list === null) return null;
  return list.flatMap((user: unknown) => {
    const id = recordId(user);
    const theirs = readTextMember(user, "externalId");
    if (id === null || (theirs !== null && theirs !== externalId)) return [];
    return [{ id, chats: chatsOf(memberOf(user, "chats")) }];
  });
}

/** Ids of a user's open chats. */
export function openChatsIn(value: unknown): readonly string[] {
  return chatsOf(memberOf(memberOf(value, "user") ?? value, "chats"));
}

export function isQueueMode(value: unknown): boolean {
  return (
    readTruth(memberOf(memberOf(memberOf(value, "settings") ?? value, "queue"), "active")) === true
  );
}

export function areAgentsOnline(value: unknown): boolean | null {
  return readTruth(memberOf(value, "agentsOnline"));
}

/** `agents` by room; PHP writes an empty object as a list. A missing room has nobody. */
export function availableIn(value: unknown, room: string): number | null {
  const agents = memberOf(value, "agents");
  if (!isObject(agents)) return null;
  const free = memberOf(agents, room);
  const number = numberOf(free);
  if (number !== null) return Math.max(0, Math.floor(number));
  return readTruth(free) === true ? 1 : 0;
}

/** A chat; `agent` is undefined where not stated. `created` in Unix seconds, 0 if missing. */
export function chatIn(value: unknown):
  | (Omit<ChatState, "agent"> & {
      readonly agent: string | null | undefined;
      readonly created: number;
    })
  | null {
  const chat = memberOf(value, "chat") ?? value;
  const id = recordId(chat);
  if (id === null) return null;
  const status = statusOf(chat);
  const queued = status !== "closed" && readTruth(memberOf(chat, "inQueue")) === true;
  return {
    id,
    status,
    queued,
    externalId: readTextMember(chat, "externalId") ?? "",
    agent: holderIn(chat),
    ...(readTruth(memberOf(chat, "unanswered")) === true && { unanswered: true }),
    ...endOf(readTextMember(chat, "closedBy"), readTextMember(chat, "closeReason")),
    ...signsIn(chat),
    created: secondsOf(memberOf(chat, "created")),
  };
}

/**
 * Finds who closed a chat and why, as the last event of that kind in its history says (chat.md 8).
 */
export function endingIn(value: unknown): Pick<ChatState, "closedBy" | "closeReason"> {
  const ending = readListMember(value, "history").findLast(
    (event) => readTextMember(event, "trigger") === "chats:close",
  );
  const data = memberOf(ending, "data");
  return endOf(
    readTextMember(data, "userId"),
    readTextMember(memberOf(data, "extraData"), "reason"),
  );
}

function endOf(
  closedBy: string | null,
  closeReason: string | null,
): Pick<ChatState, "closedBy" | "closeReason"> {
  return {
    ...(closedBy !== null && closedBy !== "" && { closedBy }),
    ...(closeReason !== null && closeReason !== "" && { closeReason }),
  };
}

/** The agent who was invited. Missing, null, empty: none (chat.md 4). */
export function invitedAgentIn(value: unknown): string | null {
  const agent = memberOf(value, "agent");
  return isObject(agent) ? recordId(agent) : agent === null ? null : readNonEmpty(agent);
}

/** A place in the queue. */
export interface QueuePlace {
  /** From 1. */
  readonly position: number;
  /** Seconds that the wait may still take; null where the service does not say. */
  readonly estimate: number | null;
  /** Later chats that an agent took first; 0 where the service does not say. */
  readonly overtaken: number;
}

/** A place is counted from 1; 0 or less is none (chat.md 7). */
export function placeIn(value: unknown): QueuePlace | null {
  const places = [memberOf(value, "queue"), memberOf(value, "data"), value];
  for (const place of places) {
    const position = numberOf(memberOf(place, "queuePosition") ?? memberOf(place, "position"));
    if (position === null) continue;
    if (position < 1) return null;
    const wait = numberOf(memberOf(place, "estimatedWait"));
    const overtaken = Math.max(0, Math.floor(numberOf(memberOf(place, "overtaken")) ?? 0));
    const estimate = wait === null || wait < 0 ? null : wait;
    return { position: Math.floor(position), estimate, overtaken };
  }
  return null;
}

/** Only what a browser may be sent to. */
export function surveyIn(value: unknown): { readonly url: string } | null {
  const url = readTextMember(memberOf(value, "survey") ?? value, "url");
  return url !== null && /^https?:\/\//i.test(url) && URL.canParse(url) ? { url } : null;
}

/** Agents among the people of a chat: only they have a `providerId` (chat.md 5). */
export function agentAmong(value: unknown): string | null {
  const people = readListMember(value, "users");
  const agents = people.filter((one) => readTextMember(one, "providerId") !== null);
  return recordId(agents[0]);
}

/** Unix seconds of a time in seconds, milliseconds or words; 0 when it is none. */
export function secondsOf(value: unknown): number {
  const number = numberOf(value) ?? (typeof value === "string" ? Date.parse(value) : 0);
  if (!Number.isFinite(number) || number <= 0) return 0;
  return Math.floor(number < 100_000_000_000 ? number : number / 1000);
}

export function recordId(value: unknown): string | null {
  return (
    readTextMember(value, "id") ??
    readTextMember(value, "uuid") ??
    readTextMember(value, "hash_uuid")
  );
}

/** Row 15 of the spellings: true/false, 1/0, also as text. */
function readTruth(value: unknown): boolean | null {
  const text = typeof value === "string" ? value.trim().toLowerCase() : value;
  if (text === true || text === 1 || text === "1" || text === "true") return true;
  if (text === false || text === 0 || text === "0" || text === "false" || text === "") return false;
  return null;
}

/** `open` is the specification's `active`; unknown words count as ongoing (chat.md 5). */
function statusOf(chat: unknown): ChatState["status"] {
  const status = readTextMember(chat, "status")?.toLowerCase();
  if (status === "closed" || readTruth(memberOf(chat, "closed")) === true) return "closed";
  return status === "waiting" ? "waiting" : "active";
}

function signsIn(chat: unknown): Pick<ChatState, "writing" | "read"> {
  const writing = memberOf(chat, "writing");
  const read = memberOf(chat, "read");
  const reads = isObject(read) && !Array.isArray(read) ? Object.entries(read) : null;
  const messages = reads?.flatMap(([person, message]) => {
    const id = readNonEmpty(message);
    return id === null ? [] : [[person, id] as const];
  });
  return {
    ...(Array.isArray(writing) && {
      writing: writing.flatMap((one: unknown) => readNonEmpty(one) ?? []),
    }),
    ...(messages !== undefined && { read: Object.fromEntries(messages) }),
  };
}

/** Finds the name that users see of an agent, or null. */
export function agentNameIn(value: unknown): string | null {
  const user = memberOf(value, "user") ?? value;
  return readTextMember(user, "nickname") ?? readTextMember(user, "name");
}

function holderIn(chat: unknown): string | null | undefined {
  if (!isObject(chat) || !Object.hasOwn(chat, "agent")) return undefined;
  return invitedAgentIn(chat);
}

/** Ids, or chats with ids, in a list or by id. */
function chatsOf(value: unknown): readonly string[] {
  if (!isObject(value)) return [];
  if (!Array.isArray(value)) return Object.keys(value);
  return value.flatMap((one: unknown) => (isObject(one) ? recordId(one) : readNonEmpty(one)) ?? []);
}

function readNonEmpty(value: unknown): string | null {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : null;
}
