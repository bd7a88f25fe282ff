import type { Analyser, Token } from "./analysis.ts";
import type { Classifier } from "./classifier.ts";
import { identifiersOf, type KnownIdentifiers, namesAnother } from "./identifiers.ts";
import type { InvertedIndex } from "./inverted-index.ts";
import type { LiteralSearch } from "./literal.ts";
import type { Speller } from "./spelling.ts";
import { type Evidence, featuresOf, likelihoodOf, marginOf, plentyOf } from "./likelihood.ts";
import { createRelations, explainWords, overlapOf, tellingWords } from "./overlap.ts";
import type { WeighedText, Weigher } from "./text-weights.ts";
import type { Explanation, Hit, Matcher, SearchResult } from "./types.ts";

/** All that a search reads. Contents and phrases are numbered from 0 in the order given. */
export interface Parts {
  /** Ids of the contents. */
  readonly ids: readonly number[];
  readonly analyser: Analyser;
  readonly synonyms: (tokens: readonly Token[]) => readonly Token[];
  readonly speller: Speller;
  readonly weigher: Weigher;
  /** The phrases by their features. */
  readonly index: InvertedIndex;
  readonly phraseWeights: Float32Array;
  /** The content of each phrase. */
  readonly owners: Int32Array;
  /** By content: the words of each of its phrases that say something. */
  readonly telling: readonly (readonly (readonly Token[])[])[];
  /** Contents by their phrases' words, as `phraseKey` writes them. */
  readonly exact: ReadonlyMap<string, ReadonlySet<number>>;
  /** By content: the codes and numbers of its phrases; null where it has none. */
  readonly identifiers: readonly (KnownIdentifiers | null)[];
  readonly literal: LiteralSearch;
  /** Null for a base too large to train one in a few seconds, or without contents. */
  readonly classifier: Classifier | null;
}

/** Words of a text, as they are compared to tell that a question is a phrase. */
export function phraseKey(tokens: readonly Token[]): string {
  return tokens.map(({ word }) => word).join(" ");
}

/** A matcher over finished parts. */
export function createSearch(parts: Parts): Matcher {
  const { ids, analyser, weigher, exact, classifier } = parts;
  const phrasesPerContent = parts.owners.length / Math.max(1, ids.length);
  const offer = offerOfFew + (threshold - offerOfFew) * plentyOf(phrasesPerContent);

  const find = (
    question: string,
    only: ReadonlySet<number> | null,
    least: number,
    limit: number,
  ): Found => {
    const typed = analyser.tokensOf(question);
    const words = typed.map((token) => corrected(token, parts));
    const tokens = mostTelling(parts.synonyms(words), weigher);
    const named = exact.get(phraseKey(typed));
    const meant = named ?? exact.get(phraseKey(words));
    const identifiers = identifiersOf(question, typed, analyser.language);
    const telling = tellingWords(tokens);
    const relations = createRelations();
    const says = telling.length > 0;
    const asked = weigher.weigh(tokens);
    const { nearest, covers } = similaritiesOf(asked, parts);
    const margins = classifier?.margins(tokens);
    const literal = says ? parts.literal.find(typed) : null;
    for (const content of literal?.contents ?? []) {
      if (literal?.whole === true) covers[content] = 1;
      nearest[content] = Math.max(nearest[content] ?? 0, leastShared);
    }

    const evidence = new Float32Array(ids.length);
    // Those that have every word of the question that says something, and more.
    const covering = new Set<number>();
    const candidates: number[] = [];
    for (let content = 0; content < ids.length; content += 1) {
      const near = nearest[content] ?? 0;
      if (near === 0 || only?.has(ids[content] ?? -1) === false) continue;
      candidates.push(content);
      const margin = margins?.[content] ?? marginOf(near);
      const isMeant = meant?.has(content) === true;
      const standing = literal?.contents.has(content) === true ? literalEvidence : 0;
      evidence[content] = isMeant ? certainty : margin + nearnessShare * near + standing;
      const covered = says && (covers[content] ?? 0) >= coveredFrom;
      if (covered && !isMeant && near < sameFrom) covering.add(content);
    }
    const order = (one: number, other: number): number =>
      (evidence[other] ?? 0) - (evidence[one] ?? 0) ||
      (ids[one] ?? 0) - (ids[other] ?? 0) ||
      one - other;
    const outside = telling.filter((token) => token.share === 1 && !weigher.isAbout(token));
    const evidenceOf = (content: number): Evidence => ({
      near: nearest[content] ?? 0,
      margin: margins?.[content] ?? marginOf(nearest[content] ?? 0),
      asked: telling.length,
      outside: outside.length,
      otherSubjects: outside.filter(({ concepts }) => concepts.length > 0).length,
      outOfDomain: outside.filter((token) => token.outOfDomain).length,
      phrasesPerContent,
      ...overlapOf(telling, parts.telling[content] ?? [], weigher.weightOf, relations),
    });
    const scores = new Map<number, number>();
    const scoreOf = (content: number): number => {
      const before = scores.get(content);
      if (before !== undefined) return before;
      const likely = likelihoodOf(evidenceOf(content));
      const score = meant?.has(content) === true ? mostWithoutExact : withRules(content, likely);
      scores.set(content, score);
      return score;
    };
    const withRules = (content: number, likely: number): number => {
      // Words that say nothing, in a row that no phrase has.
      if (!says) return (nearest[content] ?? 0) < nearFrom ? Math.min(likely, unlikely) : likely;
      // Nothing that the question says is missing: enough, and hardly more.
      const least =
        (covers[content] ?? 0) >= coveredFrom
          ? enough
          : literal?.contents.has(content) === true
            ? uncertain
            : 0;
      const score = Math.max(likely, least);
      const isAnother = namesAnother(identifiers, parts.identifiers[content] ?? null);
      return isAnother ? Math.min(score, uncertain) : score;
    };
    const toHit = (content: number): Hit => {
      const exact = named?.has(content) === true;
      return {
        id: ids[content] ?? -1,
        score: exact ? 1 : Math.min(scoreOf(content), mostWithoutExact),
        exact,
      };
    };
    // The best is needed to know its rivals, even of who asks for no hits.
    const best = firstOf(candidates, Math.max(fewest, limit), order).toSorted(
      (one, other) => scoreOf(other) - scoreOf(one) || order(one, other),
    );
    const [first] = best;
    // A question made of several contents' words is about each, whatever else they have.
    const rivals =
      first === undefined || toHit(first).score < rivalsFrom
        ? []
        : candidates.filter(
            (content) =>
              (evidence[content] ?? 0) >= (evidence[first] ?? 0) - rivalGap ||
              (covering.has(first) && covering.has(content)),
          );
    const result = {
      hits: best.slice(0, limit).map(toHit),
      threshold: least,
      offer: Math.min(least, offer),
      rivals: rivals.length > 1 ? firstOf(rivals, mostRivals, order).map(toHit) : [],
      unknownWords: unknownShare(words, weigher),
      weight: asked.weight,
    };
    const explain = (): Explanation => ({
      hits: result.hits,
      words: explainWords(telling, parts.telling[first ?? -1] ?? [], weigher.weightOf),
      evidence: first === undefined ? null : featuresOf(evidenceOf(first)),
    });
    return { result, explain };
  };
  return {
    search: (question, limit = 10) => find(question, null, threshold, limit).result,
    within: (question, ids, limit = 10) => find(question, new Set(ids), threshold, limit).result,
    among: (question, ids, limit = 10) =>
      find(question, new Set(ids), offeredThreshold, limit).result,
    explain: (question, limit = 5) => find(question, null, threshold, limit).explain(),
  };
}

interface Found {
  readonly result: SearchResult;
  explain(): Explanation;
}

/** Fixed at half a chance: the constants below are fitted on training folds (docs/matching.md). */
const threshold = 0.5;
/**
 * Where there are few phrases, a best content with this score is worth offering: on the tuning
 * bases, of the questions about the same business that no content answers 92 % are still refused.
 */
const offerOfFew = 0.25;
/** Among a few contents that the reader was just offered, less evidence is enough. */
const offeredThreshold = 0.3;
/** How much the nearest phrase counts beside the classifier's margin. */
const nearnessShare = 0.5;
/** Of a best that is less likely than this nobody wants the rivals. */
const rivalsFrom = 0.2;
/** A content whose evidence is less than this below that of the best is its rival. */
const rivalGap = 0.2;
/** Share of the question's weight that a phrase has for all of it to be there. */
const coveredFrom = 0.9;
/** Nearness from which on a phrase has nothing more than the question either. */
const sameFrom = 0.9;
const nearFrom = 0.6;
const mostWithoutExact = 0.99;
const unlikely = 0.2;
const enough = 0.52;
/**
 * Offered at most: a content with another code than the question's. Offered at least: one that has
 * the question as a part of its words.
 */
const uncertain = 0.4;
/** Evidence of a content in which the question stands literally, beside that of its words. */
const literalEvidence = 1;
/** More rivals are never offered: the reader is asked back. */
const mostRivals = 64;
/** Contents that are looked at closely, at least. */
const fewest = 8;
/** Evidence of a content that has the question among its phrases; others have about 2 at most. */
const certainty = 10;
/** Phrases that hold less of the question's weight are as far from it as those that hold none. */
const leastShared = 0.08;
/** Against a phrase count what it lacks, what it has beyond the question, and a little always. */
const [lacking, beyond, doubt] = [0.4, 0.4, 0.05];

/** From 0 to 1 for each content, 0 where it shares nothing with the question. */
interface Similarities {
  /** How near its nearest phrase comes. */
  readonly nearest: Float32Array;
  /** The largest share of the question that one of its phrases holds. */
  readonly covers: Float32Array;
}

function similaritiesOf(
  { row, weight }: WeighedText,
  { ids, index, phraseWeights, owners }: Parts,
): Similarities {
  const shared = new Float32Array(owners.length);
  index.addProducts(shared, row);
  const nearest = new Float32Array(ids.length);
  const covers = new Float32Array(ids.length);
  const least = weight * leastShared;
  for (let phrase = 0; phrase < owners.length; phrase += 1) {
    const same = shared[phrase] ?? 0;
    if (same <= least) continue;
    const content = owners[phrase] ?? 0;
    const lacks = Math.max(0, weight - same) * lacking;
    const has = Math.max(0, (phraseWeights[phrase] ?? 0) - same) * beyond;
    const near = same / (same + lacks + has + doubt);
    if (near > (nearest[content] ?? 0)) nearest[content] = near;
    const cover = same / weight;
    if (cover > (covers[content] ?? 0)) covers[content] = cover;
  }
  return { nearest, covers };
}

/** The first `limit` of these in their order; the others are not sorted. */
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

/**
 * Of a long question the words that say most, in their order: each word is looked up in every
 * phrase that shares a piece of it, so that this bounds what a search costs.
 */
function mostTelling(tokens: readonly Token[], { weightOf }: Weigher): readonly Token[] {
  if (tokens.length <= mostWords) return tokens;
  const weights = new Map<Token, number>(tokens.map((token) => [token, weightOf(token)]));
  const weighed = [...weights].toSorted(([, one], [, other]) => other - one);
  const kept = new Set(weighed.slice(0, mostWords).map(([token]) => token));
  const seen = new Set<Token>();
  return tokens.filter((token) => kept.has(token) && !seen.has(token) && seen.add(token));
}

/** Different words of a question that are searched for. */
const mostWords = 32;

function corrected(token: Token, { speller, analyser, weigher }: Parts): Token {
  if (weigher.isKnown(token)) return token;
  const word = speller.correct(token.word);
  return word === null ? token : analyser.tokenOf(word);
}

/** Share of the words that occur in no phrase; stop words say nothing. */
function unknownShare(words: readonly Token[], weigher: Weigher): number {
  if (words.length === 0) return 0;
  return words.filter((word) => !word.stop && !weigher.isKnown(word)).length / words.length;
}
