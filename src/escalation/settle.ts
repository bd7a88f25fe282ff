import { findChat } from "./chat-rung.ts";
import { externalIdOf } from "./names.ts";
import type { ReaderNote } from "./outcome.ts";
import type { EscalationRecord, Intent } from "./record.ts";
import { isSettled, nextTry, withIntent } from "./retries.ts";
import type { Scope } from "./scope.ts";
import { makeTicket, addTicketLine } from "./ticket-rung.ts";

/**
 * Tries again what could not be decided before: tickets that were not made, chats that may have
 * been opened. The reader hears of a ticket when it exists, or when it is certain that nobody can
 * tell.
 *
 * @returns the record as saved
 */
export async function retryUnsettled(
  scope: Scope,
  begun: EscalationRecord,
): Promise<EscalationRecord> {
  let record = begun;
  for (const intent of begun.intents) {
    if (isSettled(intent) || intent.next === null || intent.next > scope.now()) continue;
    record =
      intent.kind === "ticket"
        ? await settleTicket(scope, record, intent)
        : await settleChat(scope, record, intent);
  }
  return record;
}

async function settleTicket(
  scope: Scope,
  record: EscalationRecord,
  intent: Intent,
): Promise<EscalationRecord> {
  if (scope.ticket === null) {
    const lost: Intent = { ...intent, next: null, state: "unknown" };
    return scope.save(addTicketLine(scope, withIntent(record, lost), lost));
  }
  // Whoever was told that it is tried again is told how that ended, whichever way.
  const tells: ReaderNote = (now, outcome) =>
    isSettled(outcome) ? addTicketLine(scope, now, outcome) : now;
  return makeTicket({ ...scope, tells }, scope.ticket, record, intent.epoch);
}

/**
 * The reader has long moved on: a chat that turns up now is closed, before somebody waits in it.
 */
async function settleChat(
  scope: Scope,
  record: EscalationRecord,
  intent: Intent,
): Promise<EscalationRecord> {
  const chat = scope.chat;
  const looked =
    chat === null ? null : await findChat(chat, record, externalIdOf(record, intent.epoch));
  const closed =
    chat !== null && looked?.kind === "found" ? await chat.close(looked.chat, null) : null;
  if (looked !== null && looked.kind !== "unsure" && closed?.kind !== "failed") {
    const result = looked.kind === "found" ? looked.chat : "";
    const state = looked.kind === "found" ? "done" : "refused";
    return scope.save(withIntent(record, { ...intent, state, result, next: null }));
  }
  const attempts = intent.attempts + 1;
  const next = nextTry(attempts, intent.first, scope.now());
  const state = next === null ? "unknown" : "sent";
  return scope.save(withIntent(record, { ...intent, attempts, state, next }));
}
