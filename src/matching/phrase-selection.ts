import { mostFeatures } from "./text-weights.ts";
import type { Features } from "./text-weights.ts";

/** Phrase by phrase what it shares with a question: for who needs few of them. */
export interface PhraseSelection {
  /**
   * Takes the next question; what is asked below is about this one.
   *
   * @param rareFirst amounts are added up from the feature of the fewest phrases on; else in the
   *   order of the question
   */
  ask(question: Features, rareFirst: boolean): void;
  /**
   * The phrases that share at least so much with the question and are `wanted` for it, and perhaps
   * others. Valid until the next call.
   *
   * @param wanted true for what a phrase shares at most when it is true for what it shares
   */
  sharing(least: number, wanted: (phrase: number, most: number) => boolean): Selected;
  /**
   * What one phrase shares with the question: added up feature after feature, each sum rounded to
   * 32 bits.
   */
  amountOf(phrase: number): number;
}

export interface Selected {
  /** Only the first `count` are valid. */
  readonly phrases: Int32Array;
  count: number;
}

/** The features of each phrase, row after row. */
export interface PhraseRows {
  readonly ids: Int32Array;
  readonly roots: Float32Array;
  /** Where each row ends. */
  readonly ends: Int32Array;
}

/** For every feature the phrases that have it. */
export interface PhraseLists {
  /** The list of feature `n` lies from `starts[n]` to `starts[n + 1]`. */
  readonly starts: Int32Array;
  readonly holders: Int32Array;
  readonly roots: Float32Array;
}

export function createPhraseSelection(
  { ids, roots, ends }: PhraseRows,
  lists: PhraseLists,
): PhraseSelection {
  // Feature and root side by side: rows lie far apart, and to fetch one from memory takes longer
  // than to read it.
  const pairs = new Int32Array(ids.length * 2);
  const pairRoots = new Float32Array(pairs.buffer);
  for (let at = 0; at < ids.length; at += 1) {
    pairs[2 * at] = ids[at] ?? 0;
    pairRoots[2 * at + 1] = roots[at] ?? 0;
  }
  const largest = largestRoots(lists);
  // Places of the question's features, from 1 on; 0 for one that it has not.
  const places = new Int16Array(largest.length);
  const askedIds = new Int32Array(mostFeatures);
  const askedRoots = new Float32Array(mostFeatures);
  let count = 0;
  const products = new Float64Array(mostFeatures);
  const order = new Float64Array(mostFeatures);
  const amounts = new Float32Array(ends.length);
  const selected: Selected = { phrases: new Int32Array(ends.length), count: 0 };
  const { phrases } = selected;

  const lengthOf = (feature: number): number =>
    (lists.starts[feature + 1] ?? 0) - (lists.starts[feature] ?? 0);
  /** Places in the question, those with the shortest lists first. */
  const byLength = (features: Int32Array): Float64Array => {
    // Length and place in one number: typed arrays without a function of comparison are sorted many
    // times faster.
    for (let at = 0; at < count; at += 1) {
      order[at] = lengthOf(features[at] ?? 0) * mostFeatures + at;
    }
    return order.subarray(0, count).sort();
  };

  return {
    ask(question, rareFirst) {
      for (let at = 0; at < count; at += 1) places[askedIds[at] ?? 0] = 0;
      ({ count } = question);
      const sorted = rareFirst ? byLength(question.ids) : null;
      for (let at = 0; at < count; at += 1) {
        const from = sorted === null ? at : (sorted[at] ?? 0) % mostFeatures;
        const feature = question.ids[from] ?? 0;
        askedIds[at] = feature;
        askedRoots[at] = question.roots[from] ?? 0;
        places[feature] = at + 1;
      }
    },
    /**
     * The commonest features say least and have by far the longest lists. As long as all that they
     * can add is less than what is asked for, a phrase must have one of the others too, and only
     * these lists are read.
     */
    sharing(least, wanted) {
      const sorted = byLength(askedIds);
      const needed = least * justBelow;
      let rest = 0;
      let last = count - 1;
      for (; last >= 0; last -= 1) {
        const at = (sorted[last] ?? 0) % mostFeatures;
        const most = (askedRoots[at] ?? 0) * (largest[askedIds[at] ?? 0] ?? 0);
        if (rest + most >= needed) break;
        rest += most;
      }
      let touched = 0;
      for (let next = 0; next <= last; next += 1) {
        const at = (sorted[next] ?? 0) % mostFeatures;
        const feature = askedIds[at] ?? 0;
        const root = askedRoots[at] ?? 0;
        const end = lists.starts[feature + 1] ?? 0;
        for (let place = lists.starts[feature] ?? 0; place < end; place += 1) {
          const phrase = lists.holders[place] ?? 0;
          const before = amounts[phrase] ?? 0;
          if (before === 0) {
            phrases[touched] = phrase;
            touched += 1;
          }
          amounts[phrase] = before + root * (lists.roots[place] ?? 0);
        }
      }
      selected.count = 0;
      for (let at = 0; at < touched; at += 1) {
        const phrase = phrases[at] ?? 0;
        const most = ((amounts[phrase] ?? 0) + rest) * justAbove;
        if (most >= least && wanted(phrase, most)) {
          phrases[selected.count] = phrase;
          selected.count += 1;
        }
        amounts[phrase] = 0;
      }
      return selected;
    },
    amountOf(phrase) {
      const end = 2 * (ends[phrase] ?? 0);
      for (let at = 2 * (ends[phrase - 1] ?? 0); at < end; at += 2) {
        const place = places[pairs[at] ?? 0] ?? 0;
        if (place !== 0)
          products[place - 1] = (askedRoots[place - 1] ?? 0) * (pairRoots[at + 1] ?? 0);
      }
      let sum = 0;
      for (let at = 0; at < count; at += 1) {
        const product = products[at] ?? 0;
        if (product === 0) continue;
        sum = Math.fround(sum + product);
        products[at] = 0;
      }
      return sum;
    },
  };
}

/** So that no rounding leaves out a phrase that shares just as much. */
const justBelow = 1 - 1e-4;
const justAbove = 1 + 1e-4;

/** The largest root that each feature has in any phrase. */
function largestRoots({ starts, roots }: PhraseLists): Float32Array {
  const largest = new Float32Array(starts.length - 1);
  for (let feature = 0; feature < largest.length; feature += 1) {
    const end = starts[feature + 1] ?? 0;
    for (let at = starts[feature] ?? 0; at < end; at += 1) {
      largest[feature] = Math.max(largest[feature] ?? 0, roots[at] ?? 0);
    }
  }
  return largest;
}
