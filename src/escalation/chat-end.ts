import { addLine, withSurvey } from "./records/messages.ts";
import { readNew } from "./new-messages.ts";
import { backToBot, type Scope } from "./records/scope.ts";
import type { ChatState } from "./services/chat-answers.ts";
import type { ChatService } from "./services/chat-service.ts";
import type { ChatRef, EscalationRecord, HandoffPhase } from "./stores/record.ts";

type Talking = Extract<HandoffPhase, { name: "talking" }>;

/** Returns a reader whose chat was closed to the bot or, if no agent answered, takes the next step. */
export async function finishChat(
  scope: Scope,
  chat: ChatService,
  record: EscalationRecord,
  phase: Pick<Talking, "chat">,
  state: ChatState | null,
): Promise<EscalationRecord> {
  const isForgotten = state !== null && (await isUnanswered(chat, phase.chat, state));
  if (!isForgotten) return endChat(scope, record, phase);
  return moveToNextStep(record, findLastChatStep(scope), scope.now(), "unanswered");
}

/**
 * True for a closed chat in which the reader got no answer. Either silence closed it after a message
 * of the reader, or an agent who had written nothing and gave no reason.
 */
async function isUnanswered(
  chat: ChatService,
  { id, user }: ChatRef,
  { closedBy, closeReason }: Pick<ChatState, "closedBy" | "closeReason">,
): Promise<boolean> {
  const isSystem = closedBy === "system";
  const isDecided = closedBy !== undefined && !isSystem && closeReason !== undefined;
  if (closedBy === user || isDecided) return false;
  const messages = await chat.messages(id, "");
  if (messages.kind !== "ok") return false;
  const senders = messages.value.map(({ sender }) => sender);
  return isSystem ? (senders.at(-1) ?? user) === user : senders.every((one) => one === user);
}

export function findLastChatStep({ settings }: Scope): number {
  return settings.ladder.findLastIndex((one) => one !== "ticket");
}

/**
 * Returns the record after Afterword closed a chat. An agent may have written in the moment before.
 * These messages are delivered, and count as an answer unless the reader wrote after them.
 *
 * @param next the record if no agent wrote
 */
export async function withLastWords(
  scope: Scope,
  chat: ChatService,
  record: EscalationRecord,
  phase: Pick<Talking, "chat">,
  next: EscalationRecord,
): Promise<EscalationRecord> {
  const read = await readNew(scope, chat, record, phase);
  const wrote = read !== null && read.record.lastMessage > record.lastMessage;
  if (!wrote) return next;
  // The next call reads the rest from the closed chat.
  if (!read.isWhole) return read.record;
  const isForgotten = await isUnanswered(chat, phase.chat, { closedBy: "system" });
  return isForgotten
    ? moveToNextStep(read.record, findLastChatStep(scope), scope.now(), "unanswered")
    : endChat(scope, read.record, phase);
}

/** Why no agent was reached: none is free, or none has answered. */
export type NotReached = "agents" | "unanswered";

/** Goes on with the step after one in which no agent was reached. */
export function moveToNextStep(
  record: EscalationRecord,
  step: number,
  now: number,
  why: NotReached = "agents",
): EscalationRecord {
  return { ...record, phase: { name: "reaching", step: step + 1, since: now, why } };
}

export async function endChat(
  scope: Scope,
  record: EscalationRecord,
  phase: Pick<Talking, "chat">,
): Promise<EscalationRecord> {
  const closed = addLine(scope, record, "escalation.closed");
  return backToBot(scope, await withSurvey(scope, closed, phase));
}
