import type { EscalationRecord, Intent } from "./record.ts";

/**
 * When the call that failed now is tried again: after 1 s, doubling to 5 min, for 24 h. Null: not
 * any more. Milliseconds.
 */
export function nextTry(attempts: number, first: number, now: number): number | null {
  const wait = Math.min(firstWait * 2 ** Math.max(0, attempts - 1), longestWait);
  return now + wait > first + giveUpAfter ? null : now + wait;
}

const firstWait = 1000;
const longestWait = 5 * 60_000;
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

/** True when nothing will happen to it any more without the operator. */
export function isSettled({ state }: Intent): boolean {
  return state === "done" || state === "refused" || state === "unknown";
}

/** An intent whose call is about to be made: its bytes may leave from now on. */
export function sending(
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
    // Whoever finds it like this after a crash looks for what became of it.
    next: now + crashed,
    problem: "",
  };
}

/**
 * How long a call may be under way before it is taken for lost with its process, in milliseconds.
 */
export const crashed = 10_000;
