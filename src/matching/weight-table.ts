import type { Vectors } from "./sentence-vectors.ts";
import { placeOf } from "./sorted-place.ts";
import { createWeightBounds } from "./weight-bounds.ts";
import type { WeightBounds } from "./weight-bounds.ts";

/** What every feature says for or against every content, as it is learnt: content after content. */
export interface WeightTable {
  /** @param weights by feature */
  add(content: number, weights: Float32Array): void;
  finish(): Weights;
}

export interface Weights {
  /** Adds to the margins, by content, what the features of one row say, feature after feature. */
  addTo(margins: Float32Array, row: Vectors): void;
  /** What `addTo` makes of the margin `from` of one content, to the last bit. */
  addedTo(from: number, content: number, row: Vectors): number;
  readonly bounds: WeightBounds;
}

/** @param size number of features */
export function createWeightTable(size: number, contentCount: number): WeightTable {
  const pages: Page[] = [];
  const counts = new Int32Array(size);
  const found = new Int32Array(size);
  return {
    add(content, weights) {
      let count = 0;
      for (let feature = 0; feature < size; feature += 1) {
        if (Math.abs(weights[feature] ?? 0) < leastWeight) continue;
        found[count] = feature;
        count += 1;
        counts[feature] = (counts[feature] ?? 0) + 1;
      }
      const features = found.slice(0, count);
      const kept = Float32Array.from(features, (feature) => weights[feature] ?? 0);
      pages.push({ content, features, weights: kept });
    },
    finish() {
      const layout = laidOut(pages, counts, contentCount);
      return {
        addTo: adding(layout, contentCount),
        addedTo: (from, content, row) => addedTo(layout, from, content, row),
        bounds: createWeightBounds(pages, size),
      };
    },
  };
}

/**
 * Weights below this change no margin that matters; without them the table is a fraction of the
 * size.
 */
const leastWeight = 0.005;

/** What the classifier of one content has learnt; the features in their order. */
export interface Page {
  readonly content: number;
  readonly features: Int32Array;
  readonly weights: Float32Array;
}

/**
 * A feature that half of the contents know has a row with a place for every content; the others
 * list who knows them.
 */
interface Layout {
  /** Place of a feature's row, or -1. */
  readonly rows: Int32Array;
  readonly rowWeights: Float32Array;
  /** The list of feature `n` lies from `starts[n]` to `starts[n + 1]`. */
  readonly starts: Int32Array;
  readonly contents: Uint16Array;
  readonly weights: Float32Array;
}

function laidOut(pages: readonly Page[], counts: Int32Array, contentCount: number): Layout {
  const rows = new Int32Array(counts.length).fill(-1);
  const starts = new Int32Array(counts.length + 1);
  let rowSize = 0;
  for (const [feature, count] of counts.entries()) {
    const full = count * 2 >= contentCount;
    if (full) {
      rows[feature] = rowSize;
      rowSize += contentCount;
    }
    starts[feature + 1] = (starts[feature] ?? 0) + (full ? 0 : count);
  }
  const total = starts[counts.length] ?? 0;
  const rowWeights = new Float32Array(rowSize);
  const contents = new Uint16Array(total);
  const weights = new Float32Array(total);
  const next = starts.slice();
  for (const page of pages) {
    for (let at = 0; at < page.features.length; at += 1) {
      const feature = page.features[at] ?? 0;
      const weight = page.weights[at] ?? 0;
      const row = rows[feature] ?? -1;
      if (row !== -1) {
        rowWeights[row + page.content] = weight;
        continue;
      }
      const place = next[feature] ?? 0;
      contents[place] = page.content;
      weights[place] = weight;
      next[feature] = place + 1;
    }
  }
  return { rows, rowWeights, starts, contents, weights };
}

/**
 * Full rows are added four at a time, so that a margin is read and written once for four features.
 * Each sum is rounded as if it had been written: the result is the same to the last bit as one
 * feature after the other.
 */
function adding(layout: Layout, contentCount: number): Weights["addTo"] {
  const { rows, rowWeights, starts, contents, weights } = layout;
  const { fround } = Math;
  // Rows that wait to be added, and what the question's values for them are.
  const waiting = new Int32Array(4);
  const values = new Float32Array(4);
  let count = 0;

  const addFour = (margins: Float32Array): void => {
    const [rowA = 0, rowB = 0, rowC = 0, rowD = 0] = waiting;
    const [valueA = 0, valueB = 0, valueC = 0, valueD = 0] = values;
    for (let content = 0; content < contentCount; content += 1) {
      let sum = margins[content] ?? 0;
      sum = fround(sum + valueA * (rowWeights[rowA + content] ?? 0));
      sum = fround(sum + valueB * (rowWeights[rowB + content] ?? 0));
      sum = fround(sum + valueC * (rowWeights[rowC + content] ?? 0));
      margins[content] = sum + valueD * (rowWeights[rowD + content] ?? 0);
    }
    count = 0;
  };
  /** A list must not overtake the rows before it. Rows of the value 0 make them four. */
  const addWaiting = (margins: Float32Array): void => {
    if (count === 0) return;
    values.fill(0, count);
    waiting.fill(0, count);
    addFour(margins);
  };
  const addList = (margins: Float32Array, feature: number, value: number): void => {
    for (let at = starts[feature] ?? 0, end = starts[feature + 1] ?? 0; at < end; at += 1) {
      const content = contents[at] ?? 0;
      margins[content] = (margins[content] ?? 0) + value * (weights[at] ?? 0);
    }
  };

  return (margins, asked) => {
    for (let at = 0, size = asked.starts[1] ?? 0; at < size; at += 1) {
      const feature = asked.features[at] ?? 0;
      const value = asked.values[at] ?? 0;
      const row = rows[feature] ?? -1;
      if (row === -1) {
        addWaiting(margins);
        addList(margins, feature, value);
        continue;
      }
      waiting[count] = row;
      values[count] = value;
      count += 1;
      if (count === waiting.length) addFour(margins);
    }
    addWaiting(margins);
  };
}

function addedTo(
  { rows, rowWeights, starts, contents, weights }: Layout,
  from: number,
  content: number,
  asked: Vectors,
): number {
  let sum = from;
  for (let at = 0, size = asked.starts[1] ?? 0; at < size; at += 1) {
    const feature = asked.features[at] ?? 0;
    const row = rows[feature] ?? -1;
    const place =
      row === -1
        ? placeOf(contents, content, starts[feature] ?? 0, starts[feature + 1] ?? 0)
        : row + content;
    if (place === -1) continue;
    const weight = (row === -1 ? weights[place] : rowWeights[place]) ?? 0;
    // Rounded as if it had been written: see `adding`.
    sum = Math.fround(sum + (asked.values[at] ?? 0) * weight);
  }
  return sum;
}
