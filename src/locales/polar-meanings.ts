import { POLAR_PHRASES } from "./polar-phrases.ts";
import { spokenForm } from "./spoken-form.ts";

export type Meaning = "yes" | "no" | "cancel";

/** The phrases of a language in their spoken form; null: nobody has written them down. */
export function meaningsIn(language: string): ReadonlyMap<string, Meaning> | null {
  const known = meanings.get(language);
  if (known !== undefined) return known;
  const phrases = POLAR_PHRASES.get(language);
  if (phrases === undefined) return null;
  const made = new Map(
    (["cancel", "no", "yes"] as const).flatMap((meaning) =>
      phrases[meaning]
        .split("|")
        .map((phrase): [string, Meaning] => [spokenForm(phrase, language), meaning]),
    ),
  );
  meanings.set(language, made);
  return made;
}

// Made when a language is first spoken: a gateway knows thirty and meets two.
const meanings = new Map<string, ReadonlyMap<string, Meaning>>();
