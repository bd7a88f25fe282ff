import type { Token } from "./analysis.ts";
import { eachGram, hashOf, pairOf } from "./hashing.ts";

/** What kind of feature it is: an index into `featureWeights`. */
export type FeatureKind = 0 | 1 | 2 | 3;

/**
 * How much a feature counts beside others, by kind: word or stem, neighbours, part of a word, words
 * apart.
 */
export const featureWeights: readonly [number, number, number, number] = [1, 0.7, 0.5, 0.7];

/**
 * Share of a feature's weight with which one that no phrase has lengthens the vector of a question:
 * what is unknown in it makes it less like anything. Neighbours and distant pairs are nearly always
 * new and say nothing by that.
 */
export const unknownShares: readonly [number, number, number, number] = [0.5, 0, 0.5, 0];

/** The features that a word has in every sentence, as the numbers that `numberOf` gives them. */
export interface WordFeatures {
  /** What pairs are made of. */
  readonly wordHash: number;
  readonly stemHash: number;
  readonly word: number;
  /** Of the word at the beginning of a sentence. */
  readonly first: number;
  readonly stem: number;
  readonly grams: readonly number[];
}

/** @param gramLengths lengths of the character n-grams, in characters */
export function wordFeatures(
  token: Token,
  gramLengths: readonly number[],
  numberOf: (hash: number) => number,
): WordFeatures {
  const wordHash = hashOf(token.word, wordSeed);
  const stemHash = hashOf(token.stem, sentenceStemSeed);
  const grams: number[] = [];
  eachGram(token.word, gramLengths, (hash) => grams.push(numberOf(hash ^ gramMark)));
  return {
    wordHash,
    stemHash,
    word: numberOf(wordHash),
    first: numberOf(wordHash ^ firstMark),
    stem: numberOf(stemHash),
    grams,
  };
}

/**
 * The features by which a whole sentence is classified: words, the first of them once more, stems,
 * neighbours, words with one between them, pairs of stems in any order, and character n-grams.
 * Unlike the comparison of phrases it reads stop words too: `how do i` and `what is my` tell many
 * questions apart.
 *
 * @param words what `wordFeatures` gives for each of the tokens
 */
export function eachSentenceFeature(
  tokens: readonly Token[],
  words: readonly WordFeatures[],
  numberOf: (hash: number) => number,
  take: TakeFeature,
): void {
  let before = edge;
  let beforeThat = 0;
  // Neighbours say little when both do; the ends of the sentence say little.
  let plainBefore = true;
  let plainBeforeThat = true;
  for (let place = 0; place < tokens.length; place += 1) {
    const own = words[place];
    if (own === undefined) break;
    const stop = tokens[place]?.stop ?? false;
    const hash = own.wordHash;
    take(own.word, 0, stop);
    if (place === 0) take(own.first, 0, stop);
    take(own.stem, 0, stop);
    take(numberOf(pairOf(before, hash)), 1, plainBefore && stop);
    if (beforeThat !== 0) {
      take(numberOf(pairOf(beforeThat ^ skipMark, hash)), 3, plainBeforeThat && stop);
    }
    beforeThat = before;
    before = hash;
    plainBeforeThat = plainBefore;
    plainBefore = stop;
    for (const gram of own.grams) take(gram, 2, stop);
    if (!stop) eachPair(tokens, words, place, numberOf, take);
  }
  take(numberOf(pairOf(before, edge)), 1, plainBefore);
  if (beforeThat !== 0) take(numberOf(pairOf(beforeThat ^ skipMark, edge)), 3, plainBeforeThat);
}

/** @param plain true for a feature that only stop words make up */
export type TakeFeature = (number: number, kind: FeatureKind, plain: boolean) => void;

const wordSeed = 1;
const sentenceStemSeed = 2;
const edge = hashOf("<>", 3);
const firstMark = 0x5f5f;
const skipMark = 0x63;
const pairMark = 0x7a69;
const gramMark = 0x1234567;
const pairReach = 8;

function eachPair(
  tokens: readonly Token[],
  words: readonly WordFeatures[],
  place: number,
  numberOf: (hash: number) => number,
  take: TakeFeature,
): void {
  const here = words[place]?.stemHash ?? 0;
  const end = Math.min(tokens.length, place + 1 + pairReach);
  for (let at = place + 1; at < end; at += 1) {
    if (tokens[at]?.stop !== false) continue;
    const there = words[at]?.stemHash ?? 0;
    const pair = pairOf(Math.min(here, there), Math.max(here, there)) ^ pairMark;
    take(numberOf(pair), 3, false);
  }
}
