import { stripMarks } from "./fold.ts";

/**
 * Returns a text as a full-text index stores it: words in any language, folded, separated by one
 * space. Scripts without spaces (Chinese, Japanese, Thai and others) are cut into overlapping pairs
 * of characters. A dictionary would cut the same characters differently in another sentence, and
 * with another release of ICU. Words with umlauts follow once more at the end, spelled out.
 *
 * @example
 * wordsToIndex("Müller: 東京都"); // "muller 東京 京都 都 mueller"
 */
export function wordsToIndex(text: string): string {
  const spelledOut = text.split(/\s+/u).flatMap((piece) => spellOut(piece) ?? []);
  return [text, ...spelledOut]
    .flatMap((piece) => [...piece.matchAll(WORD)].flatMap(([word]) => cutWord(word, true)))
    .join(" ");
}

/**
 * A term of a search in each of its spellings: sequences of words, the last of which may be
 * incomplete.
 */
export type SearchTerm = readonly (readonly string[])[];
export type SearchTerms = readonly SearchTerm[];

/**
 * Reads the terms of a search, one for each piece between spaces. An address such as
 * `ada@x.example` becomes a sequence of words.
 *
 * @example
 * readSearchTerms("Müller 東京 ada@x"); // [[["muller"], ["mueller"]], [["東京"]], [["ada", "x"]]]
 */
export function readSearchTerms(search: string): SearchTerms {
  return search.split(/\s+/u).flatMap((piece) => {
    const spellings = [piece, spellOut(piece) ?? []].flat().map((spelling) => {
      const found = [...spelling.matchAll(WORD)].map(([word]) => word);
      return found.flatMap((word, at) => cutWord(word, at < found.length - 1));
    });
    return spellings.every((words) => words.length === 0) ? [] : [spellings];
  });
}

/**
 * Spells a text with two letters for each umlaut and its Nordic kin, as people do who have no key
 * for them; null where it has none.
 */
function spellOut(text: string): string | null {
  const composed = text.normalize("NFC");
  const spelled = composed.replace(UMLAUT, (letter) => TWO_LETTERS.get(letter.toLowerCase()) ?? "");
  return spelled === composed ? null : spelled;
}

const TWO_LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({ ä: "ae", ö: "oe", ü: "ue", ø: "oe", å: "aa" }),
);
const UMLAUT = /[äöüøå]/giu;

/** Finds where the first of the terms stands in a text, in UTF-16 units; null if it is nowhere. */
export function findTerm(
  text: string,
  terms: SearchTerms,
): { readonly at: number; readonly length: number } | null {
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const cut = cutWord(word, true);
    const spelledOut = cutWord(spellOut(word) ?? "", true);
    for (const [start = "", ...others] of terms.flat()) {
      if (spelledOut.some((part) => part.startsWith(start))) {
        return { at: index, length: word.length };
      }
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

/** @param whole false if more characters may follow, as at the end of what somebody types */
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
