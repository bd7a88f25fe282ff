import type { TriggerConfig } from "../../config/escalation-config.ts";
import { type Flag, toFlag } from "../../direct-answers/flags.ts";
import { toComparable, recognize, recognizersOf } from "../../direct-answers/recognition.ts";
import type { InstanceRules } from "../../direct-answers/types.ts";
import { compileCondition } from "../../locales/condition.ts";
import type { Recognition } from "../../locales/recognition.ts";
import type { LineContext } from "../../locales/types.ts";
import type { AnswerFacts, TurnFacts } from "./facts.ts";
import type { Counts } from "../stores/record.ts";
import { isReached, isRepeated } from "./counts.ts";
import { asksForPerson } from "./words.ts";

/** One turn of the reader with its answer. */
export interface JudgedTurn {
  /** Null if the engine did not answer, or not in the format of this route. */
  readonly facts: TurnFacts | null;
  /** The typed text; null for a chosen option or a direct call. */
  readonly question: string | null;
  /** Hash of the request's bytes. */
  readonly digest: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface Judgement {
  readonly counts: Counts;
  /** Why a person is needed, as {@link judge} lists it, or null. */
  readonly reason: string | null;
  /** The index of the answer with the reason, whose flags get `escalate`; -1: there is none. */
  readonly answer: number;
  /** True for a retry of the last request: nothing was counted, and the reason is the same. */
  readonly repeated: boolean;
}

/**
 * Judges a turn. The requests of the reader and the rules of the bot's owner come before guesses
 * from consecutive turns: `words`, `escalate`, `flag:<flag>`, `callback:<name>`,
 * `direct-call:<name>`, `rule:<name>`, `negative-ratings`, `no-results`, `errors`.
 *
 * A turn counts once, however many answers it has. It has no result if an answer says so (by flag,
 * or by the title of default content that hides the flag) and no other answer helped. An answer that
 * helped resets both counts, as in known clients (chatbot.md, 4.1 rule 7). A turn with neither, such
 * as a welcome or a form's next question, leaves both counts unchanged. Pure.
 */
export function judge(
  triggers: TriggerConfig,
  counts: Counts,
  turn: JudgedTurn,
  context: LineContext,
  rules: InstanceRules,
  recognition: Recognition,
): Judgement {
  const { facts } = turn;
  if (isRepeated(counts, turn)) {
    const { reason = null, answer = -1 } = counts.last ?? {};
    return { counts, reason, answer, repeated: true };
  }
  const asked = asksForPerson(triggers, recognition, turn.question, context.locale);
  if (facts === null) {
    return { counts, reason: asked ? "words" : null, answer: -1, repeated: false };
  }
  const answers = facts.answers.map((answer) => judgeAnswer(answer, rules));
  const next = countTurn(counts, answers);
  const found = asked
    ? { reason: "words", answer: answers.length - 1 }
    : (findStated(triggers, answers, next.turns, context) ?? guessTrigger(triggers, next, answers));
  const last = { digest: turn.digest, at: turn.at, ...found };
  const { reason, answer } = found ?? { reason: null, answer: -1 };
  return { counts: { ...next, last }, reason, answer, repeated: false };
}

/** An answer with the flag that it has or hides. */
interface JudgedAnswer {
  readonly facts: AnswerFacts;
  readonly flags: readonly Flag[];
  readonly outcome: Outcome;
}

type Outcome = "helped" | "no-results" | "error" | "neither";

/** The outcome of a turn by its direct answer. Every other flag helped. */
const outcomes: ReadonlyMap<Flag, Outcome> = new Map([
  ["no-results", "no-results"],
  ["all-options-discarded", "no-results"],
  ["no-subset-match", "no-results"],
  ["conversation-error-message", "error"],
  ["generic-error-message", "error"],
  ["webhook-bad-request", "error"],
  ["webhook-wrong-field", "error"],
  ["character-limit-exceeded", "neither"],
  ["follow-up-question", "neither"],
  ["form-continue", "neither"],
  ["form-retry", "neither"],
  ["no-question", "neither"],
  ["welcome", "neither"],
]);

function judgeAnswer(facts: AnswerFacts, rules: InstanceRules): JudgedAnswer {
  const named = facts.flags.flatMap((name) => toFlag(name) ?? []);
  const flags = named.length > 0 ? named : findHidden(facts, rules);
  return { facts, flags, outcome: facts.node === null ? "neither" : outcomeOf(flags) };
}

/** Finds the flag of active default content by its title or its text. */
function findHidden({ titles, text }: AnswerFacts, rules: InstanceRules): readonly Flag[] {
  const flag = recognize(recognizersOf(rules), titles, text);
  return flag === null ? [] : [flag];
}

function outcomeOf(flags: readonly Flag[]): Outcome {
  const found = flags.map((flag) => outcomes.get(flag) ?? "helped");
  return (
    (["no-results", "error", "neither"] as const).find((one) => found.includes(one)) ?? "helped"
  );
}

function countTurn(counts: Counts, answers: readonly JudgedAnswer[]): Counts {
  const has = (outcome: Outcome): boolean => answers.some((answer) => answer.outcome === outcome);
  const turns = counts.turns + 1;
  if (has("helped")) return { ...counts, turns, noResults: 0, errors: 0 };
  return {
    ...counts,
    turns,
    noResults: counts.noResults + (has("no-results") ? 1 : 0),
    errors: counts.errors + (has("error") ? 1 : 0),
  };
}

interface FoundReason {
  readonly reason: string;
  readonly answer: number;
}

/** The signals of the engine and the owner's rules, by kind. The first that applies wins. */
const statements: readonly ((
  triggers: TriggerConfig,
  answer: JudgedAnswer,
  turns: number,
  context: LineContext,
) => string | null)[] = [
  ({ escalateFlag }, { facts }) => {
    const isMarked = facts.attributes.get("escalate")?.trim().toLowerCase() === "true";
    return escalateFlag && (isMarked || facts.flags.includes("escalate")) ? "escalate" : null;
  },
  (triggers, { flags }) => findNamed("flag", flags, triggers.flags),
  ({ callbacks }, { facts }) => findNamed("callback", facts.callbacks, callbacks),
  ({ directCalls }, { facts }) => findNamed("direct-call", facts.directCalls, directCalls),
  ({ rules }, answer, turns, context) => {
    const held = rules.find((rule) => holds(rule, answer, turns, context));
    return held === undefined ? null : `rule:${held.name}`;
  },
];

function findStated(
  triggers: TriggerConfig,
  answers: readonly JudgedAnswer[],
  turns: number,
  context: LineContext,
): FoundReason | null {
  for (const statement of statements) {
    for (const [answer, judged] of answers.entries()) {
      const reason = statement(triggers, judged, turns, context);
      if (reason !== null) return { reason, answer };
    }
  }
  return null;
}

function findNamed(
  kind: string,
  found: readonly string[],
  configured: readonly string[],
): string | null {
  const name = found.find((one) => configured.includes(one));
  return name === undefined ? null : `${kind}:${name}`;
}

function holds(
  rule: TriggerConfig["rules"][number],
  { facts, flags }: JudgedAnswer,
  turns: number,
  context: LineContext,
): boolean {
  const { flag, title, attribute, scoreBelow } = rule;
  if (facts.node === null) return false;
  if (flag !== undefined && !facts.flags.includes(flag) && !flags.some((one) => one === flag))
    return false;
  if (title !== undefined && !facts.titles.some((one) => toComparable(one) === toComparable(title)))
    return false;
  if (attribute !== undefined) {
    const value = facts.attributes.get(attribute.name.toLowerCase());
    if (value === undefined || toComparable(value) !== toComparable(attribute.value)) return false;
  }
  if (scoreBelow !== undefined && !(facts.score !== null && facts.score < scoreBelow)) return false;
  if (rule.turns !== undefined && turns < rule.turns) return false;
  return compileCondition(rule.when)(context);
}

/**
 * Guesses a reason from consecutive turns. Ratings come between turns, so they count with the next
 * answer.
 */
function guessTrigger(
  triggers: TriggerConfig,
  next: Counts,
  answers: readonly JudgedAnswer[],
): FoundReason | null {
  const last = answers.length - 1;
  const findLastOutcome = (outcome: Outcome): number =>
    answers.findLastIndex((answer) => answer.outcome === outcome);
  if (isReached(next.negativeRatings, triggers.negativeRatings)) {
    return { reason: "negative-ratings", answer: last };
  }
  if (isReached(next.noResults, triggers.noResults) && findLastOutcome("no-results") >= 0) {
    return { reason: "no-results", answer: findLastOutcome("no-results") };
  }
  if (isReached(next.errors, triggers.errors) && findLastOutcome("error") >= 0) {
    return { reason: "errors", answer: findLastOutcome("error") };
  }
  return null;
}
