import type { Token } from "./analysis.ts";
import type { Parts } from "./assemble.ts";
import { phraseKey } from "./assemble.ts";
import { createEvidence } from "./evidence.ts";
import { createConfidence, offeredThreshold, rivalGap, scoreOf, threshold } from "./confidence.ts";
import type { Found, Hit, Matcher } from "./types.ts";

/** A matcher over finished parts. One search at a time: they share their scratch memory. */
export function createSearch(parts: Parts): Matcher {
  const evidence = createEvidence(parts);
  const perContent = parts.owners.length / Math.max(1, parts.ids.length);
  const confidence = createConfidence(perContent, parts.classifier !== null);

  const find = (
    question: string,
    only: ReadonlySet<number> | null,
    least: number,
    limit: number,
  ): Found => {
    const typed = parts.analyser.tokensOf(question);
    const words = typed.map((token) => corrected(token, parts));
    const tokens = parts.synonyms(words);
    const named = parts.exact.get(phraseKey(typed));
    const meant = named ?? parts.exact.get(phraseKey(words)) ?? nobody;
    const found = evidence.of(tokens, meant);
    const says = tokens.some(({ stop }) => !stop);

    const candidates: Candidate[] = [];
    for (let at = 0; at < found.count; at += 1) {
      const content = found.contents[at] ?? 0;
      const id = parts.ids[content] ?? -1;
      if (only !== null && !only.has(id)) continue;
      const exact = named?.has(content) ?? false;
      let sum = found.sums[content] ?? 0;
      const covered = says && (found.covers[content] ?? 0) >= coveredFrom;
      if (covered) sum = Math.max(sum, confidence.covered);
      // Words that say nothing, in a row that no phrase has.
      else if (!says && (found.nearest[content] ?? 0) < nearFrom)
        sum = Math.min(sum, confidence.middle - 1);
      const whole = meant.has(content);
      const score = Math.min(scoreOf(sum, confidence), mostWithoutExact);
      candidates.push({
        id,
        score: exact ? 1 : whole ? mostWithoutExact : score,
        exact,
        evidence: whole ? certainty : sum,
        covered: covered && !whole && (found.nearest[content] ?? 0) < sameFrom,
      });
    }
    candidates.sort((one, other) => other.evidence - one.evidence || one.id - other.id);
    const rivals = rivalsOf(candidates, least);
    return {
      hits: candidates.slice(0, limit).map(plain),
      threshold: least,
      rivals: rivals.map(plain),
      unknownWords: unknownShare(words, parts),
      weight: found.weight,
    };
  };
  return {
    search: (question, limit = 10) => find(question, null, threshold, limit),
    within: (question, ids, limit = 10) => find(question, new Set(ids), threshold, limit),
    among: (question, ids, limit = 10) => find(question, new Set(ids), offeredThreshold, limit),
  };
}

function plain({ id, score, exact }: Hit): Hit {
  return { id, score, exact };
}

interface Candidate extends Hit {
  readonly evidence: number;
  /** True when it has every word of the question that says something, and more. */
  readonly covered: boolean;
}

/**
 * Those that the question can't tell from the best, the best among them; none when it stands alone or is no answer itself. A question
 * that consists of words of several contents is about each of them, whatever else these have.
 */
function rivalsOf(candidates: readonly Candidate[], least: number): readonly Candidate[] {
  const best = candidates[0];
  if (best === undefined || best.score < least) return [];
  const rivals = candidates.filter(
    ({ evidence, covered }) => evidence >= best.evidence - rivalGap || (covered && best.covered),
  );
  return rivals.length > 1 ? rivals : [];
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
