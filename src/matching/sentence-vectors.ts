import type { Token } from "./analysis.ts";
import type { TakeFeature, WordFeatures } from "./sentence-features.ts";
import {
  eachSentenceFeature,
  featureWeights,
  unknownShares,
  wordFeatures,
} from "./sentence-features.ts";
import { createVocabulary } from "./vocabulary.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Sparse vectors of length 1 at most, row after row. */
export interface Vectors {
  /** Row `n` lies from `starts[n]` to `starts[n + 1]`. */
  readonly starts: Int32Array;
  readonly features: Int32Array;
  readonly values: Float32Array;
}

/** Turns sentences into vectors by the features of the sentences that it was made from. */
export interface Vectoriser {
  /** Number of different features. */
  readonly size: number;
  /** The sentences that it was made from, as rows in their order. */
  readonly rows: Vectors;
  /** One more sentence, as the only row. Valid until the next call. */
  vectorOf(tokens: readonly Token[]): Vectors;
}

/** From how many sentences on a feature must occur twice to count. */
const manySentences = 2_000;
const mostFeatures = 4_096;

/**
 * @param gramLengths lengths of the character n-grams, in characters
 * @param plainShare what is left of the weight of stop words
 */
export function createVectoriser(
  sentences: readonly (readonly Token[])[],
  gramLengths: readonly number[],
  plainShare: number,
): Vectoriser {
  const all = createVocabulary();
  const counted = countSentences(sentences, gramLengths, all);
  const least = sentences.length >= manySentences ? 2 : 1;
  // Numbers of the features that count, without gaps; -1 for the others.
  const numbers = new Int32Array(all.size).fill(-1);
  const idfs: number[] = [];
  for (let feature = 0; feature < all.size; feature += 1) {
    const frequency = counted[feature] ?? 0;
    if (frequency < least) continue;
    numbers[feature] = idfs.length;
    idfs.push(Math.log((1 + sentences.length) / (1 + frequency)) + 1);
  }
  const unknownIdf = Math.log(1 + sentences.length) + 1;

  const row = {
    starts: new Int32Array(2),
    features: new Int32Array(mostFeatures),
    values: new Float32Array(mostFeatures),
  };
  const weights = new Float32Array(mostFeatures);
  const places = new Int32Array(idfs.length).fill(-1);
  let count = 0;
  let unknown = 0;
  const numberOf = (hash: number): number => {
    const known = all.find(hash);
    return known === -1 ? -1 : (numbers[known] ?? -1);
  };
  // Hashing a word's n-grams and looking them up takes most of the time, and questions consist of
  // the words of the sentences.
  const kept = new Map<Token, WordFeatures>();
  const featuresOf = (token: Token): WordFeatures =>
    kept.get(token) ?? wordFeatures(token, gramLengths, numberOf);
  for (const token of new Set(sentences.flat())) kept.set(token, featuresOf(token));

  const take: TakeFeature = (feature, kind, plain) => {
    const weight = featureWeights[kind] * (plain ? plainShare : 1);
    if (feature === -1) {
      const value = unknownIdf * weight * unknownShares[kind];
      unknown += value * value;
      return;
    }
    const place = places[feature] ?? -1;
    if (place !== -1) {
      row.values[place] = (row.values[place] ?? 0) + 1;
      weights[place] = Math.max(weights[place] ?? 0, weight);
    } else if (count < mostFeatures) {
      places[feature] = count;
      row.features[count] = feature;
      row.values[count] = 1;
      weights[count] = weight;
      count += 1;
    }
  };
  const vectorOf = (tokens: readonly Token[]): Vectors => {
    count = 0;
    unknown = 0;
    eachSentenceFeature(tokens, tokens.map(featuresOf), numberOf, take);
    let squares = unknown;
    for (let at = 0; at < count; at += 1) {
      const feature = row.features[at] ?? 0;
      places[feature] = -1;
      const times = 1 + Math.log(row.values[at] ?? 1);
      const value = times * (idfs[feature] ?? 0) * (weights[at] ?? 0);
      row.values[at] = value;
      squares += value * value;
    }
    const length = Math.sqrt(squares) || 1;
    for (let at = 0; at < count; at += 1) row.values[at] = (row.values[at] ?? 0) / length;
    row.starts[1] = count;
    return row;
  };
  return { size: idfs.length, rows: stacked(sentences, vectorOf), vectorOf };
}

function stacked(
  sentences: readonly (readonly Token[])[],
  vectorOf: (tokens: readonly Token[]) => Vectors,
): Vectors {
  const starts = new Int32Array(sentences.length + 1);
  let features = new Int32Array(1 << 14);
  let values = new Float32Array(1 << 14);
  let size = 0;
  for (const [at, tokens] of sentences.entries()) {
    const row = vectorOf(tokens);
    const count = row.starts[1] ?? 0;
    while (size + count > features.length) {
      const [oldFeatures, oldValues] = [features, values];
      features = new Int32Array(oldFeatures.length * 2);
      values = new Float32Array(oldValues.length * 2);
      features.set(oldFeatures);
      values.set(oldValues);
    }
    features.set(row.features.subarray(0, count), size);
    values.set(row.values.subarray(0, count), size);
    size += count;
    starts[at + 1] = size;
  }
  return { starts, features: features.slice(0, size), values: values.slice(0, size) };
}

/** In how many sentences each feature occurs. */
function countSentences(
  sentences: readonly (readonly Token[])[],
  gramLengths: readonly number[],
  vocabulary: Vocabulary,
): readonly number[] {
  const counts: number[] = [];
  const seenIn: number[] = [];
  const numberOf = (hash: number): number => vocabulary.add(hash);
  const words = new Map<Token, WordFeatures>();
  for (const token of new Set(sentences.flat())) {
    words.set(token, wordFeatures(token, gramLengths, numberOf));
  }
  const featuresOf = (token: Token): WordFeatures =>
    words.get(token) ?? wordFeatures(token, gramLengths, numberOf);
  for (const [at, tokens] of sentences.entries()) {
    eachSentenceFeature(tokens, tokens.map(featuresOf), numberOf, (feature) => {
      if (seenIn[feature] === at) return;
      seenIn[feature] = at;
      counts[feature] = (counts[feature] ?? 0) + 1;
    });
  }
  return counts;
}
