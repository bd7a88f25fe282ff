import type { EscalationRecord, Intent } from "./record.ts";
import { withIntent } from "./retries.ts";
import { type Scope, Superseded } from "./scope.ts";

/**
 * Writes down what came of a call. That must not get lost because somebody else wrote meanwhile:
 * then it goes into their record.
 *
 * @throws Superseded all the same, for whoever works on the old record
 */
export async function saveOutcome(
  scope: Pick<Scope, "save" | "load">,
  record: EscalationRecord,
  intent: Intent,
  tells: ReaderNote = (unchanged) => unchanged,
): Promise<EscalationRecord> {
  try {
    return await scope.save(tells(withIntent(record, intent), intent));
  } catch (error) {
    if (!(error instanceof Superseded)) throw error;
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const theirs = await scope.load(record);
      const written = await scope.save(tells(withIntent(theirs, intent), intent)).catch(superseded);
      if (written !== null) break;
    }
    throw error;
  }
}

/**
 * What the reader is told of it, in the same write: who is interrupted in between would never tell
 * them.
 */
export type ReaderNote = (record: EscalationRecord, intent: Intent) => EscalationRecord;

const mostAttempts = 8;

function superseded(error: unknown): null {
  if (error instanceof Superseded) return null;
  throw error;
}
