import type { Token } from "./analysis.ts";
import { createRandom } from "./random.ts";
import type { Vectoriser, Vectors } from "./sentence-vectors.ts";
import { createWeightTable } from "./weight-table.ts";

/** One linear classifier for each content: does a sentence ask for it, or for any of the others? */
export interface Classifier {
  /**
   * Margin by content: from 1 on as a phrase of its own, from -1 down as a phrase of another; a
   * sentence of unknown words is at about -1. Valid until the next call.
   */
  margins(tokens: readonly Token[]): Float32Array;
  /** The same for who needs few of them. Valid until the next call. */
  bounded(tokens: readonly Token[]): BoundedMargins;
}

export interface BoundedMargins {
  /** What each margin is at most, by content, once `rest` is added. */
  readonly most: Float32Array;
  readonly rest: number;
  /** The margin of one content, as `margins` has it. */
  marginOf(content: number): number;
}

/** What the classifiers learn from. */
export interface Lessons {
  readonly vectoriser: Vectoriser;
  /** The content of each row, by number from 0. */
  readonly owners: Int32Array;
  readonly contentCount: number;
}

/**
 * Trains the classifiers, one after the other: support vector machines with squared hinge loss, by
 * dual coordinate descent with shrinking (Hsieh and others, ICML 2008). The bias starts at -1 and
 * is held back, so that a content without rivals does not accept everything. Yields after each
 * content.
 */
export function* trainClassifier({
  vectoriser,
  owners,
  contentCount,
}: Lessons): Generator<void, Classifier> {
  const rows = vectoriser.rows;
  const biases = new Float32Array(contentCount);
  const table = createWeightTable(vectoriser.size, contentCount);
  const machine = createMachine(rows, owners, vectoriser.size);
  for (let content = 0; content < contentCount; content += 1) {
    biases[content] = machine.train(content);
    table.add(content, machine.weights);
    yield;
  }
  const weights = table.finish();
  const margins = new Float32Array(contentCount);
  const most = new Float32Array(contentCount);
  return {
    margins(tokens) {
      margins.set(biases);
      weights.addTo(margins, vectoriser.vectorOf(tokens));
      return margins;
    },
    bounded(tokens) {
      const row = vectoriser.vectorOf(tokens);
      most.set(biases);
      const rest = weights.bounds.addTo(most, row);
      const marginOf = (content: number): number =>
        weights.addedTo(biases[content] ?? 0, content, row);
      return { most, rest, marginOf };
    },
  };
}

const cost = 4;
const rounds = 8;
const startBias = -1;
/** Square of the constant that stands for the bias in every vector. */
const biasStrength = 0.1;
/** A row that is further than this on the right side is left out of the later rounds. */
const shrinkFrom = 0.05;

interface Machine {
  /** Trains one content against the others and returns its bias. */
  train(content: number): number;
  /** By feature; of the content trained last. */
  readonly weights: Float32Array;
}

function createMachine(
  { starts, features, values }: Vectors,
  owners: Int32Array,
  size: number,
): Machine {
  const count = owners.length;
  const weights = new Float32Array(size);
  const alphas = new Float32Array(count);
  const lengths = new Float32Array(count);
  for (let row = 0; row < count; row += 1) {
    let length = biasStrength + 0.5 / cost;
    for (let at = starts[row] ?? 0, end = starts[row + 1] ?? 0; at < end; at += 1) {
      length += (values[at] ?? 0) ** 2;
    }
    lengths[row] = length;
  }
  const order = new Int32Array(count);

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
        const row = order[other] ?? 0;
        order[other] = order[at] ?? 0;
        order[at] = row;
        const from = starts[row] ?? 0;
        const end = starts[row + 1] ?? 0;
        const sign = owners[row] === content ? 1 : -1;
        let margin = bias;
        for (let place = from; place < end; place += 1) {
          margin += (weights[features[place] ?? 0] ?? 0) * (values[place] ?? 0);
        }
        const alpha = alphas[row] ?? 0;
        const gradient = sign * margin - 1 + (0.5 / cost) * alpha;
        if (alpha === 0 && gradient >= 0) {
          if (round > 0 && gradient > shrinkFrom) {
            active -= 1;
            order[at] = order[active] ?? 0;
            order[active] = row;
            at -= 1;
          }
          continue;
        }
        const next = Math.max(0, alpha - gradient / (lengths[row] ?? 1));
        const step = (next - alpha) * sign;
        if (step === 0) continue;
        alphas[row] = next;
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
