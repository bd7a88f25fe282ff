import type { EscalationRecord, Intent } from "../stores/record.ts";
import { type Scope, Superseded, untilSaved } from "./scope.ts";

/**
 * Creates the external id of a ticket or chat, by which it is found after a crash. It reveals nothing
 * of the session.
 */
export function externalIdOf(record: Pick<EscalationRecord, "key">, epoch: number): string {
  return `aw-${record.key}-${epoch}`;
}

/** Reads the conversation from an id of {@link externalIdOf}; null for any other id. */
export function conversationOf(externalId: string): { key: string; epoch: number } | null {
  const [, key, epoch] = /^aw-([0-9a-f]{64})-(\d{1,9})$/u.exec(externalId) ?? [];
  return key === undefined || epoch === undefined ? null : { key, epoch: Number(epoch) };
}

/**
 * Finds the time of the next attempt after a failed call, in milliseconds since the epoch. The waits
 * double from 1 s to 5 min. Null 24 h after the first attempt.
 */
export function findNextTry(attempts: number, first: number, now: number): number | null {
  const wait = Math.min(firstWait * 2 ** Math.max(0, attempts - 1), maxWait);
  return now + wait > first + giveUpAfter ? null : now + wait;
}

const firstWait = 1000;
const maxWait = 5 * 60_000;
const giveUpAfter = 24 * 60 * 60_000;

/** Finds the intent of this kind and epoch, or null. */
export function intentOf(
  record: EscalationRecord,
  kind: Intent["kind"],
  epoch: number = record.epoch,
): Intent | null {
  return record.intents.find((intent) => intent.kind === kind && intent.epoch === epoch) ?? null;
}

/** Returns the record with an intent, which replaces the one of the same kind and epoch. */
export function withIntent(record: EscalationRecord, intent: Intent): EscalationRecord {
  const others = record.intents.filter(
    ({ kind, epoch }) => kind !== intent.kind || epoch !== intent.epoch,
  );
  return { ...record, intents: [...others, intent] };
}

/** True if only an operator can change the intent. */
export function isSettled({ state }: Intent): boolean {
  return state === "done" || state === "refused" || state === "unknown";
}

/** Creates the intent of a call that is about to be sent. */
export function createSentIntent(
  record: EscalationRecord,
  kind: Intent["kind"],
  epoch: number,
  now: number,
): Intent {
  const known = intentOf(record, kind, epoch);
  return {
    kind,
    epoch,
    state: "sent",
    result: "",
    attempts: (known?.attempts ?? 0) + 1,
    first: known?.first ?? now,
    next: now + lostAfter,
    problem: "",
  };
}

/** Milliseconds after which a call without a result is regarded as lost with its process. */
export const lostAfter = 10_000;

/**
 * Saves the result of a call. If another writer has changed the record, the result is saved in the
 * record as it is stored now, so that it is never lost.
 *
 * @param note adds the message to the reader about the result in the same write, so that a crash
 *   cannot separate them
 * @throws Superseded after another writer's change, because the caller's record is outdated
 */
export async function saveOutcome(
  scope: Pick<Scope, "save" | "load">,
  record: EscalationRecord,
  intent: Intent,
  note: OutcomeNote = (unchanged) => unchanged,
): Promise<EscalationRecord> {
  try {
    return await scope.save(note(withIntent(record, intent), intent));
  } catch (error) {
    if (!(error instanceof Superseded)) throw error;
    await untilSaved(async () =>
      scope.save(note(withIntent(await scope.load(record), intent), intent)),
    );
    throw error;
  }
}

/** Adds a message about the result of a call to a record. */
export type OutcomeNote = (record: EscalationRecord, intent: Intent) => EscalationRecord;
