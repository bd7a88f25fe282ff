import type { PersonPatterns } from "../../../escalation/person-patterns.ts";
import type { Meaning } from "../../../locales/polar-meanings.ts";

// What stands in a worker for escalation/spoken-patterns.ts and for meaningsIn of locales/polar-meanings.ts: the words of thirty
// languages weigh more than all the code of escalation, so that a language's come with its lines, when a reader first needs them.

/** How a language's readers ask for a person, and say yes and no; null: nobody has written that down. */
export type LanguageWords = readonly [
  language: string,
  person: PersonPatterns | null,
  polar: readonly (readonly [phrase: string, meaning: Meaning])[] | null,
];

export function patternsIn(language: string): PersonPatterns | null {
  return known.get(language)?.person ?? null;
}

export function meaningsIn(language: string): ReadonlyMap<string, Meaning> | null {
  return known.get(language)?.polar ?? null;
}

/** Whoever compares with a language's words keeps what it made of them: they are put here once. */
export function learnWords(all: readonly LanguageWords[]): void {
  for (const [language, person, polar] of all) {
    if (!known.has(language)) known.set(language, { person, polar: polar && new Map(polar) });
  }
}

const known = new Map<
  string,
  { readonly person: PersonPatterns | null; readonly polar: ReadonlyMap<string, Meaning> | null }
>();
