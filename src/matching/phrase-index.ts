import { createPhraseSelection } from "./phrase-selection.ts";
import type { PhraseSelection } from "./phrase-selection.ts";
import { placeOf } from "./sorted-place.ts";
import type { Features } from "./text-weights.ts";

/** For every feature the phrases that have it, in compressed sparse rows. */
export interface PhraseIndex {
  /** Adds up what each phrase shares with the question. The answer is valid until the next call. */
  share(question: Features): Shared;
  /**
   * What `share` finds, to the last bit, phrase by phrase; also of a phrase that it left out for
   * being one of very many. Null for a question or a base that is too large. Valid until the next
   * call.
   */
  select(question: Features): PhraseSelection | null;
  /** The whole weight of each phrase. */
  readonly weights: Float32Array;
}

export interface Shared {
  /** True: so many share anything that only `amounts` tells which, and `count` is 0. */
  all: boolean;
  /** Phrases that share anything; only the first `count` are valid. */
  readonly phrases: Int32Array;
  count: number;
  /** Shared weight by phrase; 0 for a phrase not touched. */
  readonly amounts: Float32Array;
}

export interface PhraseIndexBuilder {
  /** Phrases are numbered in the order in which they are added. */
  add(features: Features): void;
  finish(): PhraseIndex;
}

export function createPhraseIndex(phraseCount: number, featureCount: number): PhraseIndexBuilder {
  let ids = new Int32Array(1 << 16);
  let roots = new Float32Array(1 << 16);
  let size = 0;
  let phrases = 0;
  const ends = new Int32Array(phraseCount);
  const weights = new Float32Array(phraseCount);
  return {
    add(features) {
      if (size + features.count > ids.length) {
        ids = doubled(ids, new Int32Array(ids.length * 2));
        roots = doubled(roots, new Float32Array(roots.length * 2));
      }
      ids.set(features.ids.subarray(0, features.count), size);
      roots.set(features.roots.subarray(0, features.count), size);
      size += features.count;
      ends[phrases] = size;
      weights[phrases] = features.weight;
      phrases += 1;
    },
    finish: () => inverted({ ids, roots, ends, weights, size, featureCount }),
  };
}

function doubled<T extends Float32Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

interface Rows {
  readonly ids: Int32Array;
  readonly roots: Float32Array;
  readonly ends: Int32Array;
  readonly weights: Float32Array;
  readonly size: number;
  readonly featureCount: number;
}

function inverted({ ids, roots, ends, weights, size, featureCount }: Rows): PhraseIndex {
  const starts = new Int32Array(featureCount + 1);
  for (let at = 0; at < size; at += 1) {
    const id = ids[at] ?? 0;
    starts[id + 1] = (starts[id + 1] ?? 0) + 1;
  }
  for (let id = 0; id < featureCount; id += 1) {
    starts[id + 1] = (starts[id + 1] ?? 0) + (starts[id] ?? 0);
  }
  const next = starts.slice();
  const holders = new Int32Array(size);
  const holderRoots = new Float32Array(size);
  for (let phrase = 0, at = 0; phrase < ends.length; phrase += 1) {
    for (const end = ends[phrase] ?? 0; at < end; at += 1) {
      const id = ids[at] ?? 0;
      const place = next[id] ?? 0;
      holders[place] = phrase;
      holderRoots[place] = roots[at] ?? 0;
      next[id] = place + 1;
    }
  }

  const shared: Shared = {
    all: false,
    phrases: new Int32Array(ends.length),
    count: 0,
    amounts: new Float32Array(ends.length),
  };
  const { phrases, amounts } = shared;
  const add = (feature: number, root: number): void => {
    for (let at = starts[feature] ?? 0, end = starts[feature + 1] ?? 0; at < end; at += 1) {
      const phrase = holders[at] ?? 0;
      const before = amounts[phrase] ?? 0;
      if (before === 0) {
        phrases[shared.count] = phrase;
        shared.count += 1;
      }
      amounts[phrase] = before + root * (holderRoots[at] ?? 0);
    }
  };
  const addUnlisted = (feature: number, root: number): void => {
    for (let at = starts[feature] ?? 0, end = starts[feature + 1] ?? 0; at < end; at += 1) {
      const phrase = holders[at] ?? 0;
      amounts[phrase] = (amounts[phrase] ?? 0) + root * (holderRoots[at] ?? 0);
    }
  };
  const addToTouched = (feature: number, root: number): void => {
    const [from, to] = [starts[feature] ?? 0, starts[feature + 1] ?? 0];
    // Reading a short list to its end costs less than looking each phrase up in it.
    if (to - from < shared.count * searchCost) {
      for (let at = from; at < to; at += 1) {
        const phrase = holders[at] ?? 0;
        const before = amounts[phrase] ?? 0;
        if (before !== 0) amounts[phrase] = before + root * (holderRoots[at] ?? 0);
      }
      return;
    }
    for (let at = 0; at < shared.count; at += 1) {
      const phrase = phrases[at] ?? 0;
      const place = placeOf(holders, phrase, from, to);
      if (place === -1) continue;
      amounts[phrase] = (amounts[phrase] ?? 0) + root * (holderRoots[place] ?? 0);
    }
  };
  const lengthOf = (feature: number): number => (starts[feature + 1] ?? 0) - (starts[feature] ?? 0);
  const entriesOf = ({ ids: asked, count }: Features): number => {
    let all = 0;
    for (let at = 0; at < count; at += 1) all += lengthOf(asked[at] ?? 0);
    return all;
  };

  const selection =
    size > mostSelected
      ? null
      : createPhraseSelection(
          { ids: ids.subarray(0, size), roots: roots.subarray(0, size), ends },
          { starts, holders, roots: holderRoots },
        );

  return {
    weights,
    select(question) {
      const entries = selection === null ? 0 : entriesOf(question);
      if (selection === null || entries > 2 * mostEntries) return null;
      selection.ask(question, entries > mostEntries);
      return selection;
    },
    share(question) {
      const { ids: asked, roots: askedRoots, count } = question;
      if (shared.all) amounts.fill(0);
      else for (let at = 0; at < shared.count; at += 1) amounts[phrases[at] ?? 0] = 0;
      shared.all = false;
      shared.count = 0;
      const all = entriesOf(question);
      if (all <= mostEntries && all > 2 * ends.length) {
        shared.all = true;
        for (let at = 0; at < count; at += 1) addUnlisted(asked[at] ?? 0, askedRoots[at] ?? 0);
        return shared;
      }
      if (all <= mostEntries) {
        for (let at = 0; at < count; at += 1) add(asked[at] ?? 0, askedRoots[at] ?? 0);
        return shared;
      }
      const order = Array.from({ length: count }, (_, at) => at).sort(
        (one, other) => lengthOf(asked[one] ?? 0) - lengthOf(asked[other] ?? 0),
      );
      let entries = 0;
      let narrowed = false;
      for (const at of order) {
        const feature = asked[at] ?? 0;
        entries += lengthOf(feature);
        if (entries > mostEntries && !narrowed && shared.count > 0) {
          keepLargest(shared);
          narrowed = true;
        }
        if (narrowed) addToTouched(feature, askedRoots[at] ?? 0);
        else add(feature, askedRoots[at] ?? 0);
      }
      return shared;
    },
  };
}

/**
 * Entries of the index that one question reads at most. In a large base the commonest features come
 * last, and only for the phrases that the rarer ones have found.
 */
const mostEntries = 60_000;

/** Entries of the index, of eight bytes each, up to which phrases can be looked at one by one. */
const mostSelected = 2_000_000;

/** Entries of a list that are read in the time in which one phrase is looked up in it. */
const searchCost = 16;

/** Phrases that stay when the rare features have been counted, about. */
const mostNarrowed = 256;
const steps = 256;

/** Drops the phrases that share least so far, until about `mostNarrowed` are left. */
function keepLargest(shared: Shared): void {
  const { phrases, amounts } = shared;
  let largest = 0;
  for (let at = 0; at < shared.count; at += 1) {
    largest = Math.max(largest, amounts[phrases[at] ?? 0] ?? 0);
  }
  const stepOf = (phrase: number): number =>
    Math.min(steps - 1, Math.floor(((amounts[phrase] ?? 0) / largest) * steps));
  const counts = new Int32Array(steps);
  for (let at = 0; at < shared.count; at += 1) {
    const step = stepOf(phrases[at] ?? 0);
    counts[step] = (counts[step] ?? 0) + 1;
  }
  let cut = steps - 1;
  for (let kept = counts[cut] ?? 0; cut > 0; cut -= 1) {
    kept += counts[cut - 1] ?? 0;
    if (kept > mostNarrowed) break;
  }
  let count = 0;
  for (let at = 0; at < shared.count; at += 1) {
    const phrase = phrases[at] ?? 0;
    if (stepOf(phrase) >= cut && count < 4 * mostNarrowed) {
      phrases[count] = phrase;
      count += 1;
    } else amounts[phrase] = 0;
  }
  shared.count = count;
}
