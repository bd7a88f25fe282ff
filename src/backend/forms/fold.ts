/**
 * Replaces the decimal digits of all scripts in use (Arabic-Indic, Devanagari, full-width…) with
 * ASCII digits.
 *
 * @example
 * toAsciiDigits("٢١"); // "21"
 */
export function toAsciiDigits(text: string): string {
  return text.replace(foreignDigit, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const zero = zeros.find((start) => code >= start && code <= start + 9);
    return zero === undefined ? digit : String(code - zero);
  });
}

const foreignDigit = /(?![0-9])\p{Nd}/gu;

// A script's ten digits have consecutive code points, so the zero identifies them.
const zeros: readonly number[] = [
  0x0660, // Arabic-Indic
  0x06f0, // Persian and Urdu
  0x07c0, // N'Ko
  0x0966, // Devanagari
  0x09e6, // Bengali
  0x0a66, // Gurmukhi
  0x0ae6, // Gujarati
  0x0b66, // Odia
  0x0be6, // Tamil
  0x0c66, // Telugu
  0x0ce6, // Kannada
  0x0d66, // Malayalam
  0x0e50, // Thai
  0x0ed0, // Lao
  0x0f20, // Tibetan
  0x1040, // Myanmar
  0x17e0, // Khmer
  0x1810, // Mongolian
  0xff10, // full width
];

/**
 * Normalizes a text for the comparison with a list's choices. Letter case, Latin accents, vowel
 * points, width and surrounding punctuation do not count.
 *
 * @example
 * fold(" ÉTÉ! ") === fold("ete"); // true
 */
export function fold(text: string): string {
  return toAsciiDigits(
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

// Latin, Greek, Cyrillic accents, Hebrew points, Arabic vowels. Other scripts' marks are letters.
const ignoredMarks = /[\u0300-\u036f\u0591-\u05c7\u064b-\u0652\u0670]/gu;
const edges = /^[\s\p{P}]+|[\s\p{P}]+$/gu;
// Letters that Unicode does not decompose.
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
