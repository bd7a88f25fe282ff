import type { EscalationRecord, Intent } from "../stores/record.ts";
import { type Scope, Superseded, untilSaved } from "./scope.ts";

/**
 * Makes an external id for a ticket or chat that we create, to find it after a crash. It reveals
 * nothing of the session.
 */
export function externalIdOf(record: Pick<EscalationRecord, "key">, epoch: number): string {
  return `aw-${record.key}-${epoch}`;
}

/** Reads the conversation from an external id that we made; null for any other. */
export function conversationOf(externalId: string): { key: string; epoch: number } | null {
  const [, key, epoch] = /^aw-([0-9a-f]{64})-(\d{1,9})$/u.exec(externalId) ?? [];
  return key === undefined || epoch === undefined ? null : { key, epoch: Number(epoch) };
}

/**
 * Finds the time of a failed call's next attempt: after 1 s, doubling to 5 min, for 24 h; then
 * null.
 */
export function findNextTry(attempts: number, first: number, now: number): number | null {
  const wait = Math.min(firstWait * 2 ** Math.max(0, attempts - 1), maxWait);
  return now + wait > first + giveUpAfter ? null : now + wait;
}

const firstWait = 1000;
const maxWait = 5 * 60_000;
const giveUpAfter = 24 * 60 * 60_000;

/** The intent of this kind and epoch, or null. */
export function intentOf(
  record: EscalationRecord,
  kind: Intent["kind"],
  epoch: number = record.epoch,
): Intent | null {
  return record.intents.find((intent) => intent.kind === kind && intent.epoch === epoch) ?? null;
}

/** The record with this intent in place of the one of its kind and epoch. */
export function withIntent(record: EscalationRecord, intent: Intent): EscalationRecord {
  const others = record.intents.filter(
    ({ kind, epoch }) => kind !== intent.kind || epoch !== intent.epoch,
  );
  return { ...record, intents: [...others, intent] };
}

/** True when only the operator can change the intent. */
export function isSettled({ state }: Intent): boolean {
  return state === "done" || state === "refused" || state === "unknown";
}

/** Makes the intent of a call that is about to be sent. */
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

/** Milliseconds after which a running call is regarded as lost with its process. */
export const lostAfter = 10_000;

/**
 * Saves the result of a call. If another writer has changed the record, the result goes into the
 * record as it is stored now, so that it is never lost.
 *
 * @param note adds the reader's message about the result in the same write, so that no crash can
 *   come between
 * @throws Superseded even so, because the caller's record is old
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

export type OutcomeNote = (record: EscalationRecord, intent: Intent) => EscalationRecord;
