import { type ChatRef, chatOf, type EscalationRecord } from "../stores/record.ts";
import type { ChatState } from "../services/chat-answers.ts";
import type { ChatService } from "../services/chat-service.ts";

/** A sign that people in a chat give beside writing messages. */
export type ChatSign = { readonly person: string } & (
  | { readonly kind: "typing"; readonly typing: boolean }
  | { readonly kind: "read"; readonly message: string }
);

/** The record after a sign in its chat; the same object where nothing changes for the reader. */
export function withSign(record: EscalationRecord, sign: ChatSign, now: number): EscalationRecord {
  const chat = chatOf(record);
  if (chat === null || sign.person === chat.user) return record;
  if (sign.kind === "typing") return withTyping(record, sign.typing, now);
  const isNews = sign.message === chat.said && chat.read !== chat.said;
  return isNews ? withChat(record, { ...chat, read: sign.message }) : record;
}

/** As {@link withSign}, for all that a service tells of a chat. */
export function withSigns(
  record: EscalationRecord,
  { writing, read }: Pick<ChatState, "writing" | "read">,
  now: number,
): EscalationRecord {
  const user = chatOf(record)?.user;
  const readers = Object.entries(read ?? {});
  const afterReads = readers.reduce(
    (at, [person, message]) => withSign(at, { kind: "read", person, message }, now),
    record,
  );
  if (writing === undefined) return afterReads;
  const isTyping = writing.some((person) => person !== user);
  return withTyping(afterReads, isTyping, now);
}

export function withTyping(
  record: EscalationRecord,
  isTyping: boolean,
  now: number,
): EscalationRecord {
  const chat = chatOf(record);
  if (chat === null) return record;
  const { typing, ...silent } = chat;
  if (!isTyping) return typing === undefined ? record : withChat(record, silent);
  // A further sign of the same kind is not stored again.
  if (typing !== undefined && typing > now + typingFor / 2) return record;
  return withChat(record, { ...chat, typing: now + typingFor });
}

/** True while an agent is typing. */
export function isAgentTyping(record: EscalationRecord, now: number): boolean {
  return (chatOf(record)?.typing ?? 0) > now;
}

/** True when an agent has read what the reader wrote last. */
export function isRead(record: EscalationRecord): boolean {
  const { said: lastSent, read } = chatOf(record) ?? {};
  return lastSent !== undefined && read === lastSent;
}

/** Returns the record of a reader who has seen all messages up to this one, and so is present. */
export function withReader(record: EscalationRecord, readTo: number): EscalationRecord {
  const chat = chatOf(record);
  if (chat === null) return record;
  const { away, ...here } = chat;
  const upTo = Math.min(readTo, record.lastMessage);
  if (upTo > (chat.readTo ?? 0)) return withChat(record, { ...here, readTo: upTo });
  return away === undefined ? record : withChat(record, here);
}

/** The record whose reader wrote this message of the chat last. */
export function withLastSent(record: EscalationRecord, message: string): EscalationRecord {
  const chat = chatOf(record);
  return chat === null ? record : withChat(record, { ...chat, said: message });
}

/** Marks at the chat service what the reader has read. A mark that gets lost stays lost. */
export async function markRead(
  service: Pick<ChatService, "markRead">,
  record: EscalationRecord,
): Promise<EscalationRecord> {
  const chat = chatOf(record);
  const { readTo = 0, markedTo = 0 } = chat ?? {};
  if (chat === null || readTo <= markedTo) return record;
  const due = record.messages.flatMap(({ id, source }) =>
    id > markedTo && id <= readTo && source !== undefined ? source : [],
  );
  await Promise.all(due.slice(-maxMarks).map((source) => service.markRead(source, chat.user)));
  return withChat(record, { ...chat, markedTo: readTo });
}

export function withChat(record: EscalationRecord, chat: ChatRef): EscalationRecord {
  const { phase } = record;
  return phase.name === "waiting" || phase.name === "talking"
    ? { ...record, phase: { ...phase, chat } }
    : record;
}

/** Milliseconds for which a sign of typing counts when no other follows. */
const typingFor = 8000;
const maxMarks = 20;
