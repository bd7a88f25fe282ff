import type { EscalationRecord } from "./record.ts";
import { crashed, isSettled } from "./retries.ts";

/**
 * When a record is to be looked at although nobody asked, in milliseconds since the epoch, or null.
 */
export function wakeOf({ phase, intents }: EscalationRecord, now: number): number | null {
  const due = intents.flatMap((intent) =>
    isSettled(intent) || intent.next === null ? [] : [intent.next],
  );
  // Whoever was climbing when their process ended is followed by somebody else.
  if (phase.name === "reaching") due.push(now + crashed);
  if (phase.name === "waiting" || phase.name === "talking") due.push(now + lookAgain);
  return due.length === 0 ? null : Math.min(...due);
}

/** How often an open chat is looked at when nobody listens. */
const lookAgain = 15_000;
