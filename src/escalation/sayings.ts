import type { EscalationRecord, Saying } from "./record.ts";
import type { About, EscalationLine, Scope } from "./scope.ts";

/** The record with one more thing said to the reader. An empty text is nothing said. */
export function saying(record: EscalationRecord, said: Omit<Saying, "id">): EscalationRecord {
  if (said.text === "" && said.media === undefined) return record;
  const id = record.lastSaying + 1;
  const sayings = fitting([...record.sayings, { ...said, id }], record.told);
  return { ...record, sayings, lastSaying: id };
}

/**
 * The record with one of our lines said to the reader, in the language and channel of the last
 * turn.
 */
export function lineSaid(
  scope: Pick<Scope, "say">,
  record: EscalationRecord,
  key: EscalationLine,
  about?: About,
): EscalationRecord {
  return saying(record, { kind: "line", text: scope.say(record, key, about) ?? "" });
}

/**
 * True when the reader has to be told before more is taken over from a chat: what is kept is
 * bounded, and nothing gets lost.
 */
export function isFull(record: EscalationRecord): boolean {
  const waiting = unsaid(record);
  return waiting.length >= mostUnsaid || lengthOf(waiting) >= longestUnsaid;
}

/** Of too many, those leave first that were told. */
function fitting(all: readonly Saying[], told: number): readonly Saying[] {
  const from = all.findIndex(
    ({ id }, index) =>
      id > told || (all.length - index <= mostSayings && lengthOf(all.slice(index)) <= longest),
  );
  return all.slice(from);
}

function lengthOf(sayings: readonly Saying[]): number {
  return sayings.reduce((sum, { text }) => sum + text.length, 0);
}

/** What nobody has carried to the reader yet. */
export function unsaid(record: EscalationRecord, after: number = record.told): readonly Saying[] {
  return record.sayings.filter(({ id }) => id > after);
}

const mostSayings = 100;
const mostUnsaid = 60;
/** Characters. */
const longest = 120_000;
const longestUnsaid = 60_000;
