import type { Token } from "./analysis.ts";
import type { Parts } from "./assemble.ts";
import { nearnessShare } from "./confidence.ts";

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

/** How much counts against a phrase: what of the question it lacks, what it has beyond it, and a little for every pair. */
const lacking = 0.4;
const beyond = 0.4;
const doubt = 0.05;

export function createEvidence({ ids, weigher, index, owners, classifier }: Parts): {
  /** @param sure contents that are in the result in any case */
  of(tokens: readonly Token[], sure: Iterable<number>): Evidence;
} {
  const evidence: Evidence = {
    contents: new Int32Array(ids.length),
    count: 0,
    sums: new Float32Array(ids.length),
    nearest: new Float32Array(ids.length),
    covers: new Float32Array(ids.length),
    weight: 0,
  };
  const { contents, sums, nearest, covers } = evidence;
  return {
    of(tokens, sure) {
      for (let at = 0; at < evidence.count; at += 1) {
        nearest[contents[at] ?? 0] = 0;
        covers[contents[at] ?? 0] = 0;
      }
      const asked = weigher.weigh(tokens);
      const weight = asked.weight;
      const shared = index.share(asked);
      let count = 0;
      for (let at = 0; at < shared.count; at += 1) {
        const phrase = shared.phrases[at] ?? 0;
        const content = owners[phrase] ?? 0;
        const same = shared.amounts[phrase] ?? 0;
        const lacks = Math.max(0, weight - same) * lacking;
        const has = Math.max(0, (index.weights[phrase] ?? 0) - same) * beyond;
        const near = same / (same + lacks + has + doubt);
        const before = nearest[content] ?? 0;
        if (before === 0) {
          contents[count] = content;
          count += 1;
        }
        if (near > before) nearest[content] = near;
        const cover = same / weight;
        if (cover > (covers[content] ?? 0)) covers[content] = cover;
      }
      // So many phrases may share as much with the question that the index leaves some out.
      for (const content of sure) {
        if ((nearest[content] ?? 0) > 0) continue;
        contents[count] = content;
        count += 1;
        nearest[content] = 1;
        covers[content] = 1;
      }
      evidence.count = count;
      evidence.weight = weight;
      const margins = classifier?.margins(tokens);
      for (let at = 0; at < count; at += 1) {
        const content = contents[at] ?? 0;
        const near = nearest[content] ?? 0;
        sums[content] =
          margins === undefined ? near : (margins[content] ?? 0) + nearnessShare * near;
      }
      return evidence;
    },
  };
}
