import { LRUCache } from "lru-cache";
import { RE2JS } from "re2js";
import { toAsciiDigits } from "./fold.ts";

/** Says why a bot master's regular expression can't be used, or null when it can. */
export function findPatternProblem(pattern: string): string | null {
  try {
    const size = RE2JS.compile(pattern).programSize();
    return size > maxProgram
      ? "is too large: use smaller repeat counts, or min and max for the length"
      : null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : "cannot be read";
    return `${reason} (RE2 syntax: no look-around and no back references)`;
  }
}

/**
 * Returns the text if the whole of it matches the pattern, or its spelling with ASCII digits if that
 * matches, or else null. Takes time linear in the text's length for every pattern. An unusable
 * pattern matches nothing.
 */
export function findMatching(pattern: string, text: string): string | null {
  if (text.length > maxMatched) return null;
  const compiled = compile(pattern);
  if (compiled === null) return null;
  if (compiled.matches(text)) return text;
  const spelled = toAsciiDigits(text);
  return spelled !== text && compiled.matches(spelled) ? spelled : null;
}

// Matching takes time in proportion to the sizes of program and text. With both limits the slowest
// known case takes 24 ms.
const maxProgram = 1000;
const maxMatched = 1000;

// Patterns come from content files, a small closed set; a reload may bring new ones.
const compiled = new LRUCache<string, RE2JS>({ max: 500 });

function compile(pattern: string): RE2JS | null {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  if (findPatternProblem(pattern) !== null) return null;
  const fresh = RE2JS.compile(pattern);
  compiled.set(pattern, fresh);
  return fresh;
}
