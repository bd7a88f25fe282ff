import { isObject } from "../../json/values.ts";
import { readListMember, memberOf, numberOf, readTextMember } from "../../api/call/read.ts";

export interface ChatState {
  readonly id: string;
  readonly status: "waiting" | "active" | "closed";
  readonly queued: boolean;
  readonly externalId: string;
  /** An agent in the chat, or null. */
  readonly agent: string | null;
  /** True when no agent has answered the reader for longer than the service lets a chat be silent. */
  readonly unanswered?: boolean;
  /**
   * The id of the person who closed the chat, or `system`; absent if it is unknown.
   */
  readonly closedBy?: string;
  readonly closeReason?: string;
  /** Ids of people who are writing; absent if the service does not say. */
  readonly writing?: readonly string[];
  /**
   * By person, the id of the newest message that they have read; absent if the service does not
   * say.
   */
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

/** Reads the id of a created record, with or without a wrapper. */
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

/** Reads the free agents of a room. A missing room has none; PHP writes an empty object as a list. */
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

/** A chat's position in its queue. */
export interface QueuePosition {
  /** From 1. */
  readonly position: number;
  /** Estimated seconds of waiting; null if the service does not say. */
  readonly estimate: number | null;
  /** Later chats that agents accepted first; 0 if the service does not say. */
  readonly overtaken: number;
}

/** Reads a queue position. It counts from 1; null for 0 or less (chat.md 7). */
export function queuePositionIn(value: unknown): QueuePosition | null {
  const holders = [memberOf(value, "queue"), memberOf(value, "data"), value];
  for (const holder of holders) {
    const position = numberOf(memberOf(holder, "queuePosition") ?? memberOf(holder, "position"));
    if (position === null) continue;
    if (position < 1) return null;
    const wait = numberOf(memberOf(holder, "estimatedWait"));
    const overtaken = Math.max(0, Math.floor(numberOf(memberOf(holder, "overtaken")) ?? 0));
    const estimate = wait === null || wait < 0 ? null : wait;
    return { position: Math.floor(position), estimate, overtaken };
  }
  return null;
}

/** Reads a survey's address, if browsers may open it. */
export function surveyIn(value: unknown): { readonly url: string } | null {
  const url = readTextMember(memberOf(value, "survey") ?? value, "url");
  return url !== null && /^https?:\/\//i.test(url) && URL.canParse(url) ? { url } : null;
}

/** Finds an agent among the people of a chat: only agents have a `providerId` (chat.md 5). */
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

/** Finds the name under which users see an agent, or null. */
export function agentNameIn(value: unknown): string | null {
  const user = memberOf(value, "user") ?? value;
  return readTextMember(user, "nickname") ?? readTextMember(user, "name");
}

function holderIn(chat: unknown): string | null | undefined {
  if (!isObject(chat) || !Object.hasOwn(chat, "agent")) return undefined;
  return invitedAgentIn(chat);
}

/** Reads ids from a list of ids or chats, or from an object with ids as keys. */
function chatsOf(value: unknown): readonly string[] {
  if (!isObject(value)) return [];
  if (!Array.isArray(value)) return Object.keys(value);
  return value.flatMap((one: unknown) => (isObject(one) ? recordId(one) : readNonEmpty(one)) ?? []);
}

function readNonEmpty(value: unknown): string | null {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : null;
}
