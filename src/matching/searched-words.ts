import { stripMarks } from "./fold.ts";

/**
 * Returns a text as a full-text index stores it: words in any language, folded, separated by one
 * space. Scripts without spaces (Chinese, Japanese, Thai and others) are cut into overlapping pairs
 * of characters. A dictionary would cut the same characters differently in another sentence, and
 * with another release of ICU.
 *
 * @example
 * wordsToIndex("Größe: 東京都"); // "grosse 東京 京都 都"
 */
export function wordsToIndex(text: string): string {
  return [...text.matchAll(WORD)].flatMap(([word]) => cutWord(word, true)).join(" ");
}

/** The terms of a search: each is a sequence of words, the last of which may be incomplete. */
export type SearchTerms = readonly (readonly string[])[];

/**
 * Reads the terms of a search, one for each piece between spaces. An address such as
 * `ada@x.example` becomes a sequence of words.
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
 * Finds where the first of the terms stands in a text, in UTF-16 units; null: nowhere.
 */
export function findTerm(
  text: string,
  terms: SearchTerms,
): { readonly at: number; readonly length: number } | null {
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const cut = cutWord(word, true);
    for (const [start = "", ...others] of terms) {
      const found = cut.findIndex((part) => part.startsWith(start));
      if (found === -1) continue;
      // Each further pair of a word that was cut into pairs adds one character.
      return cut.length === 1
        ? { at: index, length: word.length }
        : { at: index + found, length: Array.from(start).length + others.length };
    }
  }
  return null;
}

// Catalan writes `col·lecció` as one word.
const WORD = /[\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M}·]*/gu;
const LETTERS = /[\p{L}\p{N}\p{M}]+/gu;
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;
/** Databases limit the words of an index, so longer words are indexed by their beginning. */
const LONGEST_WORD = 64;

/**
 * @param whole false: more characters may follow, as at the end of what somebody types
 */
function cutWord(word: string, whole: boolean): readonly string[] {
  // Folding may split a letter, such as `½`.
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

/** Splits a word where a script without spaces begins or ends. */
function cutRuns(part: string): readonly Run[] {
  const runs: Run[] = [];
  let begin = 0;
  let at = 0;
  let unspaced = false;
  for (const character of part) {
    const next = UNSPACED.test(character);
    if (next !== unspaced && at > 0) {
      runs.push({ text: part.slice(begin, at), unspaced });
      begin = at;
    }
    unspaced = next;
    at += character.length;
  }
  return [...runs, { text: part.slice(begin), unspaced }];
}

function cutPairs(run: string, whole: boolean): readonly string[] {
  const characters = Array.from(run);
  const pairs = characters.slice(1).map((next, at) => `${characters[at] ?? ""}${next}`);
  return whole || pairs.length === 0 ? [...pairs, ...characters.slice(-1)] : pairs;
}
