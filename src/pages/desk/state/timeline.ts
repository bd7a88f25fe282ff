import type { ChatEvent, ChatMessage } from "../../../api/chat/answers.ts";
import { isRecord, messageOf, personOf } from "./events.ts";

/** A message. */
export interface MessageEntry {
  readonly kind: "message";
  readonly event: number;
  readonly message: ChatMessage;
  /** True for a message from before the chat. */
  readonly imported: boolean;
}

/** A person joined, left or closed the chat. */
export interface ChangeEntry {
  readonly kind: "happened";
  readonly event: number;
  readonly what: "join" | "leave" | "close" | "alone" | "away" | "back";
  readonly person: string;
  readonly reason: string;
  /** Unix seconds. */
  readonly at: number;
}

export type Entry = MessageEntry | ChangeEntry;

/**
 * A chat's entries. History and event stream give an entry the same number, so that each counts
 * once.
 */
export interface Timeline {
  /** In the order in which they happened. */
  readonly entries: readonly Entry[];
  readonly seen: ReadonlySet<number>;
  /** The readers of a message, by its id. */
  readonly reads: ReadonlyMap<string, ReadonlySet<string>>;
}

export const EMPTY: Timeline = { entries: [], seen: new Set(), reads: new Map() };

/** Returns the timeline with these events, or the same one when none is new. */
export function withEvents(timeline: Timeline, events: readonly ChatEvent[]): Timeline {
  const fresh = events.filter(({ id }) => !timeline.seen.has(id));
  if (fresh.length === 0) return timeline;
  const added = fresh.flatMap((event) => entryOf(event) ?? []);
  const last = timeline.entries.at(-1)?.event ?? 0;
  const inOrder = added.every(({ event }, index) => event > (added[index - 1]?.event ?? last));
  const entries = [...timeline.entries, ...added];
  if (!inOrder) entries.sort((a, b) => a.event - b.event);
  let { reads } = timeline;
  for (const event of fresh) {
    const message = event.data["message"];
    if (event.trigger !== "messages:read" || !isRecord(message)) continue;
    reads = addRead(reads, String(message["id"]), personOf(event));
  }
  return { entries, seen: new Set([...timeline.seen, ...fresh.map(({ id }) => id)]), reads };
}

/** Returns the timeline after a message was read. */
export function withRead(timeline: Timeline, message: string, reader: string): Timeline {
  return { ...timeline, reads: addRead(timeline.reads, message, reader) };
}

/**
 * Lists the messages that `me` has not read yet, oldest first, without those from before the chat.
 */
export function unreadOf({ entries, reads }: Timeline, me: string): readonly ChatMessage[] {
  return entries.flatMap((entry) => {
    if (entry.kind !== "message" || entry.imported) return [];
    const { message } = entry;
    return message.sender === me || reads.get(message.id)?.has(me) === true ? [] : message;
  });
}

/** True when this person has left the page, and has not come back or said anything since. */
export function isAway({ entries }: Timeline, person: string): boolean {
  const last = entries.findLast((entry) =>
    entry.kind === "message"
      ? entry.message.sender === person
      : entry.person === person && (entry.what === "away" || entry.what === "back"),
  );
  return last?.kind === "happened" && last.what === "away";
}

/** Finds the newest message, or null. */
export function latestOf({ entries }: Timeline): MessageEntry | null {
  return entries.findLast((entry) => entry.kind === "message") ?? null;
}

/** Lists the last two messages of a sender, the older first. */
export function lastMessagesOf({ entries }: Timeline, sender: string): readonly ChatMessage[] {
  const theirs = entries.flatMap((entry) =>
    entry.kind === "message" && entry.message.sender === sender ? [entry.message] : [],
  );
  return theirs.slice(-2);
}

/** Writes a message as text: a file's name, or the text of an object that a bot showed. */
export function textOf({ type, message }: ChatMessage): string {
  if (typeof message !== "string") return message.name;
  if (type !== "object") return message;
  try {
    const parsed: unknown = JSON.parse(message);
    if (!isRecord(parsed) || typeof parsed["message"] !== "string") return message;
    const options = Array.isArray(parsed["options"]) ? parsed["options"] : [];
    const labels = options.flatMap((option: unknown) => {
      const label = isRecord(option) ? (option["label"] ?? option["title"]) : option;
      return typeof label === "string" ? `• ${label}` : [];
    });
    return [parsed["message"], ...labels].join("\n");
  } catch {
    return message;
  }
}

const happenings: ReadonlyMap<string, ChangeEntry["what"]> = new Map([
  ["chats:join", "join"],
  ["chats:leave", "leave"],
  ["chats:close", "close"],
  ["forever:alone", "alone"],
] as const);

const presences: ReadonlyMap<unknown, ChangeEntry["what"]> = new Map([
  ["away", "away"],
  ["back", "back"],
] as const);

function entryOf(event: ChatEvent): Entry | null {
  const { id, trigger, data, created_at: at } = event;
  if (trigger === "messages:new") {
    const message = messageOf(event);
    const imported = data["imported"] === true;
    return message === null ? null : { kind: "message", event: id, message, imported };
  }
  const what = trigger === "users:presence" ? presences.get(data["type"]) : happenings.get(trigger);
  if (what === undefined) return null;
  const extra = data["extraData"];
  const reason = isRecord(extra) && typeof extra["reason"] === "string" ? extra["reason"] : "";
  return { kind: "happened", event: id, what, person: personOf(event), reason, at };
}

function addRead(
  reads: Timeline["reads"],
  message: string,
  reader: string,
): ReadonlyMap<string, ReadonlySet<string>> {
  const readers = reads.get(message);
  if (readers?.has(reader) === true) return reads;
  return new Map([...reads, [message, new Set([...(readers ?? []), reader])]]);
}
