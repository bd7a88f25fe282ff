import type { EscalationConfig } from "../config/escalation-config.ts";
import { readMailAddress } from "../locales/person.ts";
import { toPlainText } from "../locales/plain-text.ts";
import { languageOf } from "../locales/tag.ts";
import { limitTime } from "../wait.ts";
import { lookForAgent } from "./agent-chat-step.ts";
import { addReason } from "./records/messages.ts";
import type { EscalationRecord } from "./stores/record.ts";
import type { Reaching, Scope } from "./records/scope.ts";
import {
  areLabelled,
  askNext,
  type DecisionScope,
  returnQuietly,
  withQuestion,
  createYesOrNo,
} from "./turn.ts";

/** The first step of the hand-over that could work when an escalation begins. */
export interface FirstStep {
  /** Index of the step in the ladder; the ladder's length when no step could work. */
  readonly step: number;
  /** Why no agent could come. */
  readonly why: Reaching["why"];
}

/**
 * Finds the step that could be offered now. If the chat service does not say in time whether an
 * agent is available, its step is offered, and taking it finds out.
 */
export async function findFirstStep(scope: Scope, locale: string): Promise<FirstStep> {
  const { ladder } = scope.settings;
  const ticket = scope.ticket === null ? -1 : ladder.indexOf("ticket");
  const step = ticket < 0 ? ladder.length : ticket;
  const chatSteps = ladder.slice(0, step).filter((name) => name !== "ticket");
  const [first] = chatSteps;
  if (scope.chat === null || first === undefined) return { step, why: "" };
  const looking = lookForAgent(scope, scope.chat, locale, chatSteps);
  const found = await limitTime(maxWait, looking, () => "unsure" as const);
  if (found === "hours" || found === "agents") return { step, why: found };
  return { step: ladder.indexOf(first), why: "" };
}

/** Milliseconds for which an answer of the engine waits for the chat service. */
const maxWait = 2000;

interface Beginning {
  /** The name of the trigger. */
  readonly reason: string;
  /** For a record without one. */
  readonly eventId: string;
  /** True if the reader has agreed already. */
  readonly agreed: boolean;
  readonly first: FirstStep;
}

/**
 * Begins an escalation with an offer, or with the first step if the reader has agreed. When no step
 * is possible, only readers who asked for a person are told.
 */
export function beginEscalation(
  scope: DecisionScope,
  record: EscalationRecord,
  { reason, eventId, agreed, first: { step, why } }: Beginning,
): EscalationRecord {
  const { ladder, offer } = scope.settings;
  const isPossible = step < ladder.length;
  if (!isPossible && guesses.has(reason)) return returnQuietly(scope, record);
  const begun: EscalationRecord = {
    ...record,
    epoch: record.epoch + 1,
    reason,
    question: findQuestions(scope, record),
    counts: { ...record.counts, escalations: record.counts.escalations + (isPossible ? 1 : 0) },
    eventId: record.eventId === "" ? eventId : record.eventId,
  };
  if (!isPossible) {
    return { ...begun, phase: { name: "reaching", step, since: scope.now(), why } };
  }
  if (agreed || offer === "direct") return askNext(scope, begun, null);
  const isTicket = ladder[step] === "ticket";
  const line = isTicket ? "escalation.offer-message" : "escalation.offer";
  const text = scope.say(begun, line) ?? "";
  const options = createYesOrNo(scope, begun);
  // Without words there is no offer, and without labels nothing to choose.
  if (text === "" || !areLabelled(options)) return record;
  const phase = { name: "offered", reason, at: scope.now(), ...(step > 0 && { step }) } as const;
  return withQuestion(scope, addReason(scope, { ...begun, phase }, why), text, options);
}

/**
 * Finds the reader's last two lines before the hand-over. A yes, the reader's own name or address,
 * or a dash does not say what it is about, and is left out if there are other lines.
 */
function findQuestions({ recognition }: DecisionScope, record: EscalationRecord): string {
  const language = languageOf(record.locale);
  const lines = record.lines.flatMap(({ who, said }) =>
    who === "reader" ? [toPlainText(said.slice(0, 400))] : [],
  );
  const telling = lines.filter(
    (line) =>
      /\p{L}/u.test(line) &&
      readMailAddress(line) === null &&
      line !== record.person.name &&
      recognition.polarOf(line, language) === null &&
      !recognition.isCancel(line, language),
  );
  return (telling.length === 0 ? lines : telling).slice(-2).join("\n");
}

/** True when this conversation may be escalated once more for this reason. */
export function mayBegin(
  settings: EscalationConfig,
  { phase, counts }: EscalationRecord,
  reason: string,
  now: number,
): boolean {
  if (phase.name !== "bot" || counts.escalations >= settings.atMost) return false;
  return now >= phase.quietUntil || !guesses.has(reason);
}

/**
 * Reasons that only suggest that the reader wants a person. With the others, the reader or the
 * bot's owner asks for one.
 */
const guesses: ReadonlySet<string> = new Set(["no-results", "errors", "negative-ratings"]);
