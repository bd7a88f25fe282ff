import type { Flag } from "./flags.ts";
import type { InstanceRules } from "./types.ts";

/** Titles of active default content and the flag that the engine left out for each. */
export type Recognizers = ReadonlyMap<string, Flag>;

/** Recognizers of an instance's flags with active default content; made once per rules object. */
export function recognizersOf(rules: InstanceRules): Recognizers {
  const known = made.get(rules);
  if (known !== undefined) return known;
  const fresh: Recognizers = new Map(
    Object.entries(rules.recognize)
      .filter(([, flag]) => rules.activeDefaultContent.includes(flag))
      .map(([title, flag]) => [comparable(title), flag]),
  );
  made.set(rules, fresh);
  return fresh;
}

/** A title in the form used for comparing: trimmed, lower case, accents normalized. */
export function comparable(title: string): string {
  return title.normalize("NFC").trim().toLowerCase();
}

// A pure memo: rules are frozen data, and the entry goes with them.
const made = new WeakMap<InstanceRules, Recognizers>();
