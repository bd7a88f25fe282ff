import type { Vectors } from "./sentence-vectors.ts";
import type { Page } from "./weight-table.ts";

/** What the margins of a row can be at most, for a fraction of the work of adding them up. */
export interface WeightBounds {
  /**
   * Adds to `most`, by content, what the row's largest weights say for it. No margin, begun with
   * the same numbers, is further above that than what is returned.
   */
  addTo(most: Float32Array, row: Vectors): number;
}

/**
 * Nearly all weights are small or below 0. Only the others are read content by content; for the
 * small ones of a feature stands the largest of them.
 *
 * @param size number of features
 */
export function createWeightBounds(pages: readonly Page[], size: number): WeightBounds {
  const starts = new Int32Array(size + 1);
  const rests = new Float32Array(size);
  let largest = small;
  for (const { features, weights } of pages) {
    for (let at = 0; at < features.length; at += 1) {
      const feature = features[at] ?? 0;
      const weight = weights[at] ?? 0;
      if (weight > largest) largest = weight;
      if (weight > small) starts[feature + 1] = (starts[feature + 1] ?? 0) + 1;
      else if (weight > (rests[feature] ?? 0)) rests[feature] = weight;
    }
  }
  for (let feature = 0; feature < size; feature += 1) {
    starts[feature + 1] = (starts[feature + 1] ?? 0) + (starts[feature] ?? 0);
  }
  const step = largest / steps;
  const entries = new Uint32Array(starts[size] ?? 0);
  const next = starts.slice();
  for (const { content, features, weights } of pages) {
    for (let at = 0; at < features.length; at += 1) {
      const weight = weights[at] ?? 0;
      if (weight <= small) continue;
      const feature = features[at] ?? 0;
      const place = next[feature] ?? 0;
      entries[place] = Math.ceil(weight / step) * contentLimit + content;
      next[feature] = place + 1;
    }
  }
  return {
    addTo(most, { starts: [, count = 0], features, values }) {
      let rest = count * rounding;
      for (let at = 0; at < count; at += 1) {
        const feature = features[at] ?? 0;
        const value = values[at] ?? 0;
        const stepped = value * step;
        const end = starts[feature + 1] ?? 0;
        rest += value * (rests[feature] ?? 0);
        for (let place = starts[feature] ?? 0; place < end; place += 1) {
          const entry = entries[place] ?? 0;
          const content = entry & (contentLimit - 1);
          most[content] = (most[content] ?? 0) + stepped * (entry >>> contentBits);
        }
      }
      return rest;
    },
  };
}

// Content and weight stand in one number, the weight rounded up to a step: the lists lie far apart,
// and to fetch the beginning of one from memory takes longer than to read it.
const contentBits = 16;
const contentLimit = 1 << contentBits;
const steps = 65_000;

/**
 * A row has a hundred features or two, of a tenth each: weights up to this make up a tenth of a
 * margin or two together.
 */
const small = 0.02;
/** What one addition may lose to rounding, on either side, while sums are below 16. */
const rounding = 2e-6;
