import { simplified } from "./simplified.ts";

/** The lines of a list that has a phrase in each. */
export function phrasesOf(lines: string): readonly string[] {
  return lines.split("\n").filter((line) => line !== "");
}

/** True when a line stands for several phrases: docs/recognition.md. */
export function hasChoice(line: string): boolean {
  return /[([]/.test(line);
}

/**
 * The spoken forms of a line's phrases, as the source of a regular expression: `(a|b)` stands for
 * either, `[a|b]` for either or nothing. Spaces beside brackets may be missing in what was typed.
 *
 * @param between what stands for a space
 * @example
 * patternOf("(stop|end) the [live] chat", "en"); // "(?:stop|end) ?the ?(?:live)? ?chat"
 */
export function patternOf(line: string, language: string, between = " "): string {
  return line
    .split(/([()[\]|])/)
    .map((part) => SYNTAX[part] ?? literal(part, spokenForm(part, language), between))
    .join("");
}

const SYNTAX: Readonly<Record<string, string>> = {
  "(": "(?:",
  "[": "(?:",
  "|": "|",
  ")": ")",
  "]": ")?",
};

/** Of letters, digits and spaces, which mean nothing else in a pattern. */
function literal(raw: string, form: string, between: string): string {
  if (form === "") return raw.includes(" ") ? " ?" : "";
  const before = raw.startsWith(" ") ? " ?" : "";
  return before + form.replaceAll(" ", between) + (raw.endsWith(" ") ? " ?" : "");
}

/**
 * A phrase in the form in which phrases are compared: letters and digits in lower case, single
 * spaces between; without accents, except where two words would become one.
 *
 * @param language primary subtag, lower case
 */
export function spokenForm(text: string, language: string): string {
  const lower = text.normalize("NFKC").toLocaleLowerCase(language === "tr" ? "tr" : "en");
  const bare = keepsMarks.has(language)
    ? lower
    : lower.normalize("NFD").replaceAll(/\p{M}/gu, "").normalize("NFC");
  return (oneSpelling[language]?.(bare) ?? bare)
    .replaceAll(/['’‘`´]/g, "")
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
}

// Thai vowels and tones are marks, needed to tell words apart, as are Vietnamese tones.
const keepsMarks: ReadonlySet<string> = new Set(["th", "vi", "ja", "ko"]);

/** What is typed on keyboards without ı, ä, æ or å, or with letters that look alike. */
const oneSpelling: Readonly<Record<string, (text: string) => string>> = {
  tr: (text) => text.replaceAll("ı", "i"),
  ar: (text) => text.replaceAll("ة", "ه").replaceAll("ى", "ي"),
  zh: simplified,
  de: (text) => text.replaceAll("ß", "ss").replaceAll(/([aou])e/g, "$1"),
  da: (text) => text.replaceAll(/æ|ae|aa/g, "a").replaceAll(/ø|oe/g, "o"),
  // "noe" is a word.
  no: (text) => text.replaceAll(/æ|ae|aa/g, "a").replaceAll("ø", "o"),
};

/**
 * Puts right letters typed more than once, and single typing mistakes of words with five letters
 * or more, where one word fits.
 */
export type Correct = (said: string) => string;

/** @param lines of lists: their words are what was meant */
export function correctTo(lines: readonly string[], language: string): Correct {
  const words = new Set(
    lines.flatMap((line) => spokenForm(line.replaceAll(/[()[\]|]/g, " "), language).split(" ")),
  );
  // A word and its mistake have a letter too few in common: only those are compared.
  const near = new Map<string, string[]>();
  for (const word of words) {
    if (word.length < shortest) continue;
    for (const one of shortened(word)) near.set(one, [...(near.get(one) ?? []), word]);
  }
  const corrected = (word: string): string => {
    if (words.has(word)) return word;
    const once = Array.from(word)
      .filter((letter, at, all) => letter !== all[at - 1])
      .join("");
    if (words.has(once)) return once;
    if (word.length < shortest) return word;
    const found = new Set(
      shortened(word).flatMap((one) =>
        (near.get(one) ?? []).filter((right) => isMistake(word, right)),
      ),
    );
    const [right = word] = found;
    return found.size === 1 ? right : word;
  };
  return (said) => said.split(" ").map(corrected).join(" ");
}

const shortest = 5;

function shortened(word: string): readonly string[] {
  return [word, ...Array.from(word).map((_, at, all) => all.toSpliced(at, 1).join(""))];
}

/** A letter too many, one too few, another one, or two in each other's place. */
function isMistake(typed: string, right: string): boolean {
  const [a, b] = [Array.from(typed), Array.from(right)];
  const at = a.findIndex((letter, index) => letter !== b[index]);
  if (at === -1) return b.length <= a.length + 1;
  return (
    rest(a, at + 1) === rest(b, at + 1) ||
    rest(a, at + 1) === rest(b, at) ||
    rest(a, at) === rest(b, at + 1) ||
    (a[at] === b[at + 1] && a[at + 1] === b[at] && rest(a, at + 2) === rest(b, at + 2))
  );
}

function rest(letters: readonly string[], from: number): string {
  return letters.slice(from).join("");
}
