import { asciiDigits } from "./digits.ts";
import { fold } from "./fold.ts";
import type { FieldValue } from "./types.ts";

/**
 * The value of the choice that a reader means: by its value, by its label, by either without letter
 * case and accents, or by its number in the list. The exact reading goes first, so that values
 * which are numbers keep their meaning.
 */
export function readChoice(text: string, choices: readonly FieldValue[]): string | null {
  const typed = text.trim();
  if (typed.length > maxLength) return null;
  const exact =
    choices.find(({ value }) => value === typed) ?? choices.find(({ label }) => label === typed);
  if (exact !== undefined) return exact.value;
  const folded = fold(typed);
  const alike = choices.filter(
    ({ label, value }) => folded !== "" && (fold(label) === folded || fold(value) === folded),
  );
  const [only, ...others] = alike;
  if (only !== undefined) return others.length === 0 ? only.value : null;
  const place = /^(\d{1,3})\s*[.):]?$/.exec(asciiDigits(typed));
  return place === null ? null : (choices[Number(place[1]) - 1]?.value ?? null);
}

// Longer than any label: what a reader types is folded, and a label is what they see on a button.
const maxLength = 500;
