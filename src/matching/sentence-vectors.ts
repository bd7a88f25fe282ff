import type { Token } from "./analysis.ts";
import { gramsOf, hashOf, pairOf } from "./hashing.ts";
import type { SparseRow } from "./inverted-index.ts";

/** Turns sentences into vectors, by the features of the sentences that it was trained on. */
export interface Vectoriser {
  /** Number of different features. */
  readonly size: number;
  /** Returns the features of a sentence as a vector of length 1 at most. */
  vectorOf(tokens: readonly Token[]): SparseRow;
}

/**
 * The weight of each kind of feature, and the share of it that an unknown feature adds to the length
 * of a question's vector, which makes the question less similar to everything. Neighbours and pairs
 * are nearly always unknown, so they add nothing.
 */
const kinds = {
  word: { weight: 1, unknown: 0.5 },
  gram: { weight: 0.5, unknown: 0.5 },
  neighbours: { weight: 0.7, unknown: 0 },
  pair: { weight: 0.7, unknown: 0 },
} as const;

/** With at least this many sentences, a feature counts only if it occurs twice. */
const manySentences = 2_000;

/**
 * @param gramLengths lengths of the character n-grams, in characters
 * @param stopWordShare the share of its weight that a feature of stop words keeps
 */
export function createVectoriser(
  sentences: readonly (readonly Token[])[],
  gramLengths: readonly number[],
  stopWordShare: number,
): Vectoriser {
  // Questions use the same words as the sentences, and hashing them is half of the work.
  const grams = new Map<Token, readonly number[]>();
  const listWordGrams = (token: Token): readonly number[] =>
    grams.get(token) ?? gramsOf(token.spelling, gramLengths);
  for (const token of new Set(sentences.flat())) grams.set(token, listWordGrams(token));
  const frequencies = new Map<number, number>();
  for (const tokens of sentences) {
    const own = new Set<number>();
    visitFeatures(tokens, listWordGrams, (hash) => own.add(hash));
    for (const hash of own) frequencies.set(hash, (frequencies.get(hash) ?? 0) + 1);
  }
  const least = sentences.length >= manySentences ? 2 : 1;
  const numbers = new Map<number, number>();
  const idfs: number[] = [];
  for (const [hash, frequency] of frequencies) {
    if (frequency < least) continue;
    numbers.set(hash, idfs.length);
    idfs.push(Math.log((1 + sentences.length) / (1 + frequency)) + 1);
  }
  const unknownIdf = Math.log(1 + sentences.length) + 1;

  return {
    size: idfs.length,
    vectorOf(tokens) {
      const found = new Map<number, { times: number; weight: number }>();
      let squares = 0;
      visitFeatures(tokens, listWordGrams, (hash, kind, stop) => {
        const weight = kinds[kind].weight * (stop ? stopWordShare : 1);
        const feature = numbers.get(hash);
        if (feature === undefined) {
          squares += (unknownIdf * weight * kinds[kind].unknown) ** 2;
          return;
        }
        const before = found.get(feature);
        if (before === undefined) found.set(feature, { times: 1, weight });
        else {
          before.times += 1;
          before.weight = Math.max(before.weight, weight);
        }
      });
      const features = Int32Array.from(found.keys());
      const values = Float32Array.from(found.values(), ({ times, weight }, at) => {
        const value = (1 + Math.log(times)) * (idfs[features[at] ?? 0] ?? 0) * weight;
        squares += value * value;
        return value;
      });
      const length = Math.sqrt(squares) || 1;
      return { features, values: values.map((value) => value / length) };
    },
  };
}

/** @param stop true for a feature that consists of stop words alone */
type TakeFeature = (hash: number, kind: keyof typeof kinds, stop: boolean) => void;

const [wordSeed, stemSeed, edgeSeed] = [1, 2, 3];
const edge = hashOf("<>", edgeSeed);
const firstMark = 0x5f5f;
const skipMark = 0x63;
const pairMark = 0x7a69;
const gramMark = 0x1234567;
const pairReach = 8;

/**
 * Visits the features by which a sentence is classified: words, the first word once more, stems,
 * neighbours, words with one between them, pairs of stems in any order, and character n-grams. Unlike
 * the comparison of phrases, it includes stop words: `how do i` and `what is my` distinguish many
 * questions.
 */
function visitFeatures(
  tokens: readonly Token[],
  wordGrams: (token: Token) => readonly number[],
  take: TakeFeature,
): void {
  const words = tokens.map(({ word }) => hashOf(word, wordSeed));
  const stems = tokens.map(({ stem }) => hashOf(stem, stemSeed));
  // The edges of the sentence count as stop words.
  const isStopOrEdge = (index: number): boolean => tokens[index]?.stop ?? true;
  const takeNeighbours = (index: number): void => {
    const word = words[index] ?? edge;
    take(
      pairOf(words[index - 1] ?? edge, word),
      "neighbours",
      isStopOrEdge(index - 1) && isStopOrEdge(index),
    );
    if (index === 0) return;
    const skipped = pairOf((words[index - 2] ?? edge) ^ skipMark, word);
    take(skipped, "pair", isStopOrEdge(index - 2) && isStopOrEdge(index));
  };
  for (const [index, token] of tokens.entries()) {
    const { stop } = token;
    const hash = words[index] ?? 0;
    const stem = stems[index] ?? 0;
    take(hash, "word", stop);
    if (index === 0) take(hash ^ firstMark, "word", stop);
    take(stem, "word", stop);
    takeNeighbours(index);
    for (const gram of wordGrams(token)) take(gram ^ gramMark, "gram", stop);
    if (stop) continue;
    for (let at = index + 1; at < Math.min(tokens.length, index + 1 + pairReach); at += 1) {
      if (tokens[at]?.stop !== false) continue;
      const other = stems[at] ?? 0;
      take(pairOf(Math.min(stem, other), Math.max(stem, other)) ^ pairMark, "pair", false);
    }
  }
  takeNeighbours(tokens.length);
}
