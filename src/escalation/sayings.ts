import type { EscalationRecord, ReaderMessage } from "./record.ts";
import type { About, EscalationLine, Scope } from "./scope.ts";

/** The record with one more thing said to the reader. An empty text is nothing said. */
export function addMessage(
  record: EscalationRecord,
  said: Omit<ReaderMessage, "id">,
): EscalationRecord {
  if (said.text === "" && said.media === undefined) return record;
  const id = record.lastMessage + 1;
  const sayings = fitting([...record.messages, { ...said, id }], record.delivered);
  return { ...record, messages: sayings, lastMessage: id };
}

/**
 * The record with one of our lines said to the reader, in the language and channel of the last
 * turn.
 */
export function addLine(
  scope: Pick<Scope, "say">,
  record: EscalationRecord,
  key: EscalationLine,
  about?: About,
): EscalationRecord {
  return addMessage(record, { kind: "line", text: scope.say(record, key, about) ?? "" });
}

/**
 * True when the reader has to be told before more is taken over from a chat: what is kept is
 * bounded, and nothing gets lost.
 */
export function hasTooMuchUndelivered(record: EscalationRecord): boolean {
  const waiting = undelivered(record);
  return waiting.length >= mostUnsaid || lengthOf(waiting) >= longestUnsaid;
}

/** Of too many, those leave first that were told. */
function fitting(all: readonly ReaderMessage[], told: number): readonly ReaderMessage[] {
  const from = all.findIndex(
    ({ id }, index) =>
      id > told || (all.length - index <= mostSayings && lengthOf(all.slice(index)) <= longest),
  );
  return all.slice(from);
}

function lengthOf(sayings: readonly ReaderMessage[]): number {
  return sayings.reduce((sum, { text }) => sum + text.length, 0);
}

/** What nobody has carried to the reader yet. */
export function undelivered(
  record: EscalationRecord,
  after: number = record.delivered,
): readonly ReaderMessage[] {
  return record.messages.filter(({ id }) => id > after);
}

const mostSayings = 100;
const mostUnsaid = 60;
/** Characters. */
const longest = 120_000;
const longestUnsaid = 60_000;
