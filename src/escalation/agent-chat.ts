import { languageOf } from "../locales/tag.ts";
import { closeLater } from "./agent-chat-step.ts";
import {
  endChat,
  findLastChatStep,
  finishChat,
  moveToNextStep,
  type NotReached,
  withLastWords,
} from "./chat-end.ts";
import { addLine } from "./records/messages.ts";
import { readNew, withNames } from "./new-messages.ts";
import { reviseQueuePosition, withQueuePosition } from "./queue-position.ts";
import type { EscalationRecord, HandoffPhase } from "./stores/record.ts";
import type { Scope } from "./records/scope.ts";
import type { ChatState } from "./services/chat-answers.ts";
import type { ChatService } from "./services/chat-service.ts";
import { markRead, withSigns } from "./records/signs.ts";

type Waiting = Extract<HandoffPhase, { name: "waiting" }>;
type Talking = Extract<HandoffPhase, { name: "talking" }>;

/**
 * Brings a record up to date with its open chat, in which an agent may have come, written or left. It
 * may be called at any time, also for a webhook that comes twice or late, because no message is added
 * twice.
 *
 * @returns the changed record, which is not saved, or the same object if nothing has changed. The
 *   phase is `reaching` if no agent came
 */
export async function followChat(
  scope: Scope,
  record: EscalationRecord,
): Promise<EscalationRecord> {
  const { phase } = record;
  const { chat } = scope;
  if (chat === null || (phase.name !== "waiting" && phase.name !== "talking")) return record;
  const state = await chat.chat(phase.chat.id);
  if (state.kind !== "ok") {
    // An agent may have come, even if the chat service does not answer now.
    const isLate =
      phase.name === "waiting" && scope.now() >= phase.since + 2 * patienceOf(scope, phase);
    return isLate ? closeAndGoOn(scope, chat, record, phase, false, "unanswered") : record;
  }
  const marked = await markRead(chat, record);
  const signed = state.value === null ? marked : withSigns(marked, state.value, scope.now());
  const { phase: after } = signed;
  if (after.name === "talking") return followTalking(scope, chat, signed, after, state.value);
  return after.name === "waiting" ? followWaiting(scope, chat, signed, after, state.value) : signed;
}

async function followTalking(
  scope: Scope,
  chat: ChatService,
  record: EscalationRecord,
  phase: Talking,
  state: ChatState | null,
): Promise<EscalationRecord> {
  const now = scope.now();
  const read = await readNew(scope, chat, record, phase);
  const after = read?.record ?? record;
  if (state === null || state.status === "closed") {
    // The agent's last messages must come before the bot's, so the next call reads what is missing.
    const { closed = now } = phase;
    const isWhole = read?.isWhole === true || state === null || now - closed >= LAST_WORDS_TIMEOUT;
    if (isWhole) return finishChat(scope, chat, after, phase, state);
    return phase.closed === undefined && after.phase.name === "talking"
      ? { ...after, phase: { ...after.phase, closed } }
      : after;
  }
  if (after.phase.name !== "talking") return after;
  if (state.agent === null) return withoutAgent(scope, chat, after, after.phase, state);
  if (state.unanswered === true) return withoutAnswer(scope, chat, after, after.phase);
  if (after.phase.alone === undefined) return after;
  const { alone: _, ...talking } = after.phase;
  return { ...after, phase: talking };
}

/**
 * Moves on to a ticket if the agent has not answered for long, so that another person answers. If the
 * ladder has no further ticket, the chat stays open, where the team sees it.
 */
async function withoutAnswer(
  scope: Scope,
  chat: ChatService,
  record: EscalationRecord,
  phase: Talking,
): Promise<EscalationRecord> {
  const step = findLastChatStep(scope);
  const hasTicket = scope.ticket !== null && scope.settings.ladder.includes("ticket", step + 1);
  if (!hasTicket) return record;
  const closed = await chat.close(phase.chat.id, null, "unanswered");
  if (closed.kind === "failed") return record;
  return withLastWords(
    scope,
    chat,
    record,
    phase,
    moveToNextStep(record, step, scope.now(), "unanswered"),
  );
}

/** Handles a chat that its agent has left: asks another agent, or goes on with the next step. */
async function withoutAgent(
  scope: Scope,
  chat: ChatService,
  record: EscalationRecord,
  phase: Talking,
  { status, queued }: ChatState,
): Promise<EscalationRecord> {
  const now = scope.now();
  const { assignTimeout } = scope.settings.chat;
  const step = findLastChatStep(scope);
  const askAgain = (isQueued: boolean): Promise<EscalationRecord> =>
    askAgent(scope, record, {
      name: "waiting",
      chat: phase.chat,
      step,
      since: now,
      queued: isQueued,
    });
  if (status === "waiting" || queued) return askAgain(queued);
  const found = await chat.assign(phase.chat.id);
  if (found.kind === "ok" && found.value.agent !== null) return askAgain(false);
  const { alone = now } = phase;
  // A refusal is not final, because the service may already be searching for an agent.
  const noted = phase.alone === undefined ? { ...record, phase: { ...phase, alone } } : record;
  if (found.kind !== "ok" && now < alone + assignTimeout) return noted;
  const patient = now < alone + 2 * assignTimeout;
  return closeAndGoOn(scope, chat, noted, { ...phase, step }, patient);
}

/** Tells the reader that the chat waits for another agent. */
function askAgent(
  scope: Scope,
  record: EscalationRecord,
  phase: Waiting,
): Promise<EscalationRecord> {
  const waiting = { ...record, phase };
  return phase.queued
    ? withQueuePosition(scope, waiting)
    : Promise.resolve(addLine(scope, waiting, "escalation.connecting"));
}

async function followWaiting(
  scope: Scope,
  chat: ChatService,
  record: EscalationRecord,
  phase: Waiting,
  state: ChatState | null,
): Promise<EscalationRecord> {
  const now = scope.now();
  if (state === null) return moveToNextStep(record, phase.step, now);
  if (state.status === "closed") {
    const patient = now < phase.since + patienceOf(scope, phase);
    return followClosed(scope, chat, record, phase, state, patient);
  }
  if (state.agent !== null) {
    const joined = await withAgent(scope, chat, record, phase, state.agent);
    return (await readNew(scope, chat, joined, joined.phase))?.record ?? joined;
  }
  const isAbandoned = state.status !== "waiting" && !state.queued && !phase.queued;
  if (isAbandoned) return closeAndGoOn(scope, chat, record, phase, false);
  const later = await giveUpWaiting(scope, chat, record, phase);
  return later === record ? reviseQueuePosition(scope, record) : later;
}

/**
 * Handles a chat that was closed while its reader waited. An agent may have come, written and left
 * since the last call.
 *
 * @param patient true if messages that cannot be read now are read later
 */
async function followClosed(
  scope: Scope,
  chat: ChatService,
  record: EscalationRecord,
  phase: Waiting,
  state: ChatState,
  patient: boolean,
  why: NotReached = "agents",
): Promise<EscalationRecord> {
  const joined = await withAgent(scope, chat, record, phase, state.agent ?? "");
  const read = await readNew(scope, chat, joined, joined.phase);
  if (read === null && patient) return record;
  const wrote = read !== null && read.record.lastMessage > joined.lastMessage;
  if (wrote) {
    return read.isWhole ? finishChat(scope, chat, read.record, joined.phase, state) : read.record;
  }
  // An agent who closes with a reason, such as spam, has decided that nothing follows.
  const isDecided = state.closedBy !== "system" && state.closeReason !== undefined;
  if (isDecided) return endChat(scope, record, phase);
  // An agent came, so "nobody is free" would be untrue.
  const isByAgent = state.closedBy !== undefined && state.closedBy !== "system";
  return isByAgent
    ? moveToNextStep(record, findLastChatStep(scope), scope.now(), "unanswered")
    : moveToNextStep(record, phase.step, scope.now(), why);
}

/** Records that an agent has come, and tells the reader. */
async function withAgent(
  scope: Scope,
  service: ChatService,
  record: EscalationRecord,
  phase: Waiting,
  agent: string,
): Promise<EscalationRecord & { readonly phase: Talking }> {
  const chat = await withNames(service, phase.chat, agent === "" ? [] : [agent]);
  const talking = { name: "talking", chat, agent, since: scope.now() } as const;
  return { ...addLine(scope, record, "escalation.joined"), phase: talking };
}

function patienceOf({ settings: { chat } }: Scope, { queued }: Waiting): number {
  return queued ? chat.queueTimeout : chat.assignTimeout;
}

/** Milliseconds in which the last messages of a closed chat are read. */
const LAST_WORDS_TIMEOUT = 10 * 60_000;

/**
 * Goes on with the next step if no agent took the chat in time, or if all agents of the queue went
 * offline. A chat that cannot be closed now is kept, because an agent may still take it.
 */
async function giveUpWaiting(
  scope: Scope,
  chat: ChatService,
  record: EscalationRecord,
  phase: Waiting,
): Promise<EscalationRecord> {
  const now = scope.now();
  const longest = patienceOf(scope, phase);
  const language = languageOf(record.locale);
  const isStaffed =
    !phase.queued || (await chat.isStaffed(scope.room(language), language, phase.since, now));
  if (isStaffed && now < phase.since + longest) return record;
  // An agent may be free who was not invited in time, so the reason is not "agents".
  const why = isStaffed ? "unanswered" : "agents";
  return closeAndGoOn(scope, chat, record, phase, now < phase.since + 2 * longest, why);
}

/**
 * Closes the chat, so that no agent takes it afterwards, and goes on with the next step.
 *
 * @param patient true if a chat that cannot be closed now is kept, and tried again later
 */
async function closeAndGoOn(
  scope: Scope,
  chat: ChatService,
  record: EscalationRecord,
  phase: Pick<Waiting, "chat" | "step">,
  patient: boolean,
  why: NotReached = "agents",
): Promise<EscalationRecord> {
  const closed = await chat.close(phase.chat.id, null);
  if (closed.kind === "failed") {
    if (patient) return record;
    return moveToNextStep(closeLater(scope, record, phase.chat.id), phase.step, scope.now(), why);
  }
  const next = moveToNextStep(record, phase.step, scope.now(), why);
  const { phase: before } = record;
  if (before.name === "talking") return withLastWords(scope, chat, record, before, next);
  if (before.name !== "waiting") return next;
  const state = await chat.chat(phase.chat.id);
  if (state.kind !== "ok") return patient ? record : next;
  return state.value === null
    ? next
    : followClosed(scope, chat, record, before, state.value, patient, why);
}
