import { toPlainText } from "../locales/plain-text.ts";
import { languageOf } from "../locales/tag.ts";
import {
  lostAfter,
  externalIdOf,
  intentOf,
  findNextTry,
  type OutcomeNote,
  saveOutcome,
  createSentIntent,
  withIntent,
} from "./records/intents.ts";
import { addLine, addMessage } from "./records/messages.ts";
import type { EscalationRecord, Intent } from "./stores/record.ts";
import { backToBot, type Scope, type StepResult } from "./records/scope.ts";
import type { CallResult } from "./services/call-result.ts";
import type { TicketService } from "./services/ticket-service.ts";
import { toConversationParts, createTranscriptFile } from "./records/transcript.ts";

/**
 * Makes a ticket of the conversation, and tells the reader the outcome: that it exists, that it
 * could not be made yet and is tried again, or that this is unknown.
 */
export async function takeTicketStep(scope: Scope, record: EscalationRecord): Promise<StepResult> {
  if (scope.ticket === null) return { record, next: true };
  const tried = await makeTicket(scope, scope.ticket, record, record.epoch);
  const intent = intentOf(tried, "ticket");
  if (intent === null || intent.state === "refused") return { record: tried, next: true };
  const saved = await scope.save(backToBot(scope, addTicketLine(scope, tried, intent)));
  return { record: saved, next: false };
}

/**
 * Tries once to make the ticket of an epoch. If an earlier call may have made it, it looks first;
 * if that cannot be decided, nothing is sent again.
 *
 * @param note adds the reader's message about the outcome, in the same write
 * @returns the saved record, with the outcome in its intent
 */
export async function makeTicket(
  scope: Scope,
  service: TicketService,
  begun: EscalationRecord,
  epoch: number,
  note?: OutcomeNote,
): Promise<EscalationRecord> {
  let record = begun;
  const write = (intent: Intent) => saveOutcome(scope, record, intent, note);
  const tryAgain = (intent: Intent, problem: string) =>
    write(planRetry(intent, problem, scope.now()));
  const markMade = (intent: Intent, number: string) =>
    write({ ...intent, state: "done", result: number, next: null, problem: "" });

  const name = externalIdOf(record, epoch);
  const known = intentOf(record, "ticket", epoch);
  if (known !== null && (known.state === "done" || known.state === "unknown")) return record;
  if (known?.state === "sent") {
    const found = await service.find(name);
    if (found.kind !== "ok") return tryAgain(known, problemOf(found));
    if (found.value === "unable") {
      const problem = "the ticket service cannot be asked whether it exists";
      return write({ ...known, state: "unknown", next: null, problem });
    }
    if (found.value !== null) return markMade(known, found.value.number);
  }
  const intent = createSentIntent(record, "ticket", epoch, scope.now());
  record = await scope.save(withIntent(record, intent));
  const transcript = createTranscriptFile(scope, record);
  const link = linkOf(scope, record);
  const created = await service.create({
    externalId: name,
    person: record.person,
    title: titleOf(scope, record),
    message: link === null ? transcript.text : `${link}\n\n${transcript.text}`,
    language: languageOf(record.locale),
    transcript,
    conversation: toConversationParts(record, link),
    fields: scope.settings.ticket.fields,
    idempotencyKey: name,
  });
  if (created.kind === "ok") return markMade(intent, created.value.number);
  if (created.kind === "refused") {
    return write({ ...intent, state: "refused", next: null, problem: problemOf(created) });
  }
  if (!created.sent) return tryAgain({ ...intent, state: "planned" }, created.problem);
  // Only the answer may have been lost, and then "not yet" would be untrue. If no ticket is found,
  // that proves nothing, since the call may still be running.
  const found = await service.find(name);
  return found.kind === "ok" && found.value !== null && found.value !== "unable"
    ? markMade(intent, found.value.number)
    : tryAgain(intent, created.problem);
}

/** Plans the next attempt; after a day it is left to the operator. */
function planRetry(intent: Intent, problem: string, now: number): Intent {
  const next = findNextTry(intent.attempts, intent.first, now);
  if (next === null) {
    const state = intent.state === "sent" ? "unknown" : "refused";
    return { ...intent, state, next, problem: `given up: ${problem}` };
  }
  // A call that was cut off may still be running in the service, so it gets time to finish before
  // it is looked for.
  const soonest = intent.state === "sent" && intent.attempts < 2 ? now + SETTLING_TIME : now;
  return { ...intent, next: Math.max(next, soonest), problem };
}

const SETTLING_TIME = Math.min(5000, lostAfter);

function problemOf(answered: Exclude<CallResult<unknown>, { kind: "ok" }>): string {
  return answered.kind === "refused"
    ? `the ticket service answered ${answered.status}: ${answered.problem}`
    : answered.problem;
}

/** Tells the reader about the state of the ticket. */
export function addTicketLine(
  scope: Scope,
  record: EscalationRecord,
  intent: Intent,
): EscalationRecord {
  if (intent.state !== "done") return addLine(scope, record, lines[intent.state]);
  // An answer by e-mail is promised only to a known address, and only if the owner has confirmed it.
  const about = { ticket: intent.result, own: !scope.settings.ticket.email };
  const text = record.person.email === "" ? null : scope.say(record, "escalation.ticket", about);
  if (text !== null) return addMessage(record, { kind: "line", text });
  return addLine(scope, record, "escalation.ticket-number", { ticket: intent.result });
}

const lines = {
  planned: "escalation.ticket-pending",
  sent: "escalation.ticket-pending",
  unknown: "escalation.unknown",
  refused: "escalation.not-now",
} as const;

/**
 * Uses the question that led to the hand-over, else a general line. A reader who asks for a person
 * has asked the question before that.
 */
function titleOf(scope: Scope, record: EscalationRecord): string {
  const questions = record.question?.split("\n") ?? [];
  const question = record.reason === "words" ? questions[0] : questions.at(-1);
  const words = toPlainText(question ?? "");
  const line = words === "" ? (scope.say(record, "escalation.ticket-title") ?? "") : words;
  const characters = Array.from(line.replaceAll(/\s+/gu, " "));
  if (characters.length <= MAX_TITLE_LENGTH) return line;
  return `${characters.slice(0, MAX_TITLE_LENGTH - 1).join("")}…`;
}

const MAX_TITLE_LENGTH = 120;

/** Returns the conversation's address in the owner's own system, or null. */
function linkOf({ settings }: Scope, { key }: EscalationRecord): string | null {
  return settings.ticket.link?.replaceAll("{conversation}", encodeURIComponent(key)) ?? null;
}
