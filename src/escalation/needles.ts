import type { TriggerConfig } from "../config/escalation-config.ts";
import { comparable } from "../direct-answers/recognition.ts";
import type { NeedleSpec } from "../json/needles.ts";

/**
 * What opens the gate of an instance beside its direct answers. Closed is certain: no trigger is in
 * the body, and `quietEscalation` would take nothing out of it. What needs no body (words, ratings,
 * a row that an answer ends) is the caller's to ask for.
 */
export function triggerNeedles(triggers: TriggerConfig): NeedleSpec {
  // Members of `flags` open the gate anyway; the attribute does not stand there.
  const escalate = triggers.escalateFlag ? ["escalate"] : [];
  const values = [...escalate, ...triggers.directCalls, ...triggers.callbacks];
  return {
    texts: [...new Set([...values.map((value) => value.toLowerCase()), ...ruleTexts(triggers)])],
    names: triggers.rules.some(needsScore) ? ["score"] : [],
  };
}

function ruleTexts({ rules }: TriggerConfig): readonly string[] {
  return rules.flatMap(({ flag, title, attribute, scoreBelow, turns }) => {
    // A text without a letter to look for opens every gate: turns are counted, whatever they bring.
    if (turns !== undefined) return [ANYTHING];
    if (flag !== undefined) return [];
    if (title !== undefined) return [comparable(title)];
    if (attribute !== undefined) return [attribute.name.toLowerCase()];
    return scoreBelow === undefined ? [ANYTHING] : [];
  });
}

const ANYTHING = "";

/** True for a rule that nothing but the score opens the gate for. */
function needsScore({
  flag,
  title,
  attribute,
  scoreBelow,
}: TriggerConfig["rules"][number]): boolean {
  const hasOther = flag !== undefined || title !== undefined || attribute !== undefined;
  return scoreBelow !== undefined && !hasOther;
}
