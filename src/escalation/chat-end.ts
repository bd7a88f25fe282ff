import { addLine, withSurvey } from "./records/messages.ts";
import { readNew } from "./new-messages.ts";
import { backToBot, type Scope } from "./records/scope.ts";
import type { ChatState } from "./services/chat-answers.ts";
import type { ChatService } from "./services/chat-service.ts";
import type { ChatRef, EscalationRecord, HandoffPhase } from "./stores/record.ts";

type Talking = Extract<HandoffPhase, { name: "talking" }>;

/** Ends a closed chat: back to the bot or, if nobody answered the reader, to the next step. */
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
 * True for a closed chat in which the reader got no answer: it was closed by silence after the
 * reader's words, or by an agent who had written nothing and gave no reason.
 */
async function isUnanswered(
  chat: ChatService,
  { id, user }: ChatRef,
  { closedBy, closeReason }: Pick<ChatState, "closedBy" | "closeReason">,
): Promise<boolean> {
  const isSystem = closedBy === "system";
  const isMeant = closedBy !== undefined && !isSystem && closeReason !== undefined;
  if (closedBy === user || isMeant) return false;
  const messages = await chat.messages(id, "");
  if (messages.kind !== "ok") return false;
  const senders = messages.value.map(({ sender }) => sender);
  return isSystem ? (senders.at(-1) ?? user) === user : senders.every((one) => one === user);
}

export function findLastChatStep({ settings }: Scope): number {
  return settings.ladder.findLastIndex((one) => one !== "ticket");
}

/**
 * Returns the record after a chat was closed. An agent may have written in the moment before; these
 * words are delivered, and count as the answer unless the reader spoke last.
 *
 * @param next the record if nobody wrote
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
  // The rest is read from the closed chat, at the next look.
  if (!read.isWhole) return read.record;
  const isForgotten = await isUnanswered(chat, phase.chat, { closedBy: "system" });
  return isForgotten
    ? moveToNextStep(read.record, findLastChatStep(scope), scope.now(), "unanswered")
    : endChat(scope, read.record, phase);
}

/** No agent is free, or none has joined. */
export type NotReached = "agents" | "unanswered";

/** Leaves a step in which no agent was reached, for the next one. */
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
