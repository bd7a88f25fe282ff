import type { Token } from "./analysis.ts";
import type { Parts } from "./assemble.ts";
import { phraseKey } from "./assemble.ts";
import { createAnsweringEvidence } from "./answering-evidence.ts";
import type { Wanted } from "./answering-evidence.ts";
import { createEvidence } from "./evidence.ts";
import { createConfidence, offeredThreshold, rivalGap, scoreOf, threshold } from "./confidence.ts";
import type { Candidates } from "./ranking.ts";
import { bestOf, sorted } from "./ranking.ts";
import type { Found, Hit, Matcher } from "./types.ts";

/** A matcher over finished parts. One search at a time: they share their scratch memory. */
export function createSearch(parts: Parts): Matcher {
  const { ids } = parts;
  const evidence = createEvidence(parts);
  const answering = createAnsweringEvidence(parts);
  const perContent = parts.owners.length / Math.max(1, ids.length);
  const confidence = createConfidence(perContent, parts.classifier !== null);
  // Evidence of the middle is the score of the threshold; a little less for what rounding does on
  // the way there.
  const wantedAnswers = { sum: confidence.middle - 1e-6, cover: coveredFrom };
  const candidates = {
    contents: new Int32Array(ids.length),
    evidence: new Float64Array(ids.length),
    /** 1 for one that has every word of the question that says something, and more. */
    covered: new Uint8Array(ids.length),
    count: 0,
  };

  const find = (
    question: string,
    only: ReadonlySet<number> | null,
    least: number,
    limit: number,
    wanted: Wanted | null = null,
  ): Found => {
    const typed = parts.analyser.tokensOf(question);
    const words = typed.map((token) => corrected(token, parts));
    const tokens = parts.synonyms(words);
    const named = parts.exact.get(phraseKey(typed));
    const meant = named ?? parts.exact.get(phraseKey(words)) ?? nobody;
    const some = wanted === null ? null : answering.of(tokens, meant, wanted);
    const found = some ?? evidence.of(tokens, meant);
    const says = tokens.some(({ stop }) => !stop);

    let count = 0;
    for (let at = 0; at < found.count; at += 1) {
      const content = found.contents[at] ?? 0;
      if (only !== null && !only.has(ids[content] ?? -1)) continue;
      let sum = found.sums[content] ?? 0;
      const near = found.nearest[content] ?? 0;
      const covered = says && (found.covers[content] ?? 0) >= coveredFrom;
      if (covered) sum = Math.max(sum, confidence.covered);
      // Words that say nothing, in a row that no phrase has.
      else if (!says && near < nearFrom) sum = Math.min(sum, confidence.middle - 1);
      const whole = meant.size > 0 && meant.has(content);
      candidates.contents[count] = content;
      candidates.evidence[count] = whole ? certainty : sum;
      candidates.covered[count] = covered && !whole && near < sameFrom ? 1 : 0;
      count += 1;
    }
    candidates.count = count;
    const toHit = (place: number): Hit => {
      const content = candidates.contents[place] ?? 0;
      const exact = named?.has(content) ?? false;
      const sum = candidates.evidence[place] ?? 0;
      const likely = meant.has(content) ? mostWithoutExact : scoreOf(sum, confidence);
      const score = exact ? 1 : Math.min(likely, mostWithoutExact);
      return { id: ids[content] ?? -1, score, exact };
    };
    // The best is needed to know its rivals, even of who asks for no hits.
    const best = bestOf(candidates, ids, Math.max(1, limit));
    const hits = best.slice(0, limit).map(toHit);
    const [first] = best;
    const answered = first !== undefined && toHit(first).score >= least;
    return {
      hits,
      threshold: least,
      rivals: answered ? rivalsOf(candidates, ids, first).map(toHit) : [],
      unknownWords: unknownShare(words, parts),
      weight: found.weight,
    };
  };
  return {
    search: (question, limit = 10) => find(question, null, threshold, limit),
    within: (question, ids, limit = 10) => find(question, new Set(ids), threshold, limit),
    among: (question, ids, limit = 10) => find(question, new Set(ids), offeredThreshold, limit),
    answers(question, ids, limit = 10) {
      const only = ids === null ? null : new Set(ids);
      const { hits } = find(question, only, threshold, limit, wantedAnswers);
      return hits.filter(({ score }) => score >= threshold);
    },
  };
}

/**
 * Places of those that the question can't tell from the best, the best among them; none when it
 * stands alone. A question that consists of words of several contents is about each of them,
 * whatever else these have.
 */
function rivalsOf(
  candidates: Candidates & { readonly covered: Uint8Array },
  ids: readonly number[],
  best: number,
): readonly number[] {
  const { evidence, covered, count } = candidates;
  const from = (evidence[best] ?? 0) - rivalGap;
  const bestCovered = covered[best] === 1;
  const rivals: number[] = [];
  for (let place = 0; place < count; place += 1) {
    const near = (evidence[place] ?? 0) >= from;
    if (near || (bestCovered && covered[place] === 1)) rivals.push(place);
  }
  return rivals.length > 1 ? sorted(rivals, candidates, ids) : [];
}

const nobody: ReadonlySet<number> = new Set();

/** Share of the question's weight that a phrase has for all of it to be there. */
const coveredFrom = 0.9;
/** Nearness from which on a phrase has nothing more than the question either. */
const sameFrom = 0.9;
const nearFrom = 0.6;
const mostWithoutExact = 0.99;
// Evidence of a content that has the question among its phrases; others have about 2 at most.
const certainty = 10;

function corrected(token: Token, { speller, analyser, weigher }: Parts): Token {
  if (weigher.isKnown(token)) return token;
  const word = speller.correct(token.word);
  return word === null ? token : analyser.tokenOf(word);
}

function unknownShare(words: readonly Token[], { weigher }: Parts): number {
  if (words.length === 0) return 0;
  return words.filter((word) => !word.stop && !weigher.isKnown(word)).length / words.length;
}
