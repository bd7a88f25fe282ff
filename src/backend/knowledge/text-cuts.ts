import type { Analyser, Token } from "../matching/analysis.ts";
import { foldText } from "../matching/fold.ts";

/** A text in pieces: words, and what stands between them. All pieces in their order are the text. */
export interface Cut {
  readonly text: string;
  /** Where each piece ends, in UTF-16 units. */
  readonly ends: readonly number[];
  /** The word of each piece; null for one that is none. */
  readonly tokens: readonly (Token | null)[];
}

/** Cuts texts of one language, and keeps what it cut: a segmenter takes longer than everything that is done with the pieces. */
export type Cutter = (text: string) => Cut;

/** @param most characters of the texts that are kept, together; those that nobody asked for the longest go first */
export function createCutter(language: string, analyser: Analyser, most: number = KEPT): Cutter {
  let segmenter: Intl.Segmenter | null = null;
  const kept = new Map<string, Cut>();
  let size = 0;
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) {
      kept.delete(text);
      kept.set(text, known);
      return known;
    }
    segmenter ??= new Intl.Segmenter(language, { granularity: "word" });
    const ends: number[] = [];
    const tokens: (Token | null)[] = [];
    for (const { segment, index, isWordLike } of segmenter.segment(text)) {
      ends.push(index + segment.length);
      const word = isWordLike === true;
      tokens.push(word ? analyser.tokenOf(foldText(segment, language)) : null);
    }
    const cut = { text, ends, tokens };
    kept.set(text, cut);
    size += text.length;
    for (const [oldest] of kept) {
      if (size <= most) break;
      kept.delete(oldest);
      size -= oldest.length;
    }
    return cut;
  };
}

// Some ten bytes each, for the texts of a thousand contents.
const KEPT = 1_000_000;
