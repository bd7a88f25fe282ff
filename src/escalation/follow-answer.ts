import { splice } from "../json/splice.ts";
import { setContext, waitInTime, type Turn } from "./answer-turn.ts";
import { deliverAll } from "./answers.ts";
import { beginEscalation, findFirstStep, type FirstStep, mayBegin } from "./begin.ts";
import { appendAnswers, sortEdits, silenceEscalation, signalEscalation } from "./edits.ts";
import {
  answerOptions,
  answerTexts,
  readEngineForm,
  readTurn,
  type TurnFacts,
} from "./triggers/facts.ts";
import { readKnownPerson } from "./questions.ts";
import type { EscalationRecord, TranscriptLine } from "./stores/record.ts";
import type { Records } from "./records/records.ts";
import { Superseded, untilSaved } from "./records/scope.ts";
import { addLines } from "./records/transcript.ts";
import { isQuiet, resetSettled } from "./triggers/counts.ts";
import { judge, type Judgement } from "./triggers/triggers.ts";
import { wordsOf } from "./turn.ts";

/** One turn that the engine answers, for escalation to follow. */
export interface EngineTurn extends Turn {
  readonly change: Records["change"];
  /** Reads the claims of the owner's signed token about the reader, or null. */
  readonly claims: () => Promise<{ readonly [name: string]: unknown } | null>;
  readonly newEventId: () => string;
  /** The record before the engine was asked. */
  readonly before: EscalationRecord;
  /** Runs work before the next turn, and if possible after the answer was sent. */
  readonly runLater: (work: () => Promise<void>) => Promise<void>;
  /** Counts a trigger and its outcome. */
  readonly count: (reason: string, outcome: "offered" | "signalled" | "none") => void;
}

/**
 * Follows an answer of the engine: updates the counts, decides whether the reader should be handed
 * over, and adds that to the answer.
 *
 * @param original the engine's own bytes, decoded
 * @param shown the bytes with the texts that the reader sees
 * @returns the bytes to send, or null when escalation changes nothing
 */
export async function followAnswer(
  turn: EngineTurn,
  original: Uint8Array,
  shown: Uint8Array,
): Promise<Uint8Array | null> {
  const originalFacts = readTurn(original);
  const shownFacts = readTurn(shown);
  if (originalFacts === null || shownFacts === null) return null;
  const answer: EngineAnswer = { original, originalFacts, shown, shownFacts };
  const { scope } = turn;
  let found: Promise<FirstStep> | null = null;
  // All attempts to save share one look for an agent.
  const findOnce = (record: EscalationRecord) => (found ??= findFirstStep(scope, record.locale));
  return untilSaved(async (attempt) => {
    const before = attempt === 1 ? turn.before : setContext(turn, await scope.load(turn.before));
    switch (scope.settings.mode) {
      case "signal":
        return followInSignalMode(turn, answer, before);
      case "managed":
        return followInManagedMode(turn, answer, before, findOnce);
      case "off":
        return followWhenOff(turn, answer, before);
    }
  }).catch((error: unknown) => {
    if (error instanceof Superseded) return null;
    throw error;
  });
}

/** An answer of the engine: its own bytes, and those that the reader gets. */
interface EngineAnswer {
  readonly original: Uint8Array;
  readonly originalFacts: TurnFacts;
  readonly shown: Uint8Array;
  readonly shownFacts: TurnFacts;
}

async function followInSignalMode(
  turn: EngineTurn,
  { originalFacts, shown, shownFacts }: EngineAnswer,
  before: EscalationRecord,
): Promise<Uint8Array | null> {
  const judged = judgeTurn(turn, originalFacts, before);
  const { reason } = judged;
  const counts = reason === null ? judged.counts : resetSettled(judged.counts);
  // A conversation without an event is not stored.
  const idle = reason === null && isQuiet(judged.counts) && isQuiet(before.counts);
  const countsTurns = turn.scope.settings.triggers.rules.some(({ turns }) => turns !== undefined);
  if (!idle || countsTurns) await turn.scope.save({ ...before, counts });
  if (reason === null) return null;
  const edits = signalEscalation(shown, shownFacts, judged.answer);
  turn.count(reason, edits.length > 0 ? "signalled" : "none");
  return edits.length === 0 ? null : splice(shown, edits);
}

/** Starts no escalation, but still delivers what an agent has said before. */
async function followWhenOff(
  turn: EngineTurn,
  { shown, shownFacts }: EngineAnswer,
  before: EscalationRecord,
): Promise<Uint8Array | null> {
  const { record, answers } = deliverAll(before, turn.instance);
  if (answers.length === 0) return null;
  await turn.scope.save(record);
  return splice(shown, sortEdits(appendAnswers(shownFacts, answers)));
}

async function followInManagedMode(
  turn: EngineTurn,
  answer: EngineAnswer,
  before: EscalationRecord,
  findStep: (record: EscalationRecord) => Promise<FirstStep>,
): Promise<Uint8Array | null> {
  const { scope, request } = turn;
  const { shown, shownFacts } = answer;
  const judged = judgeTurn(turn, answer.originalFacts, before);
  const { reason } = judged;
  let record: EscalationRecord = {
    ...before,
    ...(!judged.repeated && addLines(before, linesOf(turn, answer, before))),
    counts: judged.counts,
    deliveredBefore: before.delivered,
    options: answerOptions(shown, shownFacts).slice(0, MAX_OPTIONS),
  };
  if (judged.repeated) {
    // The client did not get the first answer, so the same messages are delivered again.
    const { deliveredBefore } = before;
    record = { ...record, delivered: deliveredBefore, deliveredBefore };
  } else if (reason !== null && mayBegin(scope.settings, record, reason, request.at)) {
    const counted = { ...record, counts: resetSettled(record.counts) };
    const person = await findPerson(turn, answer, counted);
    // After the token is checked, so that the answer is not outdated when the reader gets it.
    const first = await findStep(record);
    record = beginForReader(turn, answer, { ...counted, person }, reason, first);
    const isPossible = first.step < scope.settings.ladder.length;
    turn.count(reason, isPossible && record.phase.name !== "bot" ? "offered" : "none");
  }
  if (record.phase.name === "reaching") {
    const saved = await scope.save(record);
    record = await waitInTime(scope, turn.advancer.advance(scope, saved), saved);
  }
  const open = record.phase.name !== "bot" || record.epoch !== before.epoch;
  const { record: delivered, answers } = deliverAll(record, turn.instance);
  if (open || reason !== null || answers.length > 0) await scope.save(delivered);
  else await turn.runLater(() => saveCounts(turn, before, delivered));
  const quiet = open ? silenceEscalation(shown, shownFacts, scope.settings.triggers.callbacks) : [];
  const edits = sortEdits([...quiet, ...appendAnswers(shownFacts, answers)]);
  return edits.length === 0 ? null : splice(shown, edits);
}

/** Saves the counts of a turn without messages, if need be into another writer's record. */
async function saveCounts(
  turn: EngineTurn,
  before: EscalationRecord,
  counted: EscalationRecord,
): Promise<void> {
  try {
    await turn.scope.save(counted);
  } catch (error) {
    if (!(error instanceof Superseded)) throw error;
    const added = counted.lines.filter((line) => !before.lines.includes(line));
    await turn.change(counted.key, counted.instance, (now) => {
      const { noResults, errors, turns, last } = counted.counts;
      const counts = { ...now.counts, noResults, errors, turns: Math.max(turns, now.counts.turns) };
      return { ...now, ...addLines(now, added), counts: { ...counts, last } };
    });
  }
}

function judgeTurn(turn: EngineTurn, facts: TurnFacts, before: EscalationRecord): Judgement {
  const { question, digest, at } = turn.request;
  const { settings, recognition } = turn.scope;
  const { rules } = turn.instance;
  const judged = { facts, question, digest, at };
  return judge(settings.triggers, before.counts, judged, turn.context, rules, recognition);
}

function beginForReader(
  turn: EngineTurn,
  { originalFacts }: EngineAnswer,
  record: EscalationRecord,
  reason: string,
  first: FirstStep,
): EscalationRecord {
  // Readers who have filled in the engine's own form have already agreed.
  const agreed =
    turn.scope.settings.triggers.callbacks.includes(ESCALATION_CALLBACK) &&
    originalFacts.answers.some(({ callbacks }) => callbacks.includes(ESCALATION_CALLBACK));
  const eventId = turn.newEventId();
  return beginEscalation(turn.scope, record, { reason, eventId, agreed, first });
}

async function findPerson(
  turn: EngineTurn,
  { original, originalFacts }: EngineAnswer,
  { person }: EscalationRecord,
): Promise<EscalationRecord["person"]> {
  const { identity } = turn.scope.settings;
  const known = readKnownPerson(identity, turn.context.variables, await turn.claims());
  const form = readEngineForm(original, originalFacts);
  return {
    name: person.name || form.name || known.name,
    email: person.email || form.email || known.email,
    id: known.id || person.id,
    consent: person.consent || known.consent,
  };
}

function linesOf(
  turn: EngineTurn,
  { original, originalFacts, shown, shownFacts }: EngineAnswer,
  before: EscalationRecord,
): readonly TranscriptLine[] {
  const at = Math.floor(turn.request.at / 1000);
  const words = wordsOf(before, turn.request);
  const shownTexts = answerTexts(shown, shownFacts);
  const answers = answerTexts(original, originalFacts).flatMap((text, index): TranscriptLine[] => {
    const instead = shownTexts[index] ?? text;
    if (text === "" && instead === "") return [];
    return [{ who: "bot", said: text, at, ...(instead !== text && { shown: instead }) }];
  });
  return words === null ? answers : [{ who: "reader", said: words, at }, ...answers];
}

const ESCALATION_CALLBACK = "escalateToAgent";
const MAX_OPTIONS = 50;
