import { LIMITS } from "../api/call/limits.ts";
import type { InstanceConfig } from "../config/config.ts";
import type { LineContext } from "../locales/types.ts";
import { cutText } from "../text.ts";
import { limitTime } from "../wait.ts";
import type { Advancer } from "./advance.ts";
import { deliverAll } from "./answers.ts";
import { externalIdOf } from "./records/intents.ts";
import { addLine } from "./records/messages.ts";
import { withQueuePosition } from "./queue-position.ts";
import { type ChatRef, chatOf, type EscalationRecord } from "./stores/record.ts";
import { type ReaderScope, type Scope, Superseded, untilSaved } from "./records/scope.ts";
import type { CallResult } from "./services/call-result.ts";
import type { ChatService } from "./services/chat-service.ts";
import { withLastSent } from "./records/signs.ts";
import { addLines } from "./records/transcript.ts";
import { decideTurn, type ReaderRequest } from "./turn.ts";

/** One message of a reader, and everything that answering it needs. */
export interface Turn {
  readonly scope: ReaderScope;
  readonly instance: InstanceConfig;
  readonly advancer: Advancer;
  readonly request: ReaderRequest;
  /** The reader's language and channel, and the values that lines may contain. */
  readonly context: LineContext;
}

/** The outcome of a reader's request before the engine is asked. */
export type TurnOutcome =
  /** The engine answers; its answer is then followed from `record`. */
  { readonly kind: "forward"; readonly record: EscalationRecord } | OwnAnswers;

export interface OwnAnswers {
  readonly kind: "answers";
  readonly answers: readonly string[];
  /** Null when nothing was stored. */
  readonly delivery: Delivery | null;
}

/** The record in which the answers count as delivered, and the last message delivered before. */
export interface Delivery {
  readonly before: number;
  readonly record: EscalationRecord;
}

/** An empty answer, without asking the engine. */
export const SILENCE: OwnAnswers = { kind: "answers", answers: [], delivery: null };

/** Words that were sent to the chat with this id, and whether it took them. */
interface Relayed {
  readonly chat: string;
  readonly sent: CallResult<{ id: string }>;
}

/** Answers a reader who talks to a person or fills in one of our forms; the engine answers the others. */
export async function answerTurn(turn: Turn, stored: EscalationRecord): Promise<TurnOutcome> {
  const { scope, advancer, request } = turn;
  // The agent gets the words once, however often the turn starts again on another writer's record.
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
        // The agent has the words, so the engine must not answer them, even if the chat has ended
        // meanwhile.
        if (wasRelayed()) return deliver(turn, record, from);
        // The record is saved later, together with the engine's answer.
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

/** Names words for the chat, so that a client's repetition has the same name. */
function nameOfWords({ request }: Turn, record: EscalationRecord): string {
  const digest = request.digest.slice(0, 16);
  return `${externalIdOf(record, record.epoch)}-${record.counts.turns}-${digest}`;
}

/** Answers with the messages of a record that the reader has not seen. */
async function deliver(
  { scope, instance }: Turn,
  before: EscalationRecord,
  from: EscalationRecord,
): Promise<TurnOutcome> {
  const { record, answers } = deliverAll(from, instance);
  // Any client can send our options, so a record without a change is not written.
  if (from === before && record.delivered === from.delivered) {
    return { kind: "answers", answers, delivery: null };
  }
  const saved = await scope.save(record);
  return { kind: "answers", answers, delivery: { before: from.delivered, record: saved } };
}

/** Answers a reader whose words were sent to the chat, and stores the outcome. */
async function answerRelayed(
  turn: Turn,
  before: EscalationRecord,
  from: EscalationRecord,
  sent: CallResult<{ id: string }>,
): Promise<TurnOutcome> {
  const { scope, advancer } = turn;
  if (sent.kind !== "ok") {
    // A chat that refuses words is closed. Another process may be noticing that at the moment.
    const patience = sent.kind === "refused" ? LEASE_TIMEOUT : 0;
    const now = await waitInTime(scope, advancer.advance(scope, before, patience), before);
    // The chat is closed and the bot holds the conversation again, so the engine answers.
    if (now.phase.name === "bot") return { kind: "forward", record: now };
    // Only the transcript gets these words, so that the same words again count as a new message.
    const { lines, dropped } = { ...now, ...addLines(now, from.lines.slice(-1)) };
    const told = { ...now, lines, dropped, deliveredBefore: now.delivered };
    return deliver(turn, now, sayNotDelivered(scope, told));
  }
  const saved = await scope.save(withLastSent(from, sent.value.id));
  let now = await waitInTime(scope, advancer.advance(scope, saved), saved);
  if (now.phase.name === "waiting" && now.lastMessage === now.delivered) {
    now = await withQueuePosition(scope, addLine(scope, now, "escalation.passed-on"));
  }
  return deliver(turn, saved, now);
}

/** Sends words to a chat: as several messages, in order, if they are too long for one. */
async function sayTo(
  service: Pick<ChatService, "say" | "messages">,
  chat: ChatRef,
  words: string,
  name: string,
): Promise<CallResult<{ id: string }>> {
  const [first = "", ...further] = cutToMessages(words);
  let sent = await sayPart(service, chat, first, name);
  for (const [index, part] of further.entries()) {
    if (sent.kind !== "ok") return sent;
    sent = await sayPart(service, { ...chat, said: sent.value.id }, part, `${name}-${index + 1}`);
  }
  return sent;
}

/** Cuts words at spaces where there are some, and never in the middle of a character. */
function cutToMessages(words: string): readonly string[] {
  const parts: string[] = [];
  let rest = words;
  while (rest.length > LIMITS.chatMessage) {
    const most = cutText(rest, LIMITS.chatMessage);
    const space = Math.max(most.lastIndexOf(" "), most.lastIndexOf("\n"));
    const part = space > LIMITS.chatMessage / 2 ? most.slice(0, space + 1) : most;
    parts.push(part);
    rest = rest.slice(part.length);
  }
  return [...parts, rest];
}

/** Sends one message to a chat. If the answer is lost, it looks whether the chat has it. */
async function sayPart(
  service: Pick<ChatService, "say" | "messages">,
  { id, user, said: lastSent, seen }: ChatRef,
  words: string,
  name: string,
): Promise<CallResult<{ id: string }>> {
  const sent = await service.say(id, user, words, name);
  if (sent.kind !== "failed" || !sent.sent) return sent;
  const later = await service.messages(id, lastSent ?? seen);
  const found = later.kind === "ok" ? later.value : [];
  const own = found.findLast(({ sender, text }) => sender === user && text === words);
  return own === undefined ? sent : { kind: "ok", value: { id: own.id } };
}

/** Sets in the record the language and channel of this turn, and whether it is a test. */
export function setContext(
  { context: { locale, channel }, request: { isTest } }: Pick<Turn, "context" | "request">,
  record: EscalationRecord,
): EscalationRecord {
  const { isTest: wasTest = false } = record;
  const isSame = record.locale === locale && record.channel === channel && wasTest === isTest;
  return isSame ? record : { ...record, locale, channel, isTest };
}

/** Waits as long as clients do. A later answer is delivered by the event stream or with the next turn. */
export async function waitInTime(
  scope: Pick<Scope, "load">,
  work: Promise<EscalationRecord>,
  meanwhile: EscalationRecord,
): Promise<EscalationRecord> {
  const done = await limitTime<EscalationRecord | null>(TURN_TIMEOUT, work, () => null);
  return done ?? scope.load(meanwhile);
}

/** Tells the reader that the message did not get through. */
export function sayNotDelivered(scope: Scope, record: EscalationRecord): EscalationRecord {
  return addLine(scope, record, "escalation.not-delivered");
}

/** How long a turn waits for other services, in milliseconds: well below the 30 s of known clients. */
const TURN_TIMEOUT = 20_000;
/** How long a turn waits for another process that follows its chat, in milliseconds. */
const LEASE_TIMEOUT = 3000;
