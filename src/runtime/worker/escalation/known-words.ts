import type { PersonPatterns } from "../../../escalation/person-patterns.ts";
import type { Meaning } from "../../../locales/polar-meanings.ts";

// What stands in a worker for escalation/spoken-patterns.ts and for meaningsIn of
// locales/polar-meanings.ts: the words of thirty languages weigh more than all the code of
// escalation, so that a language's come with its lines, when a reader first needs them.

/**
 * How a language's readers ask for a person, and say yes and no; null: nobody has written that
 * down, or it comes later.
 */
export type LanguageWords = readonly [
  language: string,
  person: PersonPatterns | null,
  polar: PolarWords | null,
];

/** Spoken forms, with `|` between them. */
export type PolarWords = Readonly<Record<Meaning, string>>;

export function patternsIn(language: string): PersonPatterns | null {
  return known.get(language)?.person ?? null;
}

export function meaningsIn(language: string): ReadonlyMap<string, Meaning> | null {
  return known.get(language)?.polar ?? null;
}

/**
 * False: what readers of this language say is not known yet, or nobody has written it into this
 * deployment.
 */
export function hasWords(language: string): boolean {
  return known.has(language);
}

/** Whoever compares with a language's words keeps what it made of them: each is put here once. */
export function learnWords(all: readonly LanguageWords[]): void {
  for (const [language, person, polar] of all) {
    const before = known.get(language);
    known.set(language, {
      person: before?.person ?? person,
      polar: before?.polar ?? (polar && meaningsOf(polar)),
    });
  }
}

function meaningsOf(polar: PolarWords): ReadonlyMap<string, Meaning> {
  return new Map(
    (["cancel", "no", "yes"] as const).flatMap((meaning) =>
      polar[meaning].split("|").map((phrase): [string, Meaning] => [phrase, meaning]),
    ),
  );
}

const known = new Map<
  string,
  { readonly person: PersonPatterns | null; readonly polar: ReadonlyMap<string, Meaning> | null }
>();
