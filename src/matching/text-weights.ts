import type { Analyser, Token } from "./analysis.ts";
import { gramsOf, hashOf } from "./hashing.ts";
import type { SparseRow } from "./inverted-index.ts";

/**
 * A text as features with weights. A word's weight falls with the number of contents that use it
 * (inverse document frequency); a word of grammar has a tenth of it, a general one half. Half of
 * the weight belongs to the stem. The other half is distributed over the character n-grams of the
 * word, more to rare ones, so that a misspelt, inflected or compound word still shares a part.
 */
export interface WeighedText {
  /** The square roots of the weights: the product of two is the weight that two texts share. */
  readonly row: SparseRow;
  /** All weights added up, those of unknown features too. */
  readonly weight: number;
}

export interface Weigher {
  weigh(tokens: readonly Token[]): WeighedText;
  isKnown(token: Token): boolean;
  /** True when a content has a word of the same stem, or of a subject that this belongs to. */
  isAbout(token: Token): boolean;
  /** Weighs a word: 1 for one that a single content uses. */
  readonly weightOf: (token: Token) => number;
  readonly featureCount: number;
}

const stemSeed = 0x51ed27;
const stemShare = 0.5;
const conceptShare = 0.25;
const conceptSeed = 0x2c0ce7;

/** @param contents the tokens of all phrases of each content */
export function createWeigher(
  contents: readonly (readonly (readonly Token[])[])[],
  { gramLengths }: Analyser,
): Weigher {
  const numbers = new Map<number, number>();
  const frequencies: number[] = [];
  /** The features of the words of the contents, the stem's first: questions consist of them. */
  const words = new Map<Token, readonly number[]>();
  const featuresOf = (token: Token, numberOf: (hash: number) => number): readonly number[] =>
    words.get(token) ??
    [
      hashOf(token.stem, stemSeed),
      ...token.concepts.map((name) => hashOf(name, conceptSeed)),
      ...gramsOf(token.spelling, gramLengths),
    ].map(numberOf);
  const numberOf = (hash: number): number => numbers.get(hash) ?? unknown;

  const seenIn: number[] = [];
  for (const [content, phrases] of contents.entries()) {
    for (const token of phrases.flat()) {
      const features = featuresOf(token, (hash) => {
        if (!numbers.has(hash)) numbers.set(hash, numbers.size);
        return numberOf(hash);
      });
      words.set(token, features);
      for (const feature of features) {
        if (seenIn[feature] === content) continue;
        seenIn[feature] = content;
        frequencies[feature] = (frequencies[feature] ?? 0) + 1;
      }
    }
  }
  const idfs = Float64Array.from(frequencies, (frequency) =>
    Math.log(1 + (contents.length + 1) / (frequency + 0.5)),
  );
  const unknownIdf = Math.log(1 + (contents.length + 1));

  const singleIdf = Math.log(1 + (contents.length + 1) / 1.5);

  return {
    featureCount: numbers.size,
    weightOf: ({ stem, share }) => {
      const feature = numberOf(hashOf(stem, stemSeed));
      return ((idfs[feature] ?? unknownIdf) / singleIdf) * share;
    },
    isAbout: ({ stem, concepts }) =>
      numbers.has(hashOf(stem, stemSeed)) ||
      concepts.some((name) => numbers.has(hashOf(name, conceptSeed))),
    isKnown: ({ stem }) => numbers.has(hashOf(stem, stemSeed)),
    weigh(tokens) {
      const weights = new Map<number, number>();
      let weight = 0;
      const put = (feature: number, share: number): void => {
        weight += share;
        if (feature !== unknown) weights.set(feature, (weights.get(feature) ?? 0) + share);
      };
      for (const token of tokens) {
        const [stem = unknown, ...others] = featuresOf(token, numberOf);
        const concepts = others.slice(0, token.concepts.length);
        const grams = others.slice(concepts.length);
        const ofConcepts = concepts.length === 0 ? 0 : conceptShare;
        const whole = (idfs[stem] ?? unknownIdf) * token.share;
        put(stem, whole * stemShare);
        let sum = 0;
        for (const gram of grams) sum += idfs[gram] ?? unknownIdf;
        for (const concept of concepts) put(concept, (whole * ofConcepts) / concepts.length);
        const rest = (whole * (1 - stemShare - ofConcepts)) / sum;
        for (const gram of grams) put(gram, rest * (idfs[gram] ?? unknownIdf));
      }
      const row = {
        features: Int32Array.from(weights.keys()),
        values: Float32Array.from(weights.values(), Math.sqrt),
      };
      return { row, weight };
    },
  };
}

/** The number of a feature that no content has. */
const unknown = -1;
