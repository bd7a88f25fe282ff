import type { EscalationConfig } from "../config/escalation-config.ts";
import { readMailAddress } from "../locales/person.ts";
import { toPlainText } from "../locales/plain-text.ts";
import { languageOf } from "../locales/tag.ts";
import { limitTime } from "../wait.ts";
import { lookForAgent } from "./agent-chat-step.ts";
import { addReason } from "./messages.ts";
import type { EscalationRecord } from "./stores/record.ts";
import type { Reaching, Scope } from "./scope.ts";
import {
  areLabelled,
  askNext,
  type DecisionScope,
  returnQuietly,
  withQuestion,
  createYesOrNo,
} from "./turn.ts";

/** The step of the ladder that could work when an escalation begins. */
export interface FirstStep {
  /** Its place in the ladder; the ladder's length when no step could work. */
  readonly step: number;
  /** Why no agent could come. */
  readonly why: Reaching["why"];
}

/**
 * Finds what could be offered now. A chat service that does not say in time whether an agent is
 * there counts as one with agents: the ladder finds out.
 */
export async function findFirstStep(scope: Scope, locale: string): Promise<FirstStep> {
  const { ladder } = scope.settings;
  const ticket = scope.ticket === null ? -1 : ladder.indexOf("ticket");
  const step = ticket < 0 ? ladder.length : ticket;
  const chatSteps = ladder.slice(0, step).filter((name) => name !== "ticket");
  const [first] = chatSteps;
  if (scope.chat === null || first === undefined) return { step, why: "" };
  const looking = lookForAgent(scope, scope.chat, locale, chatSteps);
  const found = await limitTime(patience, looking, () => "unsure" as const);
  if (found === "hours" || found === "agents") return { step, why: found };
  return { step: ladder.indexOf(first), why: "" };
}

/** How long an answer of the engine waits for the chat service, in milliseconds. */
const patience = 2000;

/**
 * Begins an escalation: an offer of what is possible, or what comes after a yes. `reason` is the
 * trigger's name. Readers who asked for a person are told when nothing is possible; to others,
 * nothing is said.
 */
export function begin(
  scope: DecisionScope,
  record: EscalationRecord,
  reason: string,
  eventId: string,
  agreed: boolean,
  { step, why }: FirstStep,
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
 * The reader's last two lines before the hand-over. A yes, the reader's own name or
 * address, or a dash says nothing of what it is about, and is left out where there is something else.
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

/** Signs that the reader may want a person, unlike what readers or the bot's owner say. */
const guesses: ReadonlySet<string> = new Set(["no-results", "errors", "negative-ratings"]);
