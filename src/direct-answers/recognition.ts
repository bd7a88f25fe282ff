import type { Flag } from "./flags.ts";
import type { InstanceRules } from "./types.ts";

/**
 * The texts by which active default content is recognized, each with the flag that the engine left
 * out.
 */
export interface Recognizers {
  /** Titles, in the form of {@link toComparable}. */
  readonly titles: ReadonlyMap<string, Flag>;
  /** Texts of default content that the owner's words replace, in the same form. */
  readonly texts: ReadonlyMap<string, Flag>;
}

/**
 * Returns the recognizers of an instance's flags with active default content. They are made once
 * per rules object.
 */
export function recognizersOf(rules: InstanceRules): Recognizers {
  const known = made.get(rules);
  if (known !== undefined) return known;
  const isActive = (flag: Flag): boolean => rules.activeDefaultContent.includes(flag);
  const fresh: Recognizers = {
    titles: new Map(
      Object.entries(rules.recognize)
        .filter(([, flag]) => isActive(flag))
        .map(([title, flag]) => [toComparable(title), flag]),
    ),
    texts: new Map(
      rules.activeDefaultContent.flatMap((flag) =>
        (rules.replace[flag] ?? []).map((text) => [toComparable(text), flag] as const),
      ),
    ),
  };
  made.set(rules, fresh);
  return fresh;
}

/**
 * The flag of the active default content that an answer is, or null.
 *
 * @param titles of the matched intent, the answer and its contents
 * @param text the answer's words; null for an answer with more than one, or none
 */
export function recognize(
  recognizers: Recognizers,
  titles: readonly string[],
  text: string | null,
): Flag | null {
  for (const title of titles) {
    const flag = recognizers.titles.get(toComparable(title));
    if (flag !== undefined) return flag;
  }
  return text === null ? null : (recognizers.texts.get(toComparable(text)) ?? null);
}

/** True without anything to recognize default content by. */
export function recognizesNothing({ titles, texts }: Recognizers): boolean {
  return titles.size === 0 && texts.size === 0;
}

/** A title or a text in the form used for comparing: trimmed, lower case, accents normalized. */
export function toComparable(title: string): string {
  return title.normalize("NFC").trim().toLowerCase();
}

// A cache: rules are frozen data, and an entry is dropped with its rules.
const made = new WeakMap<InstanceRules, Recognizers>();
