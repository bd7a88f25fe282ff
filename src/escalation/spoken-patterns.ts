import { type PersonPatterns, personPatterns } from "./person-patterns.ts";
import { PERSON_WORDS } from "./person-words.ts";

/**
 * How a language's readers ask for a person; null: nobody has written that down.
 *
 * @param language primary subtag, lower case
 */
export function patternsIn(language: string): PersonPatterns | null {
  const known = made.get(language);
  if (known !== undefined) return known;
  const words = PERSON_WORDS.get(language);
  if (words === undefined) return null;
  const patterns = personPatterns(words, language);
  made.set(language, patterns);
  return patterns;
}

// Made when a language is first spoken: a gateway knows thirty and meets two.
const made = new Map<string, PersonPatterns>();
