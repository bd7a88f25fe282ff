import { agentChatStep } from "./chat-rung.ts";
import type { EscalationRecord } from "./record.ts";
import { backToBot, type Reaching } from "./rung.ts";
import { addLine } from "./sayings.ts";
import type { Scope } from "./scope.ts";
import { ticketStep } from "./ticket-rung.ts";

/**
 * Goes up the ladder from where the record stands, until a rung holds or none is left. Each rung
 * tries, confirms, and only then speaks; each failure falls to the next. May be called again after
 * a crash at any point: what was created is found by its name.
 *
 * @returns the record as it was saved last, in another phase than `reaching`
 */
export async function runSteps(scope: Scope, begun: EscalationRecord): Promise<EscalationRecord> {
  let record = begun;
  for (;;) {
    const { phase } = record;
    if (phase.name !== "reaching") return record;
    const step = scope.settings.ladder[phase.step];
    if (step === undefined) return scope.save(giveUp(scope, record, phase));
    const climbed =
      step === "ticket"
        ? await ticketStep(scope, excused(scope, record, phase), phase)
        : await agentChatStep(scope, record, phase, step);
    record = climbed.next ? await scope.save(stepUp(climbed.record)) : climbed.record;
  }
}

function stepUp(record: EscalationRecord): EscalationRecord {
  const { phase } = record;
  if (phase.name !== "reaching") return record;
  return { ...record, phase: { ...phase, step: phase.step + 1 } };
}

/** Says why there is nobody to talk to, once, before something else is done instead. */
function excused(scope: Scope, record: EscalationRecord, phase: Reaching): EscalationRecord {
  if (phase.why === "") return record;
  const key = phase.why === "hours" ? "escalation.outside-hours" : "escalation.no-agents";
  const said = addLine(scope, record, key);
  return { ...said, phase: { ...phase, why: "" } };
}

function giveUp(scope: Scope, record: EscalationRecord, phase: Reaching): EscalationRecord {
  const said = excused(scope, record, phase);
  const undecided = record.intents.some(
    ({ epoch, state }) => epoch === record.epoch && (state === "sent" || state === "unknown"),
  );
  const key = undecided ? "escalation.unknown" : "escalation.not-now";
  return backToBot(scope, addLine(scope, said, key));
}
