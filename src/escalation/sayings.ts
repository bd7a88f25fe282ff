import type { EscalationRecord, Saying } from "./record.ts";

/** The record with one more thing said to the reader. An empty text is nothing said. */
export function saying(record: EscalationRecord, said: Omit<Saying, "id">): EscalationRecord {
  if (said.text === "" && said.media === undefined) return record;
  const id = record.lastSaying + 1;
  const sayings = [...record.sayings, { ...said, id }].slice(-mostSayings);
  return { ...record, sayings, lastSaying: id };
}

/** What nobody has carried to the reader yet. */
export function unsaid(record: EscalationRecord, after: number = record.told): readonly Saying[] {
  return record.sayings.filter(({ id }) => id > after);
}

const mostSayings = 100;
