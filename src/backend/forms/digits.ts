/**
 * The text with every decimal digit of a script in use (Arabic-Indic, Devanagari, full-width…) as
 * an ASCII one.
 *
 * @example
 * asciiDigits("٢١"); // "21"
 */
export function asciiDigits(text: string): string {
  return text.replace(foreignDigit, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const zero = zeros.find((start) => code >= start && code <= start + 9);
    return zero === undefined ? digit : String(code - zero);
  });
}

const foreignDigit = /(?![0-9])\p{Nd}/gu;

// Unicode gives a script's ten digits ten code points in a row: the zero says it all.
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
