import type { Token } from "./analysis.ts";
import type { Parts } from "./assemble.ts";
import { emptyEvidence, firstPhrases, leastShared, nearness, sumOf } from "./evidence.ts";
import type { Evidence } from "./evidence.ts";
import type { PhraseSelection } from "./phrase-selection.ts";

/** Which contents somebody has a use for: those that reach one of the two. */
export interface Wanted {
  readonly sum: number;
  readonly cover: number;
}

/**
 * Evidence as `createEvidence` finds it, to the last bit, of the contents that are wanted and
 * perhaps of some others. Nearly all are out by what their evidence can be at most; only the others
 * are looked at.
 */
export function createAnsweringEvidence({ ids, weigher, index, owners, classifier }: Parts): {
  /**
   * Null where that would be more work: for a base of few contents, and for a question that fits
   * many or is very long.
   *
   * @param sure contents that are in the result in any case
   */
  of(tokens: readonly Token[], sure: ReadonlySet<number>, wanted: Wanted): Evidence | null;
} {
  const evidence = emptyEvidence(ids.length);
  const { contents, sums, nearest, covers } = evidence;
  const firsts = firstPhrases(owners, ids.length);

  /** Puts a content in, unless it shares nothing or is in. */
  const look = (content: number, weight: number, selection: PhraseSelection): void => {
    if ((nearest[content] ?? 0) !== 0) return;
    let near = 0;
    let most = 0;
    const end = firsts[content + 1] ?? 0;
    for (let phrase = firsts[content] ?? 0; phrase < end; phrase += 1) {
      const same = selection.amountOf(phrase);
      if (same > most) most = same;
      if (same > 0) near = Math.max(near, nearness(same, weight, index.weights[phrase] ?? 0));
    }
    if (most > 0) put(content, near, most / weight);
  };
  const put = (content: number, near: number, cover: number): void => {
    contents[evidence.count] = content;
    evidence.count += 1;
    nearest[content] = near;
    covers[content] = cover;
  };

  return {
    of(tokens, sure, wanted) {
      const asked = weigher.weigh(tokens);
      const selection = ids.length <= mostLooked ? null : index.select(asked);
      if (selection === null) return null;
      const { weight } = asked;
      for (let at = 0; at < evidence.count; at += 1) nearest[contents[at] ?? 0] = 0;
      evidence.count = 0;
      evidence.weight = weight;
      const covering = wanted.cover * weight;
      const bounded = classifier?.bounded(tokens);
      if (bounded !== undefined) {
        // No phrase comes nearer than 1.
        const from = wanted.sum - sumOf(bounded.rest, 1);
        let fitting = 0;
        for (const most of bounded.most) if (most >= from) fitting += 1;
        if (fitting > mostLooked) return null;
        for (let content = 0; content < ids.length; content += 1) {
          if ((bounded.most[content] ?? 0) >= from) look(content, weight, selection);
        }
      }
      const { phrases, count } =
        bounded === undefined
          ? selection.sharing(
              Math.min(covering, leastShared(wanted.sum, weight)),
              (phrase, most) =>
                most >= covering ||
                nearness(most, weight, index.weights[phrase] ?? 0) >= wanted.sum,
            )
          : selection.sharing(covering, () => true);
      if (count + evidence.count > mostLooked) return null;
      for (let at = 0; at < count; at += 1) look(owners[phrases[at] ?? 0] ?? 0, weight, selection);
      for (const content of sure) {
        look(content, weight, selection);
        if ((nearest[content] ?? 0) === 0) put(content, 1, 1);
      }
      for (let at = 0; at < evidence.count; at += 1) {
        const content = contents[at] ?? 0;
        const near = nearest[content] ?? 0;
        if (bounded === undefined) {
          sums[content] = near;
          continue;
        }
        const most = sumOf((bounded.most[content] ?? 0) + bounded.rest, near);
        const reaches = most >= wanted.sum || (covers[content] ?? 0) >= wanted.cover;
        // What is not wanted anyhow needs no exact sum.
        sums[content] =
          reaches || sure.has(content) ? sumOf(bounded.marginOf(content), near) : most;
      }
      return evidence;
    },
  };
}

/** Contents up to which it is less work to look at them one by one than at all at once. */
const mostLooked = 100;
