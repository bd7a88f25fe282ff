/**
 * A text with a stretch of its alphabet and ASCII's letters in each other's place: what takes two
 * or three bytes in UTF-8 takes one, and compresses better. Done twice, it is the text again.
 *
 * @param from where the stretch begins, as a UTF-16 code unit; 0 leaves the text alone
 */
export function swapLetters(text: string, from: number): string {
  if (from === 0) return text;
  let swapped = "";
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const low = unit - ascii;
    const high = unit - from;
    swapped += String.fromCharCode(
      low >= 0 && low < stretch ? from + low : high >= 0 && high < stretch ? ascii + high : unit,
    );
  }
  return swapped;
}

/**
 * Where the stretch should begin for these texts to be short; 0 when that gains nothing worth
 * having. For the build.
 */
export function alphabetOf(texts: readonly string[]): number {
  const counts = new Map<number, number>();
  for (const text of texts) {
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      counts.set(unit, (counts.get(unit) ?? 0) + 1);
    }
  }
  let best = 0;
  let most = worthwhile;
  for (const unit of new Set([...counts.keys()].map((code) => code & ~15))) {
    for (const from of [unit - 48, unit - 32, unit - 16, unit]) {
      // A half of a surrogate pair by itself is nothing that UTF-8 can say.
      if (from < 0x80 || (from + stretch > 0xd800 && from < 0xe000)) continue;
      if (from + stretch > 0x10000) continue;
      const gained = gain(counts, from);
      if (gained <= most) continue;
      best = from;
      most = gained;
    }
  }
  return best;
}

/** Bytes of UTF-8. */
function gain(counts: ReadonlyMap<number, number>, from: number): number {
  const size = from < 0x800 ? 1 : 2;
  let sum = 0;
  for (let at = 0; at < stretch; at++) {
    sum += ((counts.get(from + at) ?? 0) - (counts.get(ascii + at) ?? 0)) * size;
  }
  return sum;
}

/**
 * From "0" to the end of ASCII, past quotes and most punctuation: as many as Cyrillic, Greek or
 * Thai need.
 */
const ascii = 0x30;
const stretch = 0x50;

/** In bytes. */
const worthwhile = 30;
