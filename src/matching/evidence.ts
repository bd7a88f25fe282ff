import type { Token } from "./analysis.ts";
import type { Parts } from "./assemble.ts";
import { nearnessShare } from "./confidence.ts";
import type { Shared } from "./phrase-index.ts";

/** What speaks for each content, by its number. Valid until the next call. */
export interface Evidence {
  /** Contents that share anything with the question; only the first `count` are valid. */
  readonly contents: Int32Array;
  count: number;
  /** The classifier's margin and the nearness of the nearest phrase, or the nearness alone. */
  readonly sums: Float32Array;
  /** Nearness of the nearest phrase, from 0 to 1. */
  readonly nearest: Float32Array;
  /** The largest share of the question that one phrase holds, from 0 to 1. */
  readonly covers: Float32Array;
  /** Weight of the question. */
  weight: number;
}

/**
 * How much counts against a phrase: what of the question it lacks, what it has beyond it, and a
 * little for every pair.
 */
const lacking = 0.4;
const beyond = 0.4;
const doubt = 0.05;
/** So that no rounding leaves out a phrase that comes just as near. */
const justBelow = 1 - 1e-6;

export function createEvidence({ ids, weigher, index, owners, classifier }: Parts): {
  /** @param sure contents that are in the result in any case */
  of(tokens: readonly Token[], sure: Iterable<number>): Evidence;
} {
  const evidence = emptyEvidence(ids.length);
  const { contents, sums, nearest, covers } = evidence;
  const firsts = firstPhrases(owners, ids.length);

  const put = (content: number, near: number, most: number): void => {
    contents[evidence.count] = content;
    evidence.count += 1;
    nearest[content] = near;
    covers[content] = most;
  };
  /**
   * Content by content: memory is read from its beginning to its end, and written once for each
   * content.
   */
  const lookAtAll = (amounts: Float32Array, weight: number): void => {
    let at = 0;
    for (let content = 0; content < ids.length; content += 1) {
      let near = 0;
      let most = 0;
      // What a phrase has to share to come nearer than those before it, even if it has nothing
      // else.
      let least = 0;
      for (const end = firsts[content + 1] ?? 0; at < end; at += 1) {
        const same = amounts[at] ?? 0;
        if (same > most) most = same;
        if (same <= least) continue;
        const one = nearness(same, weight, index.weights[at] ?? 0);
        if (one <= near) continue;
        near = one;
        least = justBelow * leastShared(near, weight);
      }
      if (most > 0) put(content, near, most / weight);
    }
  };
  const lookAt = ({ phrases, amounts, count }: Shared, weight: number): void => {
    for (let at = 0; at < count; at += 1) {
      const phrase = phrases[at] ?? 0;
      const content = owners[phrase] ?? 0;
      const same = amounts[phrase] ?? 0;
      const near = nearness(same, weight, index.weights[phrase] ?? 0);
      const cover = same / weight;
      if ((nearest[content] ?? 0) === 0) {
        put(content, near, cover);
        continue;
      }
      if (near > (nearest[content] ?? 0)) nearest[content] = near;
      if (cover > (covers[content] ?? 0)) covers[content] = cover;
    }
  };

  return {
    of(tokens, sure) {
      for (let at = 0; at < evidence.count; at += 1) nearest[contents[at] ?? 0] = 0;
      evidence.count = 0;
      const asked = weigher.weigh(tokens);
      evidence.weight = asked.weight;
      const shared = index.share(asked);
      if (shared.all) lookAtAll(shared.amounts, asked.weight);
      else lookAt(shared, asked.weight);
      // So many phrases may share as much with the question that the index leaves some out.
      for (const content of sure) {
        if ((nearest[content] ?? 0) === 0) put(content, 1, 1);
      }
      const margins = classifier?.margins(tokens);
      for (let at = 0; at < evidence.count; at += 1) {
        const content = contents[at] ?? 0;
        const near = nearest[content] ?? 0;
        sums[content] = margins === undefined ? near : sumOf(margins[content] ?? 0, near);
      }
      return evidence;
    },
  };
}

export function emptyEvidence(contents: number): Evidence {
  return {
    contents: new Int32Array(contents),
    count: 0,
    sums: new Float32Array(contents),
    nearest: new Float32Array(contents),
    covers: new Float32Array(contents),
    weight: 0,
  };
}

/** All that speaks for a content: the classifier's margin, and what comes near. */
export function sumOf(margin: number, near: number): number {
  return margin + nearnessShare * near;
}

/**
 * How near a phrase of the weight `own` comes to a question of the weight `asked`, when they share
 * `same`.
 */
export function nearness(same: number, asked: number, own: number): number {
  const lacks = Math.max(0, asked - same) * lacking;
  const has = Math.max(0, own - same) * beyond;
  return same / (same + lacks + has + doubt);
}

/**
 * What a phrase has to share with a question of the weight `asked` to come so near, even if it has
 * nothing else.
 */
export function leastShared(near: number, asked: number): number {
  return (near * (asked * lacking + doubt)) / (1 - near * (1 - lacking));
}

/** The first phrase of each content, and the number of all phrases at the end. */
export function firstPhrases(owners: Int32Array, contents: number): Int32Array {
  const firsts = new Int32Array(contents + 1);
  for (const owner of owners) firsts[owner + 1] = (firsts[owner + 1] ?? 0) + 1;
  for (let content = 0; content < contents; content += 1) {
    firsts[content + 1] = (firsts[content + 1] ?? 0) + (firsts[content] ?? 0);
  }
  return firsts;
}
