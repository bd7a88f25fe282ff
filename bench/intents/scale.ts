import type { Searchable } from "../../src/matching/types.ts";

/**
 * Invents a base of a given size from the words of some sentences: each content has its own words,
 * and phrases that use them.
 */
export function inventContents(
  sentences: readonly string[],
  count: number,
  phrasesEach: number,
): readonly Searchable[] {
  const words = [...new Set(sentences.flatMap((text) => text.split(/\s+/)))].filter(Boolean);
  let state = 1;
  const below = (limit: number): number => {
    state = (Math.imul(state, 48_271) >>> 0) % 2_147_483_647;
    return state % limit;
  };
  const pick = <T>(list: readonly T[], otherwise: T): T => list[below(list.length)] ?? otherwise;
  return Array.from({ length: count }, (_, id) => {
    const own = [pick(words, "a"), pick(words, "b"), `${pick(words, "c")}${pick(words, "d")}`];
    const phrases = Array.from({ length: phrasesEach }, () => {
      const frame = pick(sentences, "").split(/\s+/).slice(0, 9);
      const place = below(frame.length);
      return frame
        .map((word, at) => (at >= place && at < place + 3 ? pick(own, word) : word))
        .join(" ");
    });
    return { id, phrases };
  });
}
