import type { InstanceConfig } from "../../config/config.ts";
import {
  appendAnswers,
  inOrder,
  quietEscalation,
  signalEscalation,
} from "../../escalation/edits.ts";
import { readEngineForm } from "../../escalation/engine-form.ts";
import { answerOptions, answerTexts, readTurn, type TurnFacts } from "../../escalation/facts.ts";
import { knownPerson } from "../../escalation/identity.ts";
import type { EscalationRecord, TranscriptLine } from "../../escalation/record.ts";
import { type Scope, Superseded } from "../../escalation/scope.ts";
import { addLines } from "../../escalation/transcript.ts";
import { isQuiet, judge, settled, type JudgedTurn } from "../../escalation/triggers.ts";
import { begin, mayBegin, type ReaderRequest, wordsOf } from "../../escalation/turn.ts";
import { splice } from "../../json/splice.ts";
import type { LineContext } from "../../locales/types.ts";
import { deliverAll } from "./answering.ts";
import type { Advancer } from "./climbing.ts";
import type { Records } from "./records.ts";
import { inTime } from "./turns.ts";

/** One turn that the engine answers, as escalation follows it. */
export interface EngineTurn {
  readonly scope: Scope;
  readonly instance: InstanceConfig;
  readonly records: Records;
  readonly climbing: Advancer;
  readonly says: ReaderRequest;
  readonly scene: LineContext;
  /** What the owner's signed token tells of the reader, or null. */
  readonly claims: () => Promise<{ readonly [name: string]: unknown } | null>;
  readonly newEventId: () => string;
  /** The record before the engine was asked. */
  readonly before: EscalationRecord;
  readonly tagged: (record: EscalationRecord) => EscalationRecord;
  /**
   * Does this before the conversation's next turn; where the answer need not wait for it,
   * afterwards.
   */
  readonly later: (work: () => Promise<void>) => Promise<void>;
  /** A trigger fired, or nothing could be done about it. */
  readonly noted: (reason: string, outcome: "offered" | "signalled" | "none") => void;
}

/**
 * Follows an answer of the engine: counts, decides whether the reader should be handed over, and
 * says so in the answer.
 *
 * @param said the engine's own bytes, decoded
 * @param shown the bytes with the texts that the reader sees
 * @returns the bytes to send, or null when nothing of escalation changes them
 */
export async function followAnswer(
  turn: EngineTurn,
  said: Uint8Array,
  shown: Uint8Array,
): Promise<Uint8Array | null> {
  const facts = readTurn(said);
  if (facts === null) return null;
  let { before } = turn;
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    try {
      switch (turn.scope.settings.mode) {
        case "signal":
          return await signalled(turn, facts, before, shown);
        case "managed":
          return await managed(turn, facts, before, said, shown);
        case "off":
          return await ended(turn, before, shown);
      }
    } catch (error) {
      if (!(error instanceof Superseded)) throw error;
      before = turn.tagged(await turn.records.load(before.key, before.instance));
    }
  }
  return null;
}

async function signalled(
  turn: EngineTurn,
  facts: TurnFacts,
  before: EscalationRecord,
  shown: Uint8Array,
): Promise<Uint8Array | null> {
  const judged = judgement(turn, facts, before);
  const counts = judged.reason === null ? judged.counts : { ...settled(judged.counts) };
  // A conversation in which nothing has happened leaves no trace.
  const idle = judged.reason === null && isQuiet(judged.counts) && isQuiet(before.counts);
  const turnsCount = turn.scope.settings.triggers.rules.some(({ turns }) => turns !== undefined);
  if (!idle || turnsCount) await turn.records.save({ ...before, counts });
  if (judged.reason === null) return null;
  const after = readTurn(shown);
  if (after === null) return null;
  const { edits } = signalEscalation(shown, after, judged.answer);
  turn.noted(judged.reason, edits.length > 0 ? "signalled" : "none");
  return edits.length === 0 ? null : splice(shown, edits);
}

/** Nobody is handed over any more: what an agent has said before is still told. */
async function ended(
  turn: EngineTurn,
  before: EscalationRecord,
  shown: Uint8Array,
): Promise<Uint8Array | null> {
  const after = readTurn(shown);
  const { record, answers } = deliverAll(before, turn.instance);
  if (after === null || answers.length === 0) return null;
  await turn.records.save(record);
  return splice(shown, inOrder(appendAnswers(after, answers)));
}

async function managed(
  turn: EngineTurn,
  facts: TurnFacts,
  before: EscalationRecord,
  said: Uint8Array,
  shown: Uint8Array,
): Promise<Uint8Array | null> {
  const { scope, says } = turn;
  const after = readTurn(shown);
  if (after === null) return null;
  const judged = judgement(turn, facts, before);
  let record: EscalationRecord = {
    ...before,
    ...(!judged.repeated && addLines(before, linesOf(turn, before, facts, said, after, shown))),
    counts: judged.counts,
    deliveredBefore: before.delivered,
    options: answerOptions(shown, after).slice(0, mostOptions),
  };
  const { reason } = judged;
  if (reason !== null && !judged.repeated && mayBegin(scope.settings, record, reason, says.at)) {
    const claims = await turn.claims();
    const reset = { ...record, counts: settled(record.counts) };
    record = begun(turn, reset, reason, facts, said, claims);
    turn.noted(reason, record.phase.name === "bot" ? "none" : "offered");
  } else if (judged.repeated) {
    // The first answer did not arrive: the same is said once more.
    record = {
      ...record,
      delivered: before.deliveredBefore,
      deliveredBefore: before.deliveredBefore,
    };
  }
  if (record.phase.name === "reaching") {
    const saved = await turn.records.save(record);
    record = await inTime(scope, turn.climbing.attend(scope, saved), saved);
  }
  const open = record.phase.name !== "bot" || record.epoch !== before.epoch;
  const { record: told, answers } = deliverAll(record, turn.instance);
  if (open || reason !== null || answers.length > 0) await turn.records.save(told);
  else await turn.later(() => counted(turn, before, told));
  const quiet = open ? quietEscalation(shown, after, scope.settings.triggers.callbacks) : [];
  const added = answers.length === 0 ? [] : appendAnswers(after, answers);
  const edits = inOrder([...quiet, ...added]);
  return edits.length === 0 ? null : splice(shown, edits);
}

/**
 * Writes down a turn in which nothing was said. Where somebody else wrote meanwhile it goes into
 * their record.
 */
async function counted(
  turn: EngineTurn,
  before: EscalationRecord,
  told: EscalationRecord,
): Promise<void> {
  try {
    await turn.records.save(told);
  } catch (error) {
    if (!(error instanceof Superseded)) throw error;
    const added = told.lines.filter((line) => !before.lines.includes(line));
    await turn.records.change(told.key, told.instance, (now) => {
      const { noResults, errors, turns, last } = told.counts;
      const counts = { ...now.counts, noResults, errors, turns: Math.max(turns, now.counts.turns) };
      return { ...now, ...addLines(now, added), counts: { ...counts, last } };
    });
  }
}

function judgement(turn: EngineTurn, facts: TurnFacts, before: EscalationRecord) {
  const { question, digest, at } = turn.says;
  const now: JudgedTurn = { facts, question, digest, at };
  const { triggers } = turn.scope.settings;
  return judge(
    triggers,
    before.counts,
    now,
    turn.scene,
    turn.instance.rules,
    turn.scope.recognition,
  );
}

function begun(
  turn: EngineTurn,
  record: EscalationRecord,
  reason: string,
  facts: TurnFacts,
  said: Uint8Array,
  claims: { readonly [name: string]: unknown } | null,
): EscalationRecord {
  const { scope, scene } = turn;
  const { identity } = scope.settings;
  const known = knownPerson(identity, scene.variables, claims);
  const formed = readEngineForm(said);
  const person = {
    name: record.person.name || formed.name || known.name,
    email: record.person.email || formed.email || known.email,
    id: known.id || record.person.id,
    consent: record.person.consent || known.consent,
  };
  // Who has filled in the engine's own form has said yes already, whatever else the answer says.
  const agreed =
    scope.settings.triggers.callbacks.includes(formFilledIn) &&
    facts.answers.some(({ callbacks }) => callbacks.includes(formFilledIn));
  return begin(scope, { ...record, person }, reason, turn.newEventId(), agreed);
}

function linesOf(
  turn: EngineTurn,
  before: EscalationRecord,
  facts: TurnFacts,
  said: Uint8Array,
  after: TurnFacts,
  shown: Uint8Array,
): readonly TranscriptLine[] {
  const at = Math.floor(turn.says.at / 1000);
  const lines: TranscriptLine[] = [];
  const words = wordsOf(before, turn.says);
  if (words !== null) lines.push({ who: "reader", said: words, at });
  const seen = answerTexts(shown, after);
  answerTexts(said, facts).forEach((text, index) => {
    const instead = seen[index] ?? text;
    if (text === "" && instead === "") return;
    lines.push({ who: "bot", said: text, at, ...(instead !== text && { shown: instead }) });
  });
  return lines;
}

const formFilledIn = "escalateToAgent";
const mostOptions = 50;
const mostAttempts = 6;
