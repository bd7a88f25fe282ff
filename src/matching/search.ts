import type { Token } from "./analysis.ts";
import { hasAnotherIdentifier } from "./identifiers.ts";
import { type Evidence, featuresOf, likelihoodOf, marginOf, plentyOf } from "./likelihood.ts";
import { createRelations, explainWords, overlapOf } from "./overlap.ts";
import { type Parts, type AnalysedQuestion, readQuestion } from "./question.ts";
import type { Weigher } from "./text-weights.ts";
import type { MatchExplanation, Hit, Matcher, SearchResult } from "./types.ts";

/** A matcher over finished parts. */
export function createSearch(parts: Parts): Matcher {
  return {
    search: (question, limit = 10) => new Search(parts, question, null).resultOf(threshold, limit),
    within: (question, ids, limit = 10) =>
      new Search(parts, question, new Set(ids)).resultOf(threshold, limit),
    among: (question, ids, limit = 10) =>
      new Search(parts, question, new Set(ids)).resultOf(offeredThreshold, limit),
    explain: (question, limit = 5) => new Search(parts, question, null).explain(limit),
  };
}

/** The search for one question. Contents are numbered as in {@link Parts}. */
class Search {
  readonly #parts: Parts;
  readonly #question: AnalysedQuestion;
  readonly #phrasesPerContent: number;
  readonly #candidates: number[] = [];
  /** By content. */
  readonly #evidence: Float32Array;
  /** Contents that have every telling word of the question, and more words of their own. */
  readonly #covering = new Set<number>();
  readonly #relations = createRelations();
  readonly #scores = new Map<number, number>();

  /** @param only ids of the contents to search; null for all */
  constructor(parts: Parts, question: string, only: ReadonlySet<number> | null) {
    const { ids, owners } = parts;
    this.#parts = parts;
    this.#question = readQuestion(question, parts, only !== null);
    this.#phrasesPerContent = owners.length / Math.max(1, ids.length);
    this.#evidence = new Float32Array(ids.length);
    const { nearest, covers, meant, literal, telling } = this.#question;
    for (let content = 0; content < ids.length; content += 1) {
      const near = nearest[content] ?? 0;
      if (near === 0 || only?.has(ids[content] ?? -1) === false) continue;
      this.#candidates.push(content);
      const isMeant = meant?.has(content) === true;
      const literally = literal?.contents.has(content) === true ? literalEvidence : 0;
      const likely = this.#marginOf(content) + nearnessShare * near + literally;
      this.#evidence[content] = isMeant ? certainty : likely;
      const covered = telling.length > 0 && (covers[content] ?? 0) >= coveredFrom;
      if (covered && !isMeant && near < sameFrom) this.#covering.add(content);
    }
  }

  resultOf(least: number, limit: number): SearchResult {
    const best = this.#listBest(limit);
    const rivals = this.#rivalsOf(best[0]);
    const plenty = plentyOf(this.#phrasesPerContent);
    return {
      hits: best.slice(0, limit).map((content) => this.#toHit(content)),
      threshold: least,
      offer: Math.min(least, offerOfFew + (threshold - offerOfFew) * plenty),
      rivals: rivals.map((content) => this.#toHit(content)),
      unknownWords: measureUnknownShare(this.#question.words, this.#parts.weigher),
      weight: this.#question.weight,
    };
  }

  explain(limit: number): MatchExplanation {
    const { weigher, telling } = this.#parts;
    const best = this.#listBest(limit);
    const [first] = best;
    return {
      hits: best.slice(0, limit).map((content) => this.#toHit(content)),
      words: explainWords(this.#question.telling, telling[first ?? -1] ?? [], weigher.weightOf),
      evidence: first === undefined ? null : featuresOf(this.#evidenceOf(first)),
    };
  }

  /**
   * Lists the best contents, at least {@link minRivals} of them, since the rivals of the first are
   * found by it.
   */
  #listBest(limit: number): readonly number[] {
    return firstOf(this.#candidates, Math.max(minRivals, limit), this.#compare).toSorted(
      (one, other) => this.#scoreOf(other) - this.#scoreOf(one) || this.#compare(one, other),
    );
  }

  /**
   * Lists the contents that the question may mean as well as the best one; empty if it is clear.
   */
  #rivalsOf(first: number | undefined): readonly number[] {
    if (first === undefined || this.#toHit(first).score < rivalsFrom) return [];
    const least = (this.#evidence[first] ?? 0) - rivalGap;
    const isCovering = this.#covering.has(first);
    const rivals = this.#candidates.filter(
      (content) =>
        (this.#evidence[content] ?? 0) >= least || (isCovering && this.#covering.has(content)),
    );
    return rivals.length > 1 ? firstOf(rivals, maxRivals, this.#compare) : [];
  }

  readonly #compare = (one: number, other: number): number => {
    const { ids } = this.#parts;
    return (
      (this.#evidence[other] ?? 0) - (this.#evidence[one] ?? 0) ||
      (ids[one] ?? 0) - (ids[other] ?? 0) ||
      one - other
    );
  };

  #toHit(content: number): Hit {
    const exact = this.#question.named?.has(content) === true;
    const score = exact ? 1 : Math.min(this.#scoreOf(content), maxWithoutExact);
    return { id: this.#parts.ids[content] ?? -1, score, exact };
  }

  #scoreOf(content: number): number {
    const before = this.#scores.get(content);
    if (before !== undefined) return before;
    const likely = likelihoodOf(this.#evidenceOf(content));
    const isMeant = this.#question.meant?.has(content) === true;
    const score = isMeant ? maxWithoutExact : this.#limitScore(content, likely);
    this.#scores.set(content, score);
    return score;
  }

  #limitScore(content: number, likely: number): number {
    const { telling, nearest, covers, literal, identifiers } = this.#question;
    // The question has no telling word, so only its phrase as a whole can match.
    if (telling.length === 0) {
      return (nearest[content] ?? 0) < nearFrom ? Math.min(likely, unlikely) : likely;
    }
    const literally = literal?.contents.has(content) === true ? uncertain : 0;
    // A content that covers the whole question scores just above the threshold.
    const least = (covers[content] ?? 0) >= coveredFrom ? enough : literally;
    const score = Math.max(likely, least);
    const isAnother = hasAnotherIdentifier(identifiers, this.#parts.identifiers[content] ?? null);
    return isAnother ? Math.min(score, uncertain) : score;
  }

  #evidenceOf(content: number): Evidence {
    const { telling, outside, nearest } = this.#question;
    const { weigher } = this.#parts;
    const phrases = this.#parts.telling[content] ?? [];
    return {
      near: nearest[content] ?? 0,
      margin: this.#marginOf(content),
      asked: telling.length,
      outside: outside.length,
      otherSubjects: outside.filter(({ concepts }) => concepts.length > 0).length,
      outOfDomain: outside.filter((token) => token.outOfDomain).length,
      phrasesPerContent: this.#phrasesPerContent,
      ...overlapOf(telling, phrases, weigher.weightOf, this.#relations),
    };
  }

  #marginOf(content: number): number {
    const { margins, nearest } = this.#question;
    return margins?.[content] ?? marginOf(nearest[content] ?? 0);
  }
}

/** Scores are probabilities. The constants below are fitted on training folds (docs/matching.md). */
const threshold = 0.5;
/**
 * A best content with this score is worth offering where there are few phrases: on the tuning
 * bases, 92 % of the questions about the same business that no content answers are still refused.
 */
const offerOfFew = 0.25;
/** Among a few contents that the reader was just offered, less evidence is enough. */
const offeredThreshold = 0.3;
/** How much the nearest phrase counts beside the classifier's margin. */
const nearnessShare = 0.5;
/** Least score of the best content with which rivals are searched for. */
const rivalsFrom = 0.2;
/** A content whose evidence is less than this below that of the best is its rival. */
const rivalGap = 0.2;
/** Share of the question's weight from which on a phrase covers it. */
const coveredFrom = 0.9;
/** Nearness from which on a phrase has no words beyond the question's either. */
const sameFrom = 0.9;
const nearFrom = 0.6;
const maxWithoutExact = 0.99;
const unlikely = 0.2;
const enough = 0.52;
/**
 * Highest score of a content with another code than the question's, and lowest of one that contains
 * the question literally.
 */
const uncertain = 0.4;
/** Additional evidence of a content that contains the question literally. */
const literalEvidence = 1;
/** Most rivals of a content. A reader with so many choices is asked a question instead. */
const maxRivals = 64;
/** Least number of contents that are scored. */
const minRivals = 8;
/** Evidence of a content that has the question among its phrases; others have about 2 at most. */
const certainty = 10;

/** Returns the first `limit` items by an order, without sorting the others. */
export function firstOf<T>(
  all: readonly T[],
  limit: number,
  order: (one: T, other: T) => number,
): readonly T[] {
  const first: T[] = [];
  for (const one of all) {
    const last = first.at(-1);
    if (first.length === limit && last !== undefined && order(last, one) <= 0) continue;
    let [low, high] = [0, first.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = first[middle];
      if (other !== undefined && order(other, one) <= 0) low = middle + 1;
      else high = middle;
    }
    first.splice(low, 0, one);
    if (first.length > limit) first.pop();
  }
  return first;
}

/** Share of the words that occur in no phrase; stop words say nothing. */
function measureUnknownShare(words: readonly Token[], weigher: Weigher): number {
  if (words.length === 0) return 0;
  return words.filter((word) => !word.stop && !weigher.isKnown(word)).length / words.length;
}
