import { LRUCache } from "lru-cache";
import type { Analyser, Token } from "../../matching/analysis.ts";
import { foldText } from "../../matching/fold.ts";

/** A text in words and what separates them; joined, the pieces are the text. */
export interface Cut {
  readonly text: string;
  /** The end of each piece, in UTF-16 units. */
  readonly ends: readonly number[];
  /** The word of each piece; null for one that is none. */
  readonly tokens: readonly (Token | null)[];
}

/** Cuts texts and caches the cuts, as segmenters are slow; `keep` false for one-off texts. */
export type Cutter = (text: string, keep?: boolean) => Cut;

/**
 * @param most characters of the texts that are kept, together; the least used go first
 */
export function createCutter(language: string, analyser: Analyser, most: number = KEPT): Cutter {
  let segmenter: Intl.Segmenter | null = null;
  const kept = new LRUCache<string, Cut>({ maxSize: most });
  return (text, keep = true) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    segmenter ??= new Intl.Segmenter(language, { granularity: "word" });
    const ends: number[] = [];
    const tokens: (Token | null)[] = [];
    for (const { segment, index, isWordLike } of segmenter.segment(text)) {
      ends.push(index + segment.length);
      const word = isWordLike === true;
      tokens.push(word ? analyser.tokenOf(foldText(segment, language)) : null);
    }
    const cut = { text, ends, tokens };
    if (keep) kept.set(text, cut, { size: Math.max(1, text.length) });
    return cut;
  };
}

/**
 * Cuts a part of a text that was cut already, with `before` and `after` around it. The pieces are
 * the same as if the part were cut by itself, in a fraction of the time. Null unless white space
 * surrounds the part, because the pieces might differ.
 *
 * @param before empty, or a character that belongs to no word; the same holds for `after`
 */
export function partOf(
  { text, ends, tokens }: Cut,
  start: number,
  end: number,
  { before, after }: { readonly before: string; readonly after: string },
): Cut | null {
  if (end <= start || end > text.length) return null;
  if ((start > 0 && !isSpace(text, start - 1)) || (end < text.length && !isSpace(text, end))) {
    return null;
  }
  const first = start === 0 ? 0 : ends.indexOf(start) + 1;
  const last = ends.indexOf(end, first);
  if ((start > 0 && first === 0) || last === -1) return null;
  const shift = before.length - start;
  const partEnds = before === "" ? [] : [before.length];
  const partTokens: (Token | null)[] = before === "" ? [] : [null];
  for (let at = first; at <= last; at += 1) {
    partEnds.push((ends[at] ?? 0) + shift);
    partTokens.push(tokens[at] ?? null);
  }
  if (after !== "") {
    partEnds.push(end + shift + after.length);
    partTokens.push(null);
  }
  return { text: before + text.slice(start, end) + after, ends: partEnds, tokens: partTokens };
}

function isSpace(text: string, at: number): boolean {
  return /\s/.test(text.charAt(at));
}

// Some ten bytes each, for the texts of two thousand contents.
const KEPT = 2_000_000;
