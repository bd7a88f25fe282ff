import type { ChatRef, EscalationRecord, ReaderMessage } from "../stores/record.ts";
import type { About, EscalationLine, Reaching, Scope } from "./scope.ts";

/** The record with one more message to the reader. An empty text is no message. */
export function addMessage(
  record: EscalationRecord,
  message: Omit<ReaderMessage, "id">,
): EscalationRecord {
  if (message.text === "" && message.media === undefined) return record;
  const id = record.lastMessage + 1;
  const messages = chooseFitting([...record.messages, { ...message, id }], record.delivered);
  return { ...record, messages, lastMessage: id };
}

/** The record with one of our lines, in the language and channel of the last turn. */
export function addLine(
  scope: Pick<Scope, "say">,
  record: EscalationRecord,
  key: EscalationLine,
  about?: About,
): EscalationRecord {
  return addMessage(record, { kind: "line", text: scope.say(record, key, about) ?? "" });
}

/** Adds the line that says why no agent is available, if the reason is known. */
export function addReason(
  scope: Pick<Scope, "say">,
  record: EscalationRecord,
  why: Reaching["why"],
): EscalationRecord {
  return why === "" ? record : addLine(scope, record, reasons[why]);
}

const reasons = {
  hours: "escalation.outside-hours",
  agents: "escalation.no-agents",
  unanswered: "escalation.unanswered",
} as const;

/** Messages that neither a turn nor a stream has delivered yet. */
export function listUndelivered(
  record: EscalationRecord,
  after: number = record.delivered,
): readonly ReaderMessage[] {
  return record.messages.filter(({ id }) => id > after);
}

/**
 * True when the reader must first get the stored messages, because their number is limited and none
 * may be lost.
 */
export function hasTooMuchUndelivered(record: EscalationRecord): boolean {
  const waiting = listUndelivered(record);
  return waiting.length >= maxUndelivered || lengthOf(waiting) >= maxUndeliveredCharacters;
}

/** Drops the oldest delivered messages when there are too many. */
function chooseFitting(all: readonly ReaderMessage[], delivered: number): readonly ReaderMessage[] {
  const from = all.findIndex(
    ({ id }, index) =>
      id > delivered ||
      (all.length - index <= maxMessages && lengthOf(all.slice(index)) <= maxCharacters),
  );
  return all.slice(from);
}

function lengthOf(messages: readonly ReaderMessage[]): number {
  return messages.reduce((sum, { text }) => sum + text.length, 0);
}

const maxMessages = 100;
const maxUndelivered = 60;
/** In characters. */
const maxCharacters = 120_000;
const maxUndeliveredCharacters = 60_000;

/** Adds the line of the survey, if the chat has one. */
export async function withSurvey(
  scope: Scope,
  record: EscalationRecord,
  phase: { readonly chat: ChatRef },
): Promise<EscalationRecord> {
  const { survey } = scope.settings.chat;
  if (survey === null || scope.chat === null) return record;
  const found = await scope.chat.survey(survey, phase.chat.id);
  const line = scope.say(record, "escalation.survey");
  if (found.kind !== "ok" || found.value === null || line === null) return record;
  return addMessage(record, { kind: "line", text: `${line} ${found.value.url}` });
}
