import { stripMarks } from "../../matching/fold.ts";

/** Edges of a word, for patterns of several scripts. */
export const BEGINS = String.raw`(?<![\p{L}\p{M}\p{N}])`;
export const ENDS = String.raw`(?![\p{L}\p{M}\p{N}])`;

/** Scripts without blanks between words, and Korean, which has few. */
export const UNSPACED: RegExp =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;

/** Folds a word, so that letter case and accents do not matter. */
export function foldWord(word: string): string {
  return stripMarks(word.toLowerCase());
}
