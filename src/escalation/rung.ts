import type { EscalationRecord, HandoffPhase } from "./record.ts";
import type { Scope } from "./scope.ts";

/** What became of one rung: the record as it is now, and whether the next rung is to be tried. */
export interface StepResult {
  readonly record: EscalationRecord;
  readonly next: boolean;
}

/** On the ladder, at `rung`. */
export type Reaching = Extract<HandoffPhase, { name: "reaching" }>;

/** Back to the bot, who offers nothing for a while. Counting begins anew. */
export function backToBot(
  scope: Pick<Scope, "now" | "settings">,
  record: EscalationRecord,
): EscalationRecord {
  const counts = { ...record.counts, noResults: 0, errors: 0, negativeRatings: 0 };
  const quietUntil = scope.now() + scope.settings.coolDown;
  return { ...record, counts, phase: { name: "bot", quietUntil } };
}
