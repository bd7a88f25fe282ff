import { languageOf } from "./chat-rung.ts";
import { fileOf, titleOf } from "./hand-over.ts";
import { externalIdOf } from "./names.ts";
import { saveOutcome, type ReaderNote } from "./outcome.ts";
import type { Answered } from "./services/answered.ts";
import type { TicketService } from "./services/ticket-service.ts";
import type { EscalationRecord, Intent } from "./record.ts";
import { crashed, intentOf, nextTry, sending, withIntent } from "./retries.ts";
import { type StepResult, backToBot, type Reaching } from "./rung.ts";
import { addLine } from "./sayings.ts";
import type { Scope } from "./scope.ts";

/**
 * Makes a ticket of the conversation. The reader is told what is true: that it exists; that it
 * could not be made yet and is tried again; or that nobody can tell.
 */
export async function ticketStep(
  scope: Scope,
  record: EscalationRecord,
  phase: Reaching,
): Promise<StepResult> {
  if (scope.ticket === null) return { record: { ...record, phase }, next: true };
  const tried = await makeTicket(scope, scope.ticket, record, record.epoch);
  const intent = intentOf(tried, "ticket");
  if (intent === null || intent.state === "refused") {
    return { record: { ...tried, phase }, next: true };
  }
  return {
    record: await scope.save(backToBot(scope, addTicketLine(scope, tried, intent))),
    next: false,
  };
}

/** `tells`: what the reader is told when that is decided; absent: whoever asked tells it. */
type WithNote = Scope & { readonly tells?: ReaderNote };

/**
 * One attempt at the ticket of an epoch. Looks first where an earlier call may have made it; what
 * is undecidable is never sent again.
 *
 * @returns the record as saved, its intent telling what came of it
 */
export async function makeTicket(
  scope: WithNote,
  door: TicketService,
  begun: EscalationRecord,
  epoch: number,
): Promise<EscalationRecord> {
  let record = begun;
  const name = externalIdOf(record, epoch);
  const known = intentOf(record, "ticket", epoch);
  if (known !== null && (known.state === "done" || known.state === "unknown")) return record;
  if (known?.state === "sent") {
    const found = await door.find(name);
    if (found.kind !== "ok") return again(scope, record, known, problemOf(found));
    if (found.value === "unable") {
      return write(scope, record, {
        ...known,
        state: "unknown",
        next: null,
        problem: "the ticket service cannot be asked whether it exists",
      });
    }
    if (found.value !== null) return made(scope, record, known, found.value.number);
  }
  const intent = sending(record, "ticket", epoch, scope.now());
  record = await scope.save(withIntent(record, intent));
  const file = fileOf(scope, record);
  const created = await door.create({
    externalId: name,
    person: record.person,
    title: titleOf(scope, record),
    message: messageOf(scope, record, file.text),
    language: languageOf(record),
    transcript: file,
    fields: scope.settings.ticket.fields,
    idempotencyKey: name,
  });
  if (created.kind === "ok") return made(scope, record, intent, created.value.number);
  if (created.kind === "refused") {
    const problem = problemOf(created);
    return write(scope, record, { ...intent, state: "refused", next: null, problem });
  }
  if (!created.sent) {
    return again(scope, record, { ...intent, state: "planned" }, created.problem);
  }
  return again(scope, record, intent, created.problem);
}

/** The transcript, and where the conversation stands in the owner's own system. */
function messageOf(scope: Scope, record: EscalationRecord, transcript: string): string {
  const { link } = scope.settings.ticket;
  if (link === null) return transcript;
  return `${link.replaceAll("{conversation}", encodeURIComponent(record.key))}\n\n${transcript}`;
}

/** Says what is true of the ticket. */
export function addTicketLine(
  scope: Scope,
  record: EscalationRecord,
  intent: Intent,
): EscalationRecord {
  if (intent.state !== "done") return addLine(scope, record, lines[intent.state]);
  // An answer by e-mail is promised to those who have told an address.
  const key = record.person.email === "" ? "escalation.ticket-number" : "escalation.ticket";
  return addLine(scope, record, key, { ticket: intent.result });
}

const lines = {
  planned: "escalation.ticket-pending",
  sent: "escalation.ticket-pending",
  unknown: "escalation.unknown",
  refused: "escalation.not-now",
} as const;

function made(
  scope: WithNote,
  record: EscalationRecord,
  intent: Intent,
  number: string,
): Promise<EscalationRecord> {
  return write(scope, record, {
    ...intent,
    state: "done",
    result: number,
    next: null,
    problem: "",
  });
}

/** To be tried again; after a day it is for the operator. */
function again(
  scope: WithNote,
  record: EscalationRecord,
  intent: Intent,
  problem: string,
): Promise<EscalationRecord> {
  const now = scope.now();
  const next = nextTry(intent.attempts, intent.first, now);
  if (next === null) {
    const state = intent.state === "sent" ? "unknown" : "refused";
    return write(scope, record, { ...intent, state, next, problem: `given up: ${problem}` });
  }
  // A call that was cut off may still be under way over there: it gets the time to arrive before it
  // is looked for.
  const soonest = intent.state === "sent" && intent.attempts < 2 ? now + settling : now;
  return write(scope, record, { ...intent, next: Math.max(next, soonest), problem });
}

const settling = Math.min(5000, crashed);

function write(
  scope: WithNote,
  record: EscalationRecord,
  intent: Intent,
): Promise<EscalationRecord> {
  return saveOutcome(scope, record, intent, scope.tells);
}

function problemOf(answered: Exclude<Answered<unknown>, { kind: "ok" }>): string {
  return answered.kind === "refused"
    ? `the ticket service answered ${answered.status}: ${answered.problem}`
    : answered.problem;
}
