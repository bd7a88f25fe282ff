import type { EscalationRecord } from "./record.ts";

/**
 * The names under which the other side knows what we create: by them it is found again after a
 * crash, and by them a second call creates nothing. They tell nothing of the session.
 */
export function externalIdOf(record: Pick<EscalationRecord, "key">, epoch: number): string {
  return `aw-${record.key.slice(0, nameLength)}-${epoch}`;
}

/** The reader as a user of the chat: the owner's own id where a signed token told it. */
export function userIdOf({ key, person }: Pick<EscalationRecord, "key" | "person">): string {
  return person.id === "" ? `aw-${key.slice(0, nameLength)}` : person.id;
}

/**
 * The first part of a conversation's key, which the names carry, or null for a name that is not
 * ours.
 */
export function conversationOf(externalId: string): { key: string; epoch: number } | null {
  const parts = /^aw-([0-9a-f]{64})-(\d{1,9})$/u.exec(externalId);
  const [, key, epoch] = parts ?? [];
  return key === undefined || epoch === undefined ? null : { key, epoch: Number(epoch) };
}

// The whole key: a webhook leads from the chat's name back to the record.
const nameLength = 64;
