import type { Flag } from "../../direct-answers/flags.ts";
import type { Config, EscalationConfig, InstanceConfig } from "../config.ts";
import { hidesFlag, isRecognized } from "./coverage.ts";
import type { Reporter } from "../../yaml/diagnostic.ts";
import { valueAt } from "../../yaml/schema-issues.ts";
import { sectionOf } from "../../yaml/section.ts";
import type { Path, YamlFile } from "../../yaml/yaml.ts";

/** Warns of escalation settings that do nothing or less than they seem to, once for each setting. */
export function checkEscalation(config: Config, file: YamlFile, reporter: Reporter): void {
  const reported = new Set<string>();
  for (const [index, instance] of config.instances.entries()) {
    const { escalation } = instance;
    if (escalation.mode === "off") continue;
    const own: Path = ["instances", index, "escalation"];
    for (const finding of listFindings(instance)) {
      // An instance inherits what it does not write.
      const wrote = valueAt(file.value, [...own, ...finding.at.slice(0, 1)]) !== undefined;
      const path: Path = [...(wrote ? own : ["escalation"]), ...finding.at];
      const id = JSON.stringify([path, finding.message]);
      if (reported.has(id)) continue;
      reported.add(id);
      const section = sectionOf(file, reporter, path).key;
      const severity = finding.code === "managed-mode" ? "note" : "warn";
      section[severity](finding.code, finding.message, finding.hint);
    }
  }
}

interface Finding {
  readonly code: "managed-mode" | "never-fires" | "unknown-reference" | "unreachable";
  /** Below `escalation`. */
  readonly at: Path;
  readonly message: string;
  readonly hint?: string;
}

function listFindings(instance: InstanceConfig): readonly Finding[] {
  const { escalation } = instance;
  return [
    ...triggerFindings(escalation, instance),
    ...(escalation.mode === "managed" ? listManagedFindings(escalation, instance) : []),
  ];
}

function* listManagedFindings(
  { hours, ladder, identity }: EscalationConfig,
  { variables }: InstanceConfig,
): Generator<Finding> {
  yield {
    code: "managed-mode",
    at: ["mode"],
    message: "managed is for clients without a hand-over of their own",
    hint: "Clients that hand over by themselves want mode: signal.",
  };
  if (hours !== null && !ladder.includes("ticket")) {
    yield {
      code: "unreachable",
      at: ["hours"],
      message: "outside these hours nothing can be offered: the ladder has no ticket",
    };
  }
  if (hours !== null && Object.values(hours.weekly).every((windows) => windows.length === 0)) {
    const message = "no weekday has a window, so that nobody is ever there";
    yield { code: "never-fires", at: ["hours"], message };
  }
  for (const field of ["name", "email"] as const) {
    const name = identity.variables[field];
    if (name === null || variables.includes(name)) continue;
    yield {
      code: "unknown-reference",
      at: ["identity", "variables", field],
      message: `the instance does not list the variable "${name}", so its value is never known`,
      hint: "Add it to the instance's variables.",
    };
  }
}

function* triggerFindings(
  { triggers }: EscalationConfig,
  instance: InstanceConfig,
): Generator<Finding> {
  if (!canFire(triggers))
    yield createNeverFinding([], "nothing can ever ask for a person: all triggers are off");
  if (triggers.negativeRatings > 0 && triggers.negative.length === 0) {
    yield createNeverFinding(
      ["negativeRatings"],
      "no value of a rating is negative",
      "List them in negative.",
    );
  }
  if (triggers.noResults > 0 && isHidden(instance, "no-results")) {
    yield createNeverFinding(
      ["noResults"],
      `default content is active on ${instance.name}, so the flag no-results does not come and nothing is counted`,
      "Name the content's title under recognize.",
    );
  }
  for (const [index, flag] of triggers.flags.entries()) {
    if (!isHidden(instance, flag)) continue;
    const message = `default content is active on ${instance.name}, so the flag ${flag} does not come`;
    yield createNeverFinding(
      ["flags", index],
      message,
      "Name the content's title under recognize.",
    );
  }
}

function createNeverFinding(at: Path, message: string, hint?: string): Finding {
  const path: Path = ["triggers", ...at];
  return { code: "never-fires", at: path, message, ...(hint === undefined ? {} : { hint }) };
}

/** True for a flag that the engine omits and that no title identifies. */
function isHidden(instance: InstanceConfig, flag: Flag): boolean {
  return hidesFlag(instance, flag) && !isRecognized(instance, flag);
}

function canFire(triggers: EscalationConfig["triggers"]): boolean {
  const { noResults, errors, negativeRatings, flags, directCalls, callbacks, rules } = triggers;
  const hasWords =
    triggers.words || Object.values(triggers.moreWords).some((list) => list.length > 0);
  const lists = [flags, directCalls, callbacks, rules].some((list) => list.length > 0);
  return noResults + errors + negativeRatings > 0 || triggers.escalateFlag || hasWords || lists;
}
