/**
 * A text as labels and titles are compared: without case, punctuation, and compatibility forms such
 * as full-width letters. What has neither letters nor digits stays as it is.
 */
export function plainWords(text: string): string {
  const folded = text.normalize("NFKC").toLowerCase();
  const words = folded.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ").trim();
  return words === "" ? folded.trim() : words;
}
