import type { Analyser, Token } from "./analysis.ts";
import { eachGram, hashOf } from "./hashing.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { createVocabulary } from "./vocabulary.ts";

/**
 * A text as features with weights. A word's weight falls with the number of contents that use it
 * (inverse document frequency); a stop word has a tenth of it. Half of the weight lies on the stem,
 * half is dealt out to the character n-grams of the word, to the rare ones more: so a misspelt,
 * inflected or compound word still shares a part.
 */
export interface Features {
  /** Numbers in the vocabulary. Only the first `count` are valid, until the next call. */
  readonly ids: Int32Array;
  /** Square roots of the weights: the product of two is the weight that two texts share. */
  readonly roots: Float32Array;
  count: number;
  /** All weights added up, those of unknown features too. */
  weight: number;
}

export interface Weigher {
  weigh(tokens: readonly Token[]): Features;
  /** Weight of one word of a question, by its stem. */
  weightOf(token: Token): number;
  isKnown(token: Token): boolean;
  readonly featureCount: number;
}

export const stemSeed = 0x51ed27;
const stopShare = 0.1;
const stemShare = 0.5;
/** Features of one text at most. */
export const mostFeatures = 8192;

/** n-grams of one word at most. */
const mostGrams = 1024;
/** Words whose features are kept, of some five hundred bytes each. */
const mostKept = 30_000;

/**
 * The features of one word and what each of them weighs; the stem first, -1 for an unknown feature.
 */
interface WordWeights {
  readonly numbers: readonly number[];
  readonly weights: readonly number[];
}

/** @param contents the tokens of all phrases of each content */
export function createWeigher(
  contents: readonly (readonly (readonly Token[])[])[],
  analyser: Analyser,
): Weigher {
  const vocabulary = createVocabulary();
  const frequencies = countContents(contents, analyser, vocabulary);
  const total = contents.length;
  const idfOf = (frequency: number): number => Math.log(1 + (total + 1) / (frequency + 0.5));
  const idfs = frequencies.map((frequency) => idfOf(frequency));
  const unknown = idfOf(0.5);

  const weightOf = (token: Token): number => {
    const number = vocabulary.find(hashOf(token.stem, stemSeed));
    const idf = number === -1 ? unknown : (idfs[number] ?? unknown);
    return token.stop ? idf * stopShare : idf;
  };

  const features: Features = {
    ids: new Int32Array(mostFeatures),
    roots: new Float32Array(mostFeatures),
    count: 0,
    weight: 0,
  };
  const places = new Int32Array(vocabulary.size).fill(-1);

  const put = (number: number, weight: number): void => {
    features.weight += weight;
    if (number === -1 || features.count === mostFeatures) return;
    const place = places[number] ?? -1;
    if (place === -1) {
      places[number] = features.count;
      features.ids[features.count] = number;
      features.roots[features.count] = weight;
      features.count += 1;
    } else features.roots[place] = (features.roots[place] ?? 0) + weight;
  };

  const wordWeights = (token: Token): WordWeights => {
    const whole = weightOf(token);
    const numbers = [vocabulary.find(hashOf(token.stem, stemSeed))];
    const weights = [whole * stemShare];
    let sum = 0;
    eachGram(token.word, analyser.gramLengths, (hash) => {
      if (numbers.length > mostGrams) return;
      const number = vocabulary.find(hash);
      const idf = number === -1 ? unknown : (idfs[number] ?? 0);
      numbers.push(number);
      weights.push(whole * (1 - stemShare) * idf);
      sum += idf;
    });
    for (let at = 1; at < weights.length; at += 1) weights[at] = (weights[at] ?? 0) / sum;
    return { numbers, weights };
  };
  // Most of the work is to hash n-grams and look them up, and questions consist of the words of the
  // phrases.
  const kept = new Map<Token, WordWeights>();
  for (const token of new Set(contents.flat(2))) {
    if (kept.size === mostKept) break;
    kept.set(token, wordWeights(token));
  }

  return {
    featureCount: vocabulary.size,
    weightOf,
    isKnown: (token) => vocabulary.find(hashOf(token.stem, stemSeed)) !== -1,
    weigh(tokens) {
      features.count = 0;
      features.weight = 0;
      for (const token of tokens) {
        const { numbers, weights } = kept.get(token) ?? wordWeights(token);
        for (let at = 0; at < numbers.length; at += 1) put(numbers[at] ?? -1, weights[at] ?? 0);
      }
      for (let at = 0; at < features.count; at += 1) {
        places[features.ids[at] ?? 0] = -1;
        features.roots[at] = Math.sqrt(features.roots[at] ?? 0);
      }
      return features;
    },
  };
}

function countContents(
  contents: readonly (readonly (readonly Token[])[])[],
  analyser: Analyser,
  vocabulary: Vocabulary,
): Float32Array {
  let frequencies = new Float32Array(4096);
  let seenBy = new Int32Array(4096).fill(-1);
  const count = (hash: number, content: number): void => {
    const number = vocabulary.add(hash);
    if (number >= frequencies.length) {
      frequencies = grown(frequencies, new Float32Array(number * 2));
      seenBy = grown(seenBy, new Int32Array(number * 2).fill(-1));
    }
    if (seenBy[number] === content) return;
    seenBy[number] = content;
    frequencies[number] = (frequencies[number] ?? 0) + 1;
  };
  for (const [content, phrases] of contents.entries()) {
    for (const tokens of phrases) {
      for (const token of tokens) {
        count(hashOf(token.stem, stemSeed), content);
        eachGram(token.word, analyser.gramLengths, (hash) => count(hash, content));
      }
    }
  }
  return frequencies.slice(0, vocabulary.size);
}

function grown<T extends Float32Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
