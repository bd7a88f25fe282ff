import type { EscalationConfig } from "../config/escalation-config.ts";
import { cancelOption, type Choice, type AnswerOption, polarOptions } from "./choice.ts";
import { type Field, MOST_TRIES, nextField, readReply, withReply } from "./identity.ts";
import type { EscalationRecord, HandoffPhase } from "./record.ts";
import { addLine, addMessage } from "./sayings.ts";
import type { Scope } from "./scope.ts";
import { languageOf } from "./chat-rung.ts";
import { backToBot } from "./rung.ts";
import { addLines } from "./transcript.ts";

/** What the reader sent: a request of POST /conversation/message as far as escalation reads it. */
export interface ReaderRequest {
  /** What was typed; null for a chosen option or a direct call. */
  readonly question: string | null;
  /** The value of a chosen option as it was sent, or null. */
  readonly option: string | null;
  /** Null when the option is not one of ours. */
  readonly choice: Choice | null;
  /** It says something, and nobody here can read what. */
  readonly unread: boolean;
  /** Hash of the request's bytes: a client that got no answer sends them again. */
  readonly digest: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What a request leads to before anything goes upstream. */
export interface TurnDecision {
  readonly record: EscalationRecord;
  readonly step:
    /** The bot holds the conversation: the engine answers. */
    | "forward"
    /** The ladder is to be climbed. */
    | "climb"
    /** A person holds it: `words` go to the chat. */
    | "relay"
    /**
     * A person holds it, and what the reader sent cannot be read: the engine does not get it
     * either.
     */
    | "unheard"
    /** We answer with what has not been told yet, or with nothing. */
    | "answer";
  readonly words?: string;
}

/**
 * Decides who gets a reader's request, and what the record is then. Pure. The same request again
 * within seconds is a retry: it changes nothing, and gets again what the first one got.
 */
export function decideTurn(
  scope: DecisionScope,
  record: EscalationRecord,
  says: ReaderRequest,
): TurnDecision {
  const { phase } = record;
  if (isRepeated(record, says)) {
    if (phase.name === "reaching") return { record, step: "climb" };
    const atEngine = record.counts.last?.ours !== true;
    const held = phase.name === "waiting" || phase.name === "talking";
    // What the engine answered it answers again, and the offer behind it is made once more.
    if (atEngine && !held) return { record, step: "forward" };
    return { record: { ...record, delivered: record.deliveredBefore }, step: "answer" };
  }
  switch (phase.name) {
    case "bot":
      // A choice of an offer that is over is no question for the engine.
      return { record, step: says.choice === null ? "forward" : "answer" };
    case "offered":
      return offered(scope, record, says);
    case "identity":
      return identified(scope, record, phase, says);
    case "reaching":
      if (says.unread) return { record, step: "unheard" };
      return { record: noted(record, says), step: "climb" };
    case "waiting":
    case "talking":
      return held(record, says);
  }
}

/** What deciding needs of a {@link Scope}. */
export type DecisionScope = Pick<Scope, "settings" | "recognition" | "say" | "now">;

/** Begins an escalation: an offer, or what comes after a yes. `reason` is the trigger's name. */
export function begin(
  scope: DecisionScope,
  record: EscalationRecord,
  reason: string,
  eventId: string,
  agreed: boolean,
): EscalationRecord {
  const epoch = record.epoch + 1;
  const counts = { ...record.counts, escalations: record.counts.escalations + 1 };
  const begun: EscalationRecord = {
    ...record,
    epoch,
    counts,
    eventId: record.eventId === "" ? eventId : record.eventId,
  };
  if (agreed || scope.settings.offer === "direct") return accepted(scope, begun);
  return offering(scope, begun, { name: "offered", reason, at: scope.now() }) ?? record;
}

/** Null: without words there is no offer, and without labels nothing to choose. */
function offering(
  scope: DecisionScope,
  record: EscalationRecord,
  phase: PhaseNamed<"offered">,
): EscalationRecord | null {
  const text = scope.say(record, "escalation.offer") ?? "";
  const options = polarOptions(
    scope.say(record, "escalation.yes") ?? "",
    scope.say(record, "escalation.no") ?? "",
    record.epoch,
  );
  if (text === "" || options.some(({ label }) => label === "")) return null;
  return questioning(scope, { ...record, phase }, text, options);
}

/** Asks the reader something of our own: an agent, or a ticket, shows what was asked. */
function questioning(
  scope: DecisionScope,
  record: EscalationRecord,
  text: string,
  options: readonly AnswerOption[],
): EscalationRecord {
  const asked = addMessage(record, { kind: "line", text, ...(options.length > 0 && { options }) });
  const line = { who: "afterword", said: text, at: Math.floor(scope.now() / 1000) } as const;
  return { ...asked, ...addLines(asked, [line]) };
}

type PhaseNamed<Name extends HandoffPhase["name"]> = Extract<HandoffPhase, { name: Name }>;

/** True when this conversation may be escalated once more for this reason. */
export function mayBegin(
  settings: EscalationConfig,
  { phase, counts }: EscalationRecord,
  reason: string,
  now: number,
): boolean {
  if (phase.name !== "bot" || counts.escalations >= settings.atMost) return false;
  return now >= phase.quietUntil || !isGuess(reason);
}

/**
 * Signs that the reader may want a person, unlike a wish that they or the bot's owner have told.
 */
function isGuess(reason: string): boolean {
  return reason === "no-results" || reason === "errors" || reason === "negative-ratings";
}

function offered(
  scope: DecisionScope,
  record: EscalationRecord,
  says: ReaderRequest,
): TurnDecision {
  const answer = answerOf(scope, record, says);
  const now = noted(record, says);
  if (answer === "yes") return onwards(accepted(scope, now));
  if (answer === "no") return { record: declined(scope, now), step: "answer" };
  if (says.choice !== null) return { record: now, step: "answer" };
  // The reader goes on with something else: that is an answer too.
  return {
    record: { ...record, phase: { name: "bot", quietUntil: quietly(scope) } },
    step: "forward",
  };
}

function answerOf(
  { recognition }: DecisionScope,
  record: EscalationRecord,
  { question, choice }: ReaderRequest,
): "yes" | "no" | null {
  if (choice === null)
    return question === null ? null : recognition.polarOf(question, languageOf(record));
  if (choice.kind === "unknown" || choice.epoch !== record.epoch) return null;
  return choice.kind === "yes" ? "yes" : "no";
}

function identified(
  scope: DecisionScope,
  record: EscalationRecord,
  phase: PhaseNamed<"identity">,
  says: ReaderRequest,
): TurnDecision {
  const { question, choice } = says;
  const now = noted(record, says);
  // A client that jumps elsewhere has left the form.
  if (question === null && choice === null) {
    const left: HandoffPhase = { name: "bot", quietUntil: quietly(scope) };
    return { record: { ...record, phase: left }, step: "forward" };
  }
  const { field, tries } = phase;
  const meant = choice !== null && choice.kind !== "unknown" && choice.epoch === record.epoch;
  if (choice !== null && !meant)
    return { record: asking(scope, now, field, tries), step: "answer" };
  const reply = readReply(scope.recognition, field, question, choice, languageOf(record));
  if (reply.kind === "cancel") return { record: declined(scope, now), step: "answer" };
  if (reply.kind === "no") return { record: refused(scope, now), step: "answer" };
  if (reply.kind === "invalid") {
    if (tries + 1 < MOST_TRIES) {
      return { record: asking(scope, now, field, tries + 1), step: "answer" };
    }
    if (field === "consent") return { record: refused(scope, now), step: "answer" };
    return onwards(asked(scope, now, field));
  }
  const person = withReply(record.person, field, reply);
  return onwards(asked(scope, { ...now, person }, field));
}

function held(record: EscalationRecord, says: ReaderRequest): TurnDecision {
  if (says.unread) return { record, step: "unheard" };
  const label = record.options.find(({ value }) => value === says.option)?.label ?? null;
  const words = says.question ?? (says.choice === null ? label : null);
  if (words === null) return answering(record, says);
  return { record: noted(record, says, words), step: "relay", words };
}

function onwards(record: EscalationRecord): TurnDecision {
  return { record, step: record.phase.name === "reaching" ? "climb" : "answer" };
}

function answering(record: EscalationRecord, says: ReaderRequest): TurnDecision {
  return { record: noted(record, says), step: "answer" };
}

/** After a yes: what is not known yet is asked, then the ladder. */
function accepted(scope: DecisionScope, record: EscalationRecord): EscalationRecord {
  return asked(scope, record, null);
}

function asked(
  scope: DecisionScope,
  record: EscalationRecord,
  after: Field | null,
): EscalationRecord {
  const field = nextField(scope.settings.identity, record.person, after);
  if (field !== null) return asking(scope, record, field, 0);
  const since = scope.now();
  return { ...record, phase: { name: "reaching", step: 0, since, why: "" } };
}

function asking(
  scope: DecisionScope,
  record: EscalationRecord,
  field: Field,
  tries: number,
): EscalationRecord {
  const again = field === "email" && tries > 0;
  const key = again ? "escalation.ask-email-again" : (`escalation.ask-${field}` as const);
  const text = scope.say(record, key) ?? "";
  // What has no words cannot be asked.
  if (text === "") return asked(scope, record, field);
  const { epoch } = record;
  const options =
    field === "consent"
      ? polarOptions(
          scope.say(record, "escalation.yes") ?? "",
          scope.say(record, "escalation.no") ?? "",
          epoch,
        )
      : [cancelOption(scope.say(record, "escalation.cancel") ?? "", epoch)];
  const chosen = options.every(({ label }) => label !== "") ? options : [];
  const phase = { name: "identity", field, tries } as const;
  return questioning(scope, { ...record, phase }, text, chosen);
}

function declined(scope: DecisionScope, record: EscalationRecord): EscalationRecord {
  return addLine(scope, backToBot(scope, record), "escalation.declined");
}

function refused(scope: DecisionScope, record: EscalationRecord): EscalationRecord {
  return addLine(scope, backToBot(scope, record), "escalation.consent-refused");
}

function quietly(scope: DecisionScope): number {
  return scope.now() + scope.settings.coolDown;
}

/**
 * The record after a request that is not the engine's: counted, and in the transcript with what the
 * reader wrote or chose.
 */
function noted(
  record: EscalationRecord,
  says: ReaderRequest,
  words: string | null = wordsOf(record, says),
): EscalationRecord {
  const counts = {
    ...record.counts,
    turns: record.counts.turns + 1,
    last: { digest: says.digest, at: says.at, ours: true },
  } as const;
  const line = { who: "reader", said: words ?? "", at: Math.floor(says.at / 1000) } as const;
  return {
    ...record,
    ...(words !== null && words !== "" && addLines(record, [line])),
    counts,
    deliveredBefore: record.delivered,
  };
}

/** The words of a request: what was typed, else the label of what was chosen. */
export function wordsOf(
  record: EscalationRecord,
  { question, option }: ReaderRequest,
): string | null {
  if (question !== null) return question;
  if (option === null) return null;
  const ours = record.messages.flatMap(({ options = [] }) => options);
  const all = [...ours, ...record.options];
  return all.find(({ value }) => value === option)?.label ?? null;
}

function isRepeated(
  { counts: { last } }: EscalationRecord,
  { digest, at }: ReaderRequest,
): boolean {
  return last !== null && last.digest === digest && Math.abs(at - last.at) <= repeatedWithin;
}

/** The same bytes again within this are a client's retry, in milliseconds. */
const repeatedWithin = 5000;
