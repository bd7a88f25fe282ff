import { closeLater, addQueuePlace } from "./chat-rung.ts";
import { backToBot } from "./rung.ts";
import type { ChatMessage, ChatState } from "./services/chat-answers.ts";
import type { ChatService } from "./services/chat-service.ts";
import type { EscalationRecord, HandoffPhase } from "./record.ts";
import { hasTooMuchUndelivered, addLine, addMessage } from "./sayings.ts";
import type { Scope } from "./scope.ts";
import { addLines } from "./transcript.ts";

type Waiting = Extract<HandoffPhase, { name: "waiting" }>;
type Talking = Extract<HandoffPhase, { name: "talking" }>;

/**
 * Takes over what happened in an open chat: words of the agent, that one came, that all left. May
 * be called at any time and by anybody, for a webhook that comes twice or late as well: what was
 * taken over already is not taken again.
 *
 * @returns the record with what is new, not saved; the same object when nothing is. In phase
 *   `reaching` when nobody came
 */
export async function followChat(
  scope: Scope,
  record: EscalationRecord,
): Promise<EscalationRecord> {
  const { phase } = record;
  const { chat } = scope;
  if (chat === null || (phase.name !== "waiting" && phase.name !== "talking")) return record;
  const looked = await chat.chat(phase.chat.id);
  // Not answered: a chat that cannot be looked at is not over.
  if (looked.kind !== "ok")
    return phase.name === "waiting" ? timedOut(scope, record, phase) : record;
  return phase.name === "waiting"
    ? waitingOn(scope, chat, record, phase, looked.value)
    : talkingOn(scope, chat, record, phase, looked.value);
}

async function talkingOn(
  scope: Scope,
  chat: ChatService,
  record: EscalationRecord,
  phase: Talking,
  state: ChatState | null,
): Promise<EscalationRecord> {
  const now = scope.now();
  const heard = await hear(scope, chat, record, phase);
  const after = heard?.record ?? record;
  if (state === null || state.status === "closed") {
    // Before the bot speaks, the last words of the agent do: they are asked for again.
    const { closed = now } = phase;
    const isWhole = heard?.isWhole === true || state === null || now - closed >= lastWords;
    if (isWhole) return over(scope, after, phase);
    return phase.closed === undefined && after.phase.name === "talking"
      ? { ...after, phase: { ...after.phase, closed } }
      : after;
  }
  return state.agent === null ? alone(scope, chat, after, now) : joinedAgain(after);
}

/** All agents have left, and the chat goes on: one may come back, or another one. */
async function alone(
  scope: Scope,
  chat: ChatService,
  record: EscalationRecord,
  now: number,
): Promise<EscalationRecord> {
  const { phase } = record;
  if (phase.name !== "talking") return record;
  const { assignTimeout } = scope.settings.chat;
  if (phase.alone === undefined) return { ...record, phase: { ...phase, alone: now } };
  if (now < phase.alone + assignTimeout) return record;
  const closed = await chat.close(phase.chat.id, null);
  if (closed.kind === "failed" && now < phase.alone + 2 * assignTimeout) return record;
  const left = closed.kind === "failed" ? closeLater(scope, record, phase.chat.id) : record;
  const step = scope.settings.ladder.findLastIndex((one) => one !== "ticket");
  return passOn(left, step, now);
}

function joinedAgain(record: EscalationRecord): EscalationRecord {
  const { phase } = record;
  if (phase.name !== "talking" || phase.alone === undefined) return record;
  const { alone: _, ...talking } = phase;
  return { ...record, phase: talking };
}

async function waitingOn(
  scope: Scope,
  chat: ChatService,
  record: EscalationRecord,
  phase: Waiting,
  state: ChatState | null,
): Promise<EscalationRecord> {
  const now = scope.now();
  const isOver = state === null || state.status === "closed";
  if (!isOver && state.agent !== null) {
    const { joined, talking } = takenBy(scope, record, phase, state.agent);
    // That somebody came is said before what they said.
    return (await hear(scope, chat, joined, talking))?.record ?? joined;
  }
  if (state === null) return passOn(record, phase.step, now);
  if (isOver) {
    // Somebody may have come, spoken and gone between two looks.
    const { joined, talking } = takenBy(scope, record, phase, state.agent ?? "");
    const heard = await hear(scope, chat, joined, talking);
    if (heard === null && now < phase.since + patience(scope, phase)) return record;
    const spoke = heard !== null && heard.record.lastMessage > joined.lastMessage;
    if (!spoke) return passOn(record, phase.step, now);
    return heard.isWhole ? over(scope, heard.record, talking) : heard.record;
  }
  const nobodyLeft = state.status !== "waiting" && !state.queued && !phase.queued;
  if (!nobodyLeft) return timedOut(scope, record, phase);
  const closed = await chat.close(phase.chat.id, null);
  const left = closed.kind === "failed" ? closeLater(scope, record, phase.chat.id) : record;
  return passOn(left, phase.step, now);
}

function takenBy(
  scope: Scope,
  record: EscalationRecord,
  { chat }: Waiting,
  agent: string,
): { readonly joined: EscalationRecord; readonly talking: Talking } {
  const talking = { name: "talking", chat, agent, since: scope.now() } as const;
  return { joined: { ...addLine(scope, record, "escalation.joined"), phase: talking }, talking };
}

function patience({ settings: { chat } }: Scope, { queued }: Waiting): number {
  return queued ? chat.queueTimeout : chat.assignTimeout;
}

/** How long the last words of a closed chat are asked for, in milliseconds. */
const lastWords = 10 * 60_000;

/**
 * Nobody took it in time: the next rung. The chat is closed, so that nobody takes it afterwards.
 */
async function timedOut(
  scope: Scope,
  record: EscalationRecord,
  phase: Waiting,
): Promise<EscalationRecord> {
  const now = scope.now();
  const longest = patience(scope, phase);
  if (now < phase.since + longest) return record;
  const closed = await scope.chat?.close(phase.chat.id, null);
  // A chat that could not be closed may still be taken: then it goes on. It is asked again, but not
  // for ever.
  if (closed?.kind !== "failed") return passOn(record, phase.step, now);
  if (now < phase.since + 2 * longest) return record;
  return passOn(closeLater(scope, record, phase.chat.id), phase.step, now);
}

function passOn(record: EscalationRecord, step: number, now: number): EscalationRecord {
  return { ...record, phase: { name: "reaching", step: step + 1, since: now, why: "agents" } };
}

async function over(
  scope: Scope,
  record: EscalationRecord,
  phase: Talking,
): Promise<EscalationRecord> {
  const closed = addLine(scope, record, "escalation.closed");
  return backToBot(scope, await surveyed(scope, closed, phase));
}

async function surveyed(
  scope: Scope,
  record: EscalationRecord,
  phase: Talking,
): Promise<EscalationRecord> {
  const { survey } = scope.settings.chat;
  if (survey === null || scope.chat === null) return record;
  const found = await scope.chat.survey(survey, phase.chat.id);
  const line = scope.say(record, "escalation.survey");
  if (found.kind !== "ok" || found.value === null || line === null) return record;
  return addMessage(record, { kind: "line", text: `${line} ${found.value.url}` });
}

/** Where in the queue the reader is now, for a reader who asks. */
export async function placeNow(scope: Scope, record: EscalationRecord): Promise<EscalationRecord> {
  const { phase } = record;
  if (phase.name !== "waiting" || !phase.queued || scope.chat === null) return record;
  const place = await scope.chat.place(phase.chat.id);
  return place.kind === "ok" ? addQueuePlace(scope, record, place.value) : record;
}

/** Null: what was said could not be read. Not whole: the reader has to be told first. */
async function hear(
  scope: Scope,
  chat: ChatService,
  record: EscalationRecord,
  phase: Talking,
): Promise<{ readonly record: EscalationRecord; readonly isWhole: boolean } | null> {
  const messages = await chat.messages(phase.chat.id, phase.chat.seen);
  if (messages.kind === "failed") return null;
  const all = messages.kind === "ok" ? messages.value : [];
  let heard = record;
  let taken = 0;
  for (const message of all) {
    if (hasTooMuchUndelivered(heard)) break;
    taken++;
    if (message.sender !== phase.chat.user) heard = takeOver(scope, heard, message);
  }
  const seen = all[taken - 1]?.id ?? phase.chat.seen;
  const talking = { ...phase, chat: { ...phase.chat, seen } };
  return {
    record: taken === 0 ? heard : { ...heard, phase: talking },
    isWhole: taken === all.length,
  };
}

function takeOver(scope: Scope, record: EscalationRecord, message: ChatMessage): EscalationRecord {
  const { media } = message;
  const written =
    media === null ? message.text : `${scope.say(record, "escalation.file") ?? ""} ${media.name}`;
  const text = bounded(written);
  const said = addMessage(record, {
    kind: media === null ? "agent" : "media",
    text,
    ...(media !== null && { media }),
  });
  const line = { who: "agent", said: text, at: message.at, agent: message.sender } as const;
  return { ...said, ...addLines(said, [line]) };
}

/** No reader reads more, and no record holds it. Controls are nobody's words. */
function bounded(written: string): string {
  const text = written
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/gu, "")
    .trim();
  if (text.length <= longestMessage) return text;
  return `${text.slice(0, longestMessage - 1).replace(/[\uD800-\uDBFF]$/u, "")}\u2026`;
}

const longestMessage = 20_000;
