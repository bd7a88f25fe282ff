import type { Token } from "./analysis.ts";
import { createInvertedIndex } from "./inverted-index.ts";
import type { SparseRow } from "./inverted-index.ts";
import type { Vectoriser } from "./sentence-vectors.ts";

/** One linear classifier for each content, which separates it from all others. */
export interface Classifier {
  /**
   * Margin by content: from 1 its own phrase, to -1 another's; unknown words give about -1.
   *
   * @param nearest by content; the margins of those with 0 are not used
   */
  margins(tokens: readonly Token[], nearest: Float32Array): Float32Array;
}

/** The data that the classifiers learn from. */
export interface TrainingData {
  readonly vectoriser: Vectoriser;
  readonly phrases: readonly SparseRow[];
  /** The content of each phrase, by number from 0. */
  readonly owners: Int32Array;
  readonly contentCount: number;
}

/** Trains the classifiers one after the other, and yields after each. */
export function* trainClassifier({
  vectoriser,
  phrases,
  owners,
  contentCount,
}: TrainingData): Generator<void, Classifier> {
  const machine = createMachine(phrases, owners, vectoriser.size);
  const biases = new Float32Array(contentCount);
  const rows: SparseRow[] = [];
  for (let content = 0; content < contentCount; content += 1) {
    biases[content] = machine.train(content);
    rows.push(toSparse(machine.weights));
    yield;
  }
  const index = createInvertedIndex(rows, vectoriser.size);
  return {
    margins(tokens) {
      const margins = biases.slice();
      index.addProducts(margins, vectoriser.vectorOf(tokens));
      return margins;
    },
  };
}

/**
 * A classifier with the same margins, for a few questions: it trains a content only once a question
 * comes near it. Each content is trained independently of the others. A trial in the console takes
 * 0.8 to 1.0 s instead of 1.9 to 2.2 s with 1,000 contents of five phrases, and 0.2 to 0.7 s instead
 * of 1.5 to 2.3 s with 2,000 contents of one or two.
 */
export function createLazyClassifier(data: TrainingData): Classifier {
  const { vectoriser, phrases, owners, contentCount } = data;
  const machine = createMachine(phrases, owners, vectoriser.size);
  const trained = new Map<number, { readonly bias: number; readonly row: SparseRow }>();
  const train = (content: number): { readonly bias: number; readonly row: SparseRow } => {
    const bias = machine.train(content);
    const made = { bias, row: toSparse(machine.weights) };
    trained.set(content, made);
    return made;
  };
  return {
    margins(tokens, nearest) {
      const asked = vectoriser.vectorOf(tokens);
      const margins = new Float32Array(contentCount);
      for (let content = 0; content < contentCount; content += 1) {
        if (nearest[content] === 0) continue;
        const { bias, row } = trained.get(content) ?? train(content);
        margins[content] = bias;
        addProduct(margins, content, row, asked);
      }
      return margins;
    },
  };
}

/** Adds the product of a row with the question to its margin, in the order of an index. */
function addProduct(margins: Float32Array, content: number, row: SparseRow, asked: SparseRow) {
  for (let at = 0; at < asked.features.length; at += 1) {
    const place = findFeature(row.features, asked.features[at] ?? 0);
    if (place === -1) continue;
    const product = (asked.values[at] ?? 0) * (row.values[place] ?? 0);
    margins[content] = (margins[content] ?? 0) + product;
  }
}

/** Finds a feature among ascending ones; -1 if it is not there. */
function findFeature(features: Int32Array, feature: number): number {
  let [low, high] = [0, features.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((features[middle] ?? 0) < feature) low = middle + 1;
    else high = middle;
  }
  return features[low] === feature ? low : -1;
}

/** Smaller weights, which are the great majority, do not matter for margins and are dropped. */
const minWeight = 0.005;

function toSparse(weights: Float32Array): SparseRow {
  const features: number[] = [];
  for (let feature = 0; feature < weights.length; feature += 1) {
    if (Math.abs(weights[feature] ?? 0) >= minWeight) features.push(feature);
  }
  return {
    features: Int32Array.from(features),
    values: Float32Array.from(features, (feature) => weights[feature] ?? 0),
  };
}

const cost = 4;
const rounds = 8;
/** Held back there, so that a content without rivals does not accept everything. */
const startBias = -1;
/** Square of the constant that stands for the bias in every vector. */
const biasStrength = 0.1;
/** A phrase that is further than this on the right side is skipped in later rounds. */
const shrinkFrom = 0.05;

interface Machine {
  /** Trains one content against the others and returns its bias. */
  train(content: number): number;
  /** By feature; of the content trained last. */
  readonly weights: Float32Array;
}

/** Squared-hinge-loss SVMs by dual coordinate descent with shrinking (Hsieh et al., ICML 2008). */
function createMachine(phrases: readonly SparseRow[], owners: Int32Array, size: number): Machine {
  const count = phrases.length;
  const weights = new Float32Array(size);
  const alphas = new Float32Array(count);
  const lengths = Float32Array.from(phrases, ({ values }) =>
    values.reduce((sum, value) => sum + value * value, biasStrength + 0.5 / cost),
  );
  const order = new Int32Array(count);
  // Stored one after the other, because they are read again and again. Row `n` ends at `ends[n]`.
  const ends = new Int32Array(count);
  let total = 0;
  for (const [at, row] of phrases.entries()) ends[at] = total += row.features.length;
  const features = new Int32Array(total);
  const values = new Float32Array(total);
  for (const [at, row] of phrases.entries()) {
    features.set(row.features, ends[at - 1] ?? 0);
    values.set(row.values, ends[at - 1] ?? 0);
  }

  const train = (content: number): number => {
    const random = createRandom(content + 1);
    weights.fill(0);
    alphas.fill(0);
    for (let at = 0; at < count; at += 1) order[at] = at;
    let bias = startBias;
    let active = count;
    for (let round = 0; round < rounds; round += 1) {
      for (let at = 0; at < active; at += 1) {
        const other = at + Math.floor(random() * (active - at));
        const phrase = order[other] ?? 0;
        order[other] = order[at] ?? 0;
        order[at] = phrase;
        const from = ends[phrase - 1] ?? 0;
        const end = ends[phrase] ?? 0;
        const sign = owners[phrase] === content ? 1 : -1;
        let margin = bias;
        for (let place = from; place < end; place += 1) {
          margin += (weights[features[place] ?? 0] ?? 0) * (values[place] ?? 0);
        }
        const alpha = alphas[phrase] ?? 0;
        const gradient = sign * margin - 1 + (0.5 / cost) * alpha;
        if (alpha === 0 && gradient >= 0) {
          if (round > 0 && gradient > shrinkFrom) {
            active -= 1;
            order[at] = order[active] ?? 0;
            order[active] = phrase;
            at -= 1;
          }
          continue;
        }
        const next = Math.max(0, alpha - gradient / (lengths[phrase] ?? 1));
        const step = (next - alpha) * sign;
        if (step === 0) continue;
        alphas[phrase] = next;
        bias += step * biasStrength;
        for (let place = from; place < end; place += 1) {
          const feature = features[place] ?? 0;
          weights[feature] = (weights[feature] ?? 0) + step * (values[place] ?? 0);
        }
      }
    }
    return bias;
  };
  return { train, weights };
}

/** Seeded numbers in [0, 1): Mulberry32 by Tommy Ettinger (public domain). */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296;
  };
}
