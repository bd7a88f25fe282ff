import type { Token } from "./analysis.ts";
import { gramsOf, hashOf, pairOf } from "./hashing.ts";
import type { SparseRow } from "./inverted-index.ts";

/** Turns sentences into vectors by the features of the sentences that it was made from. */
export interface Vectoriser {
  /** Number of different features. */
  readonly size: number;
  /** The features of a sentence, as a vector of length 1 at most. */
  vectorOf(tokens: readonly Token[]): SparseRow;
}

/**
 * How much the features of a kind count beside others, and the share of that with which a feature
 * that no sentence has lengthens the vector of a question: what is unknown in it makes it less like
 * anything. Neighbours and pairs are nearly always new and say nothing by that.
 */
const kinds = {
  word: { weight: 1, unknown: 0.5 },
  gram: { weight: 0.5, unknown: 0.5 },
  neighbours: { weight: 0.7, unknown: 0 },
  pair: { weight: 0.7, unknown: 0 },
} as const;

/** From how many sentences on a feature must occur twice to count. */
const manySentences = 2_000;

/**
 * @param gramLengths lengths of the character n-grams, in characters
 * @param plainShare what is left of the weight of stop words
 */
export function createVectoriser(
  sentences: readonly (readonly Token[])[],
  gramLengths: readonly number[],
  plainShare: number,
): Vectoriser {
  // Questions consist of the words of the sentences, and to hash these is half of the work.
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
      visitFeatures(tokens, listWordGrams, (hash, kind, plain) => {
        const weight = kinds[kind].weight * (plain ? plainShare : 1);
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

/** @param plain true for a feature that only stop words make up */
type TakeFeature = (hash: number, kind: keyof typeof kinds, plain: boolean) => void;

const [wordSeed, stemSeed, edgeSeed] = [1, 2, 3];
const edge = hashOf("<>", edgeSeed);
const firstMark = 0x5f5f;
const skipMark = 0x63;
const pairMark = 0x7a69;
const gramMark = 0x1234567;
const pairReach = 8;

/**
 * The features by which a whole sentence is classified: words, the first of them once more, stems,
 * neighbours, words with one between them, pairs of stems in any order, and character n-grams.
 * Unlike the comparison of phrases it reads stop words too: `how do i` and `what is my` tell many
 * questions apart.
 */
function visitFeatures(
  tokens: readonly Token[],
  wordGrams: (token: Token) => readonly number[],
  take: TakeFeature,
): void {
  const words = tokens.map(({ word }) => hashOf(word, wordSeed));
  const stems = tokens.map(({ stem }) => hashOf(stem, stemSeed));
  // Neighbours say little when both do; the ends of the sentence say little.
  const isPlain = (place: number): boolean => tokens[place]?.stop ?? true;
  const addNeighbours = (place: number): void => {
    const here = words[place] ?? edge;
    take(
      pairOf(words[place - 1] ?? edge, here),
      "neighbours",
      isPlain(place - 1) && isPlain(place),
    );
    if (place === 0) return;
    const skipped = pairOf((words[place - 2] ?? edge) ^ skipMark, here);
    take(skipped, "pair", isPlain(place - 2) && isPlain(place));
  };
  for (const [place, token] of tokens.entries()) {
    const { stop } = token;
    const hash = words[place] ?? 0;
    const stem = stems[place] ?? 0;
    take(hash, "word", stop);
    if (place === 0) take(hash ^ firstMark, "word", stop);
    take(stem, "word", stop);
    addNeighbours(place);
    for (const gram of wordGrams(token)) take(gram ^ gramMark, "gram", stop);
    if (stop) continue;
    for (let at = place + 1; at < Math.min(tokens.length, place + 1 + pairReach); at += 1) {
      if (tokens[at]?.stop !== false) continue;
      const other = stems[at] ?? 0;
      take(pairOf(Math.min(stem, other), Math.max(stem, other)) ^ pairMark, "pair", false);
    }
  }
  addNeighbours(tokens.length);
}
