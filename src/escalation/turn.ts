import { languageOf } from "../locales/tag.ts";
import { addLine, addMessage } from "./records/messages.ts";
import {
  type QuestionOption,
  cancelOption,
  type Choice,
  type PersonField,
  MAX_TRIES,
  findNextField,
  createPolarOptions,
  readReply,
  withReply,
} from "./questions.ts";
import { chatOf, type EscalationRecord, type HandoffPhase } from "./stores/record.ts";
import { backToBot, type ReaderScope } from "./records/scope.ts";
import { withReader } from "./records/signs.ts";
import { addLines } from "./records/transcript.ts";
import { isRepeated } from "./triggers/counts.ts";

/** The part of a request of POST /conversation/message that escalation reads. */
export interface ReaderRequest {
  /** The typed text; null for a chosen option or a direct call. */
  readonly question: string | null;
  /** The value of a chosen option as it was sent, or null. */
  readonly option: string | null;
  /** Null when the option is none of Afterword's. */
  readonly choice: Choice | null;
  /** True if the request contains something that Afterword cannot read. */
  readonly unreadable: boolean;
  /** Hash of the request's bytes, by which a client's retry is recognized. */
  readonly digest: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** True if somebody tries the bot, and is no reader. */
  readonly isTest: boolean;
}

/** The decision about a request before anything goes upstream. */
export type TurnDecision = { readonly record: EscalationRecord } & (
  | {
      readonly action:
        /** The bot has the conversation, so the engine answers. */
        | "forward"
        /** The steps of the hand-over are taken. */
        | "advance"
        /** A person has it, and the request cannot be read: neither they nor the engine get it. */
        | "not-delivered"
        /** Afterword answers with the messages that are not delivered yet, or with nothing. */
        | "answer";
    }
  /** A person has it, so the words go to the chat. */
  | { readonly action: "relay"; readonly words: string }
);

/** Decides who answers a request, and the new record. Pure. A retry within seconds changes nothing. */
export function decideTurn(
  scope: DecisionScope,
  record: EscalationRecord,
  request: ReaderRequest,
): TurnDecision {
  const { phase } = record;
  if (isRepeated(record.counts, request)) {
    if (phase.name === "reaching") return { record, action: "advance" };
    const byEngine = record.counts.last?.ours !== true;
    // The engine repeats its answer, and the offer that follows it is repeated too.
    if (byEngine && chatOf(record) === null) return { record, action: "forward" };
    return { record: { ...record, delivered: record.deliveredBefore }, action: "answer" };
  }
  switch (phase.name) {
    case "bot":
      // The engine does not know the options of an earlier offer.
      return { record, action: request.choice === null ? "forward" : "answer" };
    case "offered":
      return decideAfterOffer(scope, record, request);
    case "identity":
      return decideAfterQuestion(scope, record, phase, request);
    case "reaching":
      if (request.unreadable) return { record, action: "not-delivered" };
      return { record: noteRequest(record, request), action: "advance" };
    case "waiting":
    case "talking":
      return decideForPerson(record, request);
  }
}

/** The part of a {@link ReaderScope} that deciding needs. */
export type DecisionScope = Pick<ReaderScope, "settings" | "recognition" | "say" | "now">;

function decideAfterOffer(
  scope: DecisionScope,
  record: EscalationRecord,
  request: ReaderRequest,
): TurnDecision {
  const answer = answerOf(scope, record, request);
  const now = noteRequest(record, request);
  if (answer === "yes") return toDecision(askNext(scope, now, null));
  if (answer === "no") return { record: declineOffer(scope, now), action: "answer" };
  if (request.choice !== null) return { record: now, action: "answer" };
  // A reader who asks something else has declined the offer.
  return { record: returnQuietly(scope, record), action: "forward" };
}

function answerOf(
  { recognition }: DecisionScope,
  record: EscalationRecord,
  { question, choice }: ReaderRequest,
): "yes" | "no" | null {
  if (choice === null) {
    if (question === null) return null;
    const language = languageOf(record.locale);
    // "Never mind" declines an offer.
    return recognition.isCancel(question, language)
      ? "no"
      : recognition.polarOf(question, language);
  }
  if (choice.kind === "unknown" || choice.epoch !== record.epoch) return null;
  return choice.kind === "yes" ? "yes" : "no";
}

function decideAfterQuestion(
  scope: DecisionScope,
  record: EscalationRecord,
  { field, tries }: Extract<HandoffPhase, { name: "identity" }>,
  request: ReaderRequest,
): TurnDecision {
  const { question, choice } = request;
  // A direct call leaves the form.
  if (question === null && choice === null) {
    return { record: returnQuietly(scope, record), action: "forward" };
  }
  const now = noteRequest(record, request);
  const isMeant = choice !== null && choice.kind !== "unknown" && choice.epoch === record.epoch;
  if (choice !== null && !isMeant) {
    return { record: askFor(scope, now, field, tries), action: "answer" };
  }
  const reply = readReply(scope.recognition, field, question, choice, languageOf(record.locale));
  if (reply.kind === "cancel") return { record: declineOffer(scope, now), action: "answer" };
  if (reply.kind === "no") return { record: withoutConsent(scope, now), action: "answer" };
  if (reply.kind === "invalid") {
    if (tries + 1 < MAX_TRIES) {
      return { record: askFor(scope, now, field, tries + 1), action: "answer" };
    }
    if (field === "consent") return { record: withoutConsent(scope, now), action: "answer" };
    return toDecision(askNext(scope, now, field));
  }
  const person = withReply(record.person, field, reply);
  return toDecision(askNext(scope, { ...now, person }, field));
}

function decideForPerson(record: EscalationRecord, request: ReaderRequest): TurnDecision {
  if (request.unreadable) return { record, action: "not-delivered" };
  const label = record.options.find(({ value }) => value === request.option)?.label ?? null;
  const words = request.question ?? (request.choice === null ? label : null);
  // A reader who writes has seen the delivered messages.
  const now = withReader(record, record.delivered);
  if (words === null) return { record: noteRequest(now, request), action: "answer" };
  return { record: noteRequest(now, request, words), action: "relay", words };
}

function toDecision(record: EscalationRecord): TurnDecision {
  return { record, action: record.phase.name === "reaching" ? "advance" : "answer" };
}

/** Asks for the next detail that is unknown. Once all are known, the hand-over begins. */
export function askNext(
  scope: DecisionScope,
  record: EscalationRecord,
  after: PersonField | null,
): EscalationRecord {
  const field = findNextField(scope.settings.identity, record.person, after);
  if (field !== null) return askFor(scope, record, field, 0);
  const { step = 0 } = stepOf(record);
  return { ...record, phase: { name: "reaching", step, since: scope.now(), why: "" } };
}

function askFor(
  scope: DecisionScope,
  record: EscalationRecord,
  field: PersonField,
  tries: number,
): EscalationRecord {
  const again = field === "email" && tries > 0;
  const key = again ? "escalation.ask-email-again" : (`escalation.ask-${field}` as const);
  const text = scope.say(record, key) ?? "";
  // A question without a text is skipped.
  if (text === "") return askNext(scope, record, field);
  const options =
    field === "consent"
      ? createYesOrNo(scope, record)
      : [cancelOption(scope.say(record, "escalation.cancel") ?? "", record.epoch)];
  const phase = { name: "identity", field, tries, ...stepOf(record) } as const;
  return withQuestion(scope, { ...record, phase }, text, areLabelled(options) ? options : []);
}

/** Finds the step that the offer was made for; empty for the first. */
function stepOf({ phase }: EscalationRecord): { readonly step?: number } {
  if (phase.name !== "offered" && phase.name !== "identity") return {};
  return phase.step === undefined ? {} : { step: phase.step };
}

export function createYesOrNo(
  scope: DecisionScope,
  record: EscalationRecord,
): readonly QuestionOption[] {
  const yes = scope.say(record, "escalation.yes") ?? "";
  return createPolarOptions(yes, scope.say(record, "escalation.no") ?? "", record.epoch);
}

export function areLabelled(options: readonly QuestionOption[]): boolean {
  return options.every(({ label }) => label !== "");
}

/** Adds a question to the messages and to the transcript, so that agents see what was asked. */
export function withQuestion(
  scope: DecisionScope,
  record: EscalationRecord,
  text: string,
  options: readonly QuestionOption[],
): EscalationRecord {
  const next = addMessage(record, { kind: "line", text, ...(options.length > 0 && { options }) });
  const line = { who: "afterword", said: text, at: Math.floor(scope.now() / 1000) } as const;
  return { ...next, ...addLines(next, [line]) };
}

function declineOffer(scope: DecisionScope, record: EscalationRecord): EscalationRecord {
  return addLine(scope, backToBot(scope, record), "escalation.declined");
}

function withoutConsent(scope: DecisionScope, record: EscalationRecord): EscalationRecord {
  return addLine(scope, backToBot(scope, record), "escalation.consent-refused");
}

/** Returns to the bot without a message. Nothing is offered for a while. */
export function returnQuietly(scope: DecisionScope, record: EscalationRecord): EscalationRecord {
  const quietUntil = scope.now() + scope.settings.coolDown;
  return { ...record, phase: { name: "bot", quietUntil } };
}

/** Counts a request that the engine does not get, and adds it to the transcript. */
function noteRequest(
  record: EscalationRecord,
  request: ReaderRequest,
  words: string | null = wordsOf(record, request),
): EscalationRecord {
  const counts = {
    ...record.counts,
    turns: record.counts.turns + 1,
    last: { digest: request.digest, at: request.at, ours: true },
  } as const;
  const line = { who: "reader", said: words ?? "", at: Math.floor(request.at / 1000) } as const;
  return {
    ...record,
    ...(words !== null && words !== "" && addLines(record, [line])),
    counts,
    deliveredBefore: record.delivered,
  };
}

/** Returns the words of a request: the typed text, or the label of the chosen option. */
export function wordsOf(
  record: EscalationRecord,
  { question, option }: Pick<ReaderRequest, "question" | "option">,
): string | null {
  if (question !== null) return question;
  if (option === null) return null;
  const ours = record.messages.flatMap(({ options = [] }) => options);
  return [...ours, ...record.options].find(({ value }) => value === option)?.label ?? null;
}
