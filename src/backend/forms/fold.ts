import { asciiDigits } from "./digits.ts";

/**
 * A text as it is compared with a list's choices: without letter case, Latin accents, vowel points,
 * width and the punctuation around it.
 *
 * @example
 * fold(" ÉTÉ! ") === fold("ete"); // true
 */
export function fold(text: string): string {
  return asciiDigits(
    text
      .normalize("NFKD")
      .replace(ignoredMarks, "")
      .normalize("NFC")
      .toLowerCase()
      .replace(special, (letter) => plainLetters.get(letter) ?? letter),
  )
    .replace(edges, "")
    .replace(/\s+/gu, " ");
}

// Latin, Greek and Cyrillic accents, Hebrew points, Arabic vowel signs. The marks of other scripts
// are letters.
const ignoredMarks = /[\u0300-\u036f\u0591-\u05c7\u064b-\u0652\u0670]/gu;
const edges = /^[\s\p{P}]+|[\s\p{P}]+$/gu;
// Letters that Unicode does not take apart.
const plainLetters: ReadonlyMap<string, string> = new Map([
  ["ı", "i"],
  ["ß", "ss"],
  ["ø", "o"],
  ["ł", "l"],
  ["đ", "d"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ς", "σ"],
]);
const special = /[ıßøłđæœς]/gu;
