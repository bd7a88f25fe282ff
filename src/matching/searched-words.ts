import { stripMarks } from "./fold.ts";

/**
 * A text as a full-text index keeps it: words in any language, folded, with one space between them.
 * Scripts without spaces (Chinese, Japanese, Thai and others) are cut into overlapping pairs of
 * characters, and no dictionary: a dictionary cuts the same characters in another way in another
 * sentence, and differs from one release of ICU to the next.
 *
 * @example
 * wordsToIndex("Größe: 東京都"); // "grosse 東京 京都 都"
 */
export function wordsToIndex(text: string): string {
  return [...text.matchAll(WORD)].flatMap(([word]) => cutWord(word, true)).join(" ");
}

/** The terms of a search: each list is a sequence of words, of which the last may go on. */
export type SearchTerms = readonly (readonly string[])[];

/**
 * The terms of a search, one for each piece between spaces. An address such as `ada@x.example` is a
 * sequence.
 *
 * @example
 * readSearchTerms("Größe 東京 ada@x"); // [["grosse"], ["東京"], ["ada", "x"]]
 */
export function readSearchTerms(search: string): SearchTerms {
  return search.split(/\s+/u).flatMap((piece) => {
    const found = [...piece.matchAll(WORD)].map(([word]) => word);
    const words = found.flatMap((word, at) => cutWord(word, at < found.length - 1));
    return words.length === 0 ? [] : [words];
  });
}

/**
 * Finds the first place of one of the terms in a text: begin and length in UTF-16 units; or null.
 */
export function findTerm(
  text: string,
  terms: SearchTerms,
): { readonly at: number; readonly length: number } | null {
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const cut = cutWord(word, true);
    for (const [start = "", ...others] of terms) {
      const sign = cut.findIndex((one) => one.startsWith(start));
      if (sign === -1) continue;
      // The pairs that were looked for stand for a word that was cut into pairs.
      return cut.length === 1
        ? { at: index, length: word.length }
        : { at: index + sign, length: Array.from(start).length + others.length };
    }
  }
  return null;
}

// Catalan writes `col·lecció` as one word.
const WORD = /[\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M}·]*/gu;
const LETTERS = /[\p{L}\p{N}\p{M}]+/gu;
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;
/** A word that is longer is compared by its beginning: databases limit the words of an index. */
const LONGEST_WORD = 64;

/**
 * @param whole false: more characters may follow, as behind the last that somebody typed
 */
function cutWord(word: string, whole: boolean): readonly string[] {
  // Folding may take a letter apart, as `½`.
  const parts = [...stripMarks(word.toLowerCase()).matchAll(LETTERS)];
  const runs = parts.flatMap(([part]) => cutRuns(part));
  return runs.flatMap(({ text, unspaced }, at) =>
    unspaced
      ? cutPairs(text, whole || at < runs.length - 1)
      : [text.slice(0, LONGEST_WORD).toWellFormed()],
  );
}

interface Run {
  readonly text: string;
  readonly unspaced: boolean;
}

/** Stretches of scripts without spaces, and those between them. */
function cutRuns(part: string): readonly Run[] {
  const runs: Run[] = [];
  let begin = 0;
  let at = 0;
  let unspaced = false;
  for (const sign of part) {
    const next = UNSPACED.test(sign);
    if (next !== unspaced && at > 0) {
      runs.push({ text: part.slice(begin, at), unspaced });
      begin = at;
    }
    unspaced = next;
    at += sign.length;
  }
  return [...runs, { text: part.slice(begin), unspaced }];
}

function cutPairs(run: string, whole: boolean): readonly string[] {
  const signs = Array.from(run);
  const pairs = signs.slice(1).map((sign, at) => `${signs[at] ?? ""}${sign}`);
  return whole || pairs.length === 0 ? [...pairs, ...signs.slice(-1)] : pairs;
}
