import type { Token } from "./analysis.ts";
import { eachGram, hashOf, pairOf } from "./hashing.ts";

/** What kind of feature it is: an index into `featureWeights`. */
export type FeatureKind = 0 | 1 | 2 | 3;

/** How much a feature counts beside others, by kind: word or stem, neighbours, part of a word, words apart. */
export const featureWeights: readonly [number, number, number, number] = [1, 0.7, 0.5, 0.7];

/**
 * Share of a feature's weight with which one that no phrase has lengthens the vector of a question: what is unknown in it makes
 * it less like anything. Neighbours and distant pairs are nearly always new and say nothing by that.
 */
export const unknownShares: readonly [number, number, number, number] = [0.5, 0, 0.5, 0];

/**
 * The features by which a whole sentence is classified: words, the first of them once more, stems, neighbours, words with one
 * between them, pairs of stems in any order, and character n-grams. Unlike the comparison of phrases it reads stop words too:
 * `how do i` and `what is my` tell many questions apart.
 */
export function eachSentenceFeature(
  tokens: readonly Token[],
  gramLengths: readonly number[],
  take: TakeFeature,
): void {
  let before = edge;
  let beforeThat = 0;
  // Neighbours say little when both do; the ends of the sentence say little.
  let [plainBefore, plainBeforeThat] = [true, true];
  for (const [place, token] of tokens.entries()) {
    const word = hashOf(token.word, wordSeed);
    take(word, 0, token.stop);
    if (place === 0) take(word ^ firstMark, 0, token.stop);
    take(hashOf(token.stem, sentenceStemSeed), 0, token.stop);
    take(pairOf(before, word), 1, plainBefore && token.stop);
    if (beforeThat !== 0) {
      take(pairOf(beforeThat ^ skipMark, word), 3, plainBeforeThat && token.stop);
    }
    [beforeThat, before] = [before, word];
    [plainBeforeThat, plainBefore] = [plainBefore, token.stop];
    eachGram(token.word, gramLengths, (hash) => take(hash ^ gramMark, 2, token.stop));
    if (!token.stop) eachPair(tokens, place, take);
  }
  take(pairOf(before, edge), 1, plainBefore);
  if (beforeThat !== 0) take(pairOf(beforeThat ^ skipMark, edge), 3, plainBeforeThat);
}

/** @param plain true for a feature that only stop words make up */
export type TakeFeature = (hash: number, kind: FeatureKind, plain: boolean) => void;

const wordSeed = 1;
const sentenceStemSeed = 2;
const edge = hashOf("<>", 3);
const firstMark = 0x5f5f;
const skipMark = 0x63;
const pairMark = 0x7a69;
const gramMark = 0x1234567;
const pairReach = 8;

function eachPair(tokens: readonly Token[], place: number, take: TakeFeature): void {
  const here = hashOf(tokens[place]?.stem ?? "", sentenceStemSeed);
  const end = Math.min(tokens.length, place + 1 + pairReach);
  for (let at = place + 1; at < end; at += 1) {
    const other = tokens[at];
    if (other === undefined || other.stop) continue;
    const there = hashOf(other.stem, sentenceStemSeed);
    take(pairOf(Math.min(here, there), Math.max(here, there)) ^ pairMark, 3, false);
  }
}
