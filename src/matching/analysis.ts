import { stemmerFor } from "./stems.ts";
import { stopWords } from "./stop-words.ts";
import { isUnspaced, wordsOf } from "./words.ts";

/** One word of a text. */
export interface Token {
  /** As written, folded. */
  readonly word: string;
  readonly stem: string;
  /** True for a word that says little about what a reader wants. */
  readonly stop: boolean;
}

/** Cuts a text into tokens by the rules of one language. */
export interface Analyser {
  tokensOf(text: string): Token[];
  /** One folded word as a token. */
  tokenOf(word: string): Token;
  readonly stops: ReadonlySet<string>;
  /** Lengths of the character n-grams that stand for a part of a word when phrases are compared. */
  readonly gramLengths: readonly number[];
  /** The same when sentences are classified. */
  readonly sentenceGramLengths: readonly number[];
}

/** `language` is BCP 47; its region and script change nothing here. */
export function createAnalyser(language: string): Analyser {
  const base = language.toLowerCase().split("-")[0] ?? language;
  const stem = stemmerFor(base);
  const stops = stopWords(base);
  // Inflection repeats a few thousand words: their stems are kept.
  const known = new Map<string, Token>();
  const tokenOf = (word: string): Token => {
    const seen = known.get(word);
    if (seen !== undefined) return seen;
    const token = { word, stem: stem(word), stop: stops.has(word) };
    if (known.size < 100_000) known.set(word, token);
    return token;
  };
  return {
    tokensOf: (text) => wordsOf(text, base).map(tokenOf),
    tokenOf,
    stops,
    gramLengths: isUnspaced(base) ? [1, 2] : base === "ko" ? [2] : [3, 4],
    sentenceGramLengths: isUnspaced(base) || base === "ko" ? [1, 2, 3] : [2, 3, 4, 5],
  };
}
