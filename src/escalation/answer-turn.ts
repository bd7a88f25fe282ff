import type { InstanceConfig } from "../config/config.ts";
import type { LineContext } from "../locales/types.ts";
import { limitTime } from "../wait.ts";
import type { Advancer } from "./advance.ts";
import { deliverAll } from "./answers.ts";
import { externalIdOf } from "./intents.ts";
import { addLine } from "./messages.ts";
import { withQueuePlace } from "./queue-place.ts";
import { type ChatRef, chatOf, type EscalationRecord } from "./stores/record.ts";
import { type ReaderScope, type Scope, Superseded, untilSaved } from "./scope.ts";
import type { Answered } from "./services/answered.ts";
import type { ChatService } from "./services/chat-service.ts";
import { withSaid } from "./signs.ts";
import { addLines } from "./transcript.ts";
import { decideTurn, type ReaderRequest } from "./turn.ts";

/** One message of a reader, with what it is answered by. */
export interface Turn {
  readonly scope: ReaderScope;
  readonly instance: InstanceConfig;
  readonly advancer: Advancer;
  readonly request: ReaderRequest;
  /** The reader's language and channel, and what lines may name. */
  readonly context: LineContext;
}

/** The outcome of a reader's request before the engine is asked. */
export type TurnOutcome =
  /** The engine answers; `record` is what its answer goes on from. */
  { readonly kind: "forward"; readonly record: EscalationRecord } | OwnAnswers;

export interface OwnAnswers {
  readonly kind: "answers";
  readonly answers: readonly string[];
  /** Null where nothing was written down. */
  readonly delivery: Delivery | null;
}

/** The record in which the answers are delivered, and the last message delivered before. */
export interface Delivery {
  readonly before: number;
  readonly record: EscalationRecord;
}

/** Nothing is said, and the engine is not asked. */
export const SILENCE: OwnAnswers = { kind: "answers", answers: [], delivery: null };

/** Words that were given to the chat with this id, and whether it took them. */
interface Relayed {
  readonly chat: string;
  readonly sent: Answered<{ id: string }>;
}

/** Answers readers with a person or in one of our forms, else leaves it to the engine. */
export async function answerTurn(turn: Turn, stored: EscalationRecord): Promise<TurnOutcome> {
  const { scope, advancer, request } = turn;
  // The agent gets the words once, however often the turn begins anew on another writer's record.
  let relayed: Relayed | null = null;
  const wasRelayed = (): boolean => relayed?.sent.kind === "ok";

  return untilSaved(async (attempt) => {
    const record = setContext(turn, attempt === 1 ? stored : await scope.load(stored));
    try {
      return await answerOn(record);
    } catch (error) {
      // The agent has the words: a store that fails now must not make the reader send them again.
      if (!(error instanceof Superseded) && wasRelayed()) return SILENCE;
      throw error;
    }
  });

  async function answerOn(record: EscalationRecord): Promise<TurnOutcome> {
    const decision = decideTurn(scope, record, request);
    const from = decision.record;
    switch (decision.action) {
      case "forward":
        // Words that the agent has are no question for the engine, though the chat is over
        // meanwhile.
        if (wasRelayed()) return deliver(turn, record, from);
        // Nothing is written yet: the engine's answer is written with it.
        return { kind: "forward", record: from };
      case "answer":
        return deliver(turn, record, from);
      case "not-delivered":
        return deliver(
          turn,
          record,
          sayNotDelivered(scope, { ...record, deliveredBefore: record.delivered }),
        );
      case "advance": {
        const begun = from === record ? record : await scope.save(from);
        const now = await waitInTime(scope, advancer.advance(scope, begun), begun);
        return deliver(turn, now, now);
      }
      case "relay": {
        const chat = chatOf(from);
        if (scope.chat === null || chat === null) {
          return deliver(turn, record, sayNotDelivered(scope, from));
        }
        if (relayed?.chat !== chat.id) {
          const sent = await sayTo(scope.chat, chat, decision.words, nameOfWords(turn, from));
          relayed = { chat: chat.id, sent };
        }
        return answerRelayed(turn, record, from, relayed.sent);
      }
    }
  }
}

/** Unanswered clients repeat their words, which then have the same name. */
function nameOfWords({ request }: Turn, record: EscalationRecord): string {
  const digest = request.digest.slice(0, 16);
  return `${externalIdOf(record, record.epoch)}-${record.counts.turns}-${digest}`;
}

/** Answers with the messages that wait in a record for their reader. */
async function deliver(
  { scope, instance }: Turn,
  before: EscalationRecord,
  from: EscalationRecord,
): Promise<TurnOutcome> {
  const { record, answers } = deliverAll(from, instance);
  // Any client can send our options: where nothing has changed, nothing is written.
  if (from === before && record.delivered === from.delivered) {
    return { kind: "answers", answers, delivery: null };
  }
  const saved = await scope.save(record);
  return { kind: "answers", answers, delivery: { before: from.delivered, record: saved } };
}

/** Answers a reader whose words were given to the chat, before anything of it was stored. */
async function answerRelayed(
  turn: Turn,
  before: EscalationRecord,
  from: EscalationRecord,
  sent: Answered<{ id: string }>,
): Promise<TurnOutcome> {
  const { scope, advancer } = turn;
  if (sent.kind !== "ok") {
    // A chat that takes nothing any more is closed: another process may be finding that out.
    const patience = sent.kind === "refused" ? leasePatience : 0;
    const now = await waitInTime(scope, advancer.advance(scope, before, patience), before);
    // It was closed meanwhile: the bot has the conversation again, and answers.
    if (now.phase.name === "bot") return { kind: "forward", record: now };
    // The same words again are a new try then, and no retry: only the transcript has this one.
    const { lines, dropped } = { ...now, ...addLines(now, from.lines.slice(-1)) };
    const told = { ...now, lines, dropped, deliveredBefore: now.delivered };
    return deliver(turn, now, sayNotDelivered(scope, told));
  }
  const saved = await scope.save(withSaid(from, sent.value.id));
  let now = await waitInTime(scope, advancer.advance(scope, saved), saved);
  if (now.phase.name === "waiting" && now.lastMessage === now.delivered) {
    now = await withQueuePlace(scope, addLine(scope, now, "escalation.passed-on"));
  }
  return deliver(turn, saved, now);
}

/** Gives words to a chat. Where the answer is lost, the chat itself says whether it has them. */
async function sayTo(
  service: Pick<ChatService, "say" | "messages">,
  { id, user, said, seen }: ChatRef,
  words: string,
  name: string,
): Promise<Answered<{ id: string }>> {
  const sent = await service.say(id, user, words, name);
  if (sent.kind !== "failed" || !sent.sent) return sent;
  const later = await service.messages(id, said ?? seen);
  const found = later.kind === "ok" ? later.value : [];
  const own = found.findLast(({ sender, text }) => sender === user && text === words);
  return own === undefined ? sent : { kind: "ok", value: { id: own.id } };
}

/** The record with the language and channel of this turn. */
export function setContext(
  { context: { locale, channel } }: Pick<Turn, "context">,
  record: EscalationRecord,
): EscalationRecord {
  const isSame = record.locale === locale && record.channel === channel;
  return isSame ? record : { ...record, locale, channel };
}

/** An answer that comes later than clients wait for is delivered by the stream or the next turn. */
export async function waitInTime(
  scope: Pick<Scope, "load">,
  work: Promise<EscalationRecord>,
  meanwhile: EscalationRecord,
): Promise<EscalationRecord> {
  const done = await limitTime<EscalationRecord | null>(patience, work, () => null);
  return done ?? scope.load(meanwhile);
}

/** Tells the reader that the message did not get through. */
export function sayNotDelivered(scope: Scope, record: EscalationRecord): EscalationRecord {
  return addLine(scope, record, "escalation.not-delivered");
}

/** How long a turn waits for other services: well below the 30 s of known clients. Milliseconds. */
const patience = 20_000;
/** How long a turn waits for what another process finds out about its chat, in milliseconds. */
const leasePatience = 3000;
