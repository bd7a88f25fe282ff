/**
 * Removes the characters of a set from the end of a text. A pattern such as `/\/+$/` would start
 * anew at each of a long run of them, and so take the square of its length.
 *
 * @example
 * dropTrailing("https://example.com//", "/"); // "https://example.com"
 */
export function dropTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Cuts a text to this many UTF-16 code units, or one less to keep a character whole. */
export function cutText(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/u, "");
}

/** Fills the `{name}` places of a sentence. A place without a value stays as it is. */
export function fillPlaces(
  sentence: string,
  values: Readonly<Record<string, string | number>>,
): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}

/** Writes a text as one word of a shell, in quotes if it needs them. */
export function toShellWord(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : quoteShell(text);
}

/** Quotes a text as one word of a shell. */
export function quoteShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

const MAX_LETTERS = 126;
const rowA = new Uint8Array(MAX_LETTERS + 1);
const rowB = new Uint8Array(MAX_LETTERS + 1);
const rowC = new Uint8Array(MAX_LETTERS + 1);

/**
 * Counts the edits from one word to the other: insertions, deletions, substitutions and swaps of
 * neighbours (optimal string alignment). Above `most`, and for different words of more than 126
 * letters, any larger number.
 */
export function countEdits(one: string, other: string, most: number): number {
  if (one === other) return 0;
  if (Math.abs(one.length - other.length) > most) return most + 1;
  if (Math.max(one.length, other.length) > MAX_LETTERS) return most + 1;
  let [twoUp, up, row] = [rowA, rowB, rowC];
  for (let at = 0; at <= other.length; at += 1) up[at] = at;
  for (let i = 1; i <= one.length; i += 1) {
    row[0] = i;
    let least = i;
    for (let j = 1; j <= other.length; j += 1) {
      const same = one.charCodeAt(i - 1) === other.charCodeAt(j - 1);
      let cost = Math.min(
        (up[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (up[j - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped =
        i > 1 &&
        j > 1 &&
        one.charCodeAt(i - 1) === other.charCodeAt(j - 2) &&
        one.charCodeAt(i - 2) === other.charCodeAt(j - 1);
      if (swapped) cost = Math.min(cost, (twoUp[j - 2] ?? 0) + 1);
      row[j] = cost;
      if (cost < least) least = cost;
    }
    if (least > most) return most + 1;
    [twoUp, up, row] = [up, row, twoUp];
  }
  return up[other.length] ?? 0;
}
