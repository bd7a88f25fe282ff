import { type Meaning, meaningsIn } from "./polar-meanings.ts";
import { spokenForm, spokenLanguage } from "./spoken-form.ts";

/**
 * What a reader answers to a yes-or-no question: `yes` or `no` when the whole text is a phrase for
 * it in the language of the conversation or in English (clients send the literal `no` whatever the
 * language), else null. Never throws.
 *
 * @example
 * polarOf("Oui, bien sûr !", "fr"); // "yes"
 * polarOf("no puedo entrar", "es"); // null
 */
export function polarOf(text: string, language: string): "yes" | "no" | null {
  const found = meaningOf(text, language);
  return found === "cancel" ? null : found;
}

/**
 * True when the whole text is a phrase by which a reader leaves a form, in the language of the
 * conversation or in English.
 */
export function cancelOf(text: string, language: string): boolean {
  return meaningOf(text, language) === "cancel";
}

// The longest phrase has some 40 signs; nobody says yes in 100.
const longest = 100;

const signs: ReadonlyMap<string, Meaning> = new Map([
  ["👍", "yes"],
  ["👌", "yes"],
  ["✅", "yes"],
  ["✔", "yes"],
  ["👎", "no"],
  ["❌", "no"],
  ["🚫", "no"],
]);

function meaningOf(text: string, language: string): Meaning | null {
  if (text.length > longest) return null;
  const sign = signs.get(text.trim().replaceAll(/[\u{1f3fb}-\u{1f3ff}]|\ufe0f/gu, ""));
  if (sign !== undefined) return sign;
  const own = spokenLanguage(language);
  return lookUp(text, own) ?? lookUp(text, "en") ?? agreed(text, own);
}

/** "No, that is wrong": several phrases that mean the same. */
function agreed(text: string, language: string): Meaning | null {
  const parts = text.split(/[,.!;،、。，！]+/u).filter((part) => part.trim() !== "");
  const found = new Set(parts.map((part) => lookUp(part, language)));
  const [meaning = null] = found;
  return found.size === 1 ? meaning : null;
}

function lookUp(text: string, language: string): Meaning | null {
  const phrases = meaningsIn(language);
  if (phrases === null) return null;
  const said = spokenForm(text, language);
  // A drawn out "siiii" or "nooo" is a yes or a no.
  return phrases.get(said) ?? phrases.get(said.replaceAll(/(\p{L})\1{2,}/gu, "$1")) ?? null;
}
