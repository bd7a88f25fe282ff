import type { Matcher } from "../../src/matching/types.ts";
import type { IntentData } from "./data.ts";
import { quantile } from "../statistics.ts";

/**
 * A share of cases with its 95 % interval (Wilson's, which holds for small numbers and near 0 and 1
 * too).
 */
export interface Share {
  readonly hits: number;
  readonly of: number;
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

export interface IntentScores {
  /** In-scope sentences whose intent came first, above the threshold. */
  readonly inScope: Share;
  /** The same without the threshold. */
  readonly inScopeWithoutThreshold: Share;
  /** In-scope sentences whose intent came first or among the rivals that the reader is offered. */
  readonly inScopeOffered: Share;
  /** Out-of-scope sentences that were not answered. */
  readonly outOfScope: Share;
  /** Correct answers among all given answers, including those to out-of-scope sentences. */
  readonly precision: Share;
  /** Out-of-scope sentences among all refusals. */
  readonly refusalPrecision: Share;
}

/** @param intents the intent of each content, by id */
export function scoreIntents(
  matcher: Matcher,
  { val, outOfScope }: IntentData,
  intents: readonly string[],
): IntentScores {
  let [right, first, offered, answered, answeredOut] = [0, 0, 0, 0, 0];
  for (const { text, intent } of val) {
    const { hits, threshold, rivals } = matcher.search(text, 1);
    const best = hits[0];
    if (best === undefined) continue;
    const isRight = intents[best.id] === intent;
    const isAnswered = best.score >= threshold;
    if (isRight) first += 1;
    if (isAnswered) answered += 1;
    if (isRight && isAnswered) right += 1;
    if (isAnswered && (isRight || rivals.some(({ id }) => intents[id] === intent))) offered += 1;
  }
  for (const text of outOfScope) {
    const { hits, threshold } = matcher.search(text, 1);
    if ((hits[0]?.score ?? 0) >= threshold) answeredOut += 1;
  }
  const refused = outOfScope.length - answeredOut;
  return {
    inScope: shareOf(right, val.length),
    inScopeWithoutThreshold: shareOf(first, val.length),
    inScopeOffered: shareOf(offered, val.length),
    outOfScope: shareOf(refused, outOfScope.length),
    precision: shareOf(right, answered + answeredOut),
    refusalPrecision: shareOf(refused, refused + val.length - answered),
  };
}

export function shareOf(hits: number, of: number): Share {
  if (of === 0) return { hits, of, share: 0, low: 0, high: 1 };
  const z = 1.959964;
  const share = hits / of;
  const middle = (share + (z * z) / (2 * of)) / (1 + (z * z) / of);
  const reach =
    (z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of))) / (1 + (z * z) / of);
  return { hits, of, share, low: Math.max(0, middle - reach), high: Math.min(1, middle + reach) };
}

/** Milliseconds. */
export interface Times {
  readonly queries: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** The average CPU time of this thread, which other programs on the machine do not affect. */
  readonly cpuMean: number;
}

/** Asks every question once to warm up, then at least `least` questions, and measures each. */
export function timeQueries(matcher: Matcher, questions: readonly string[], least: number): Times {
  return timeSearches((question) => matcher.search(question), questions, least);
}

/** The same of any search. */
export function timeSearches(
  search: (question: string) => unknown,
  questions: readonly string[],
  least: number,
): Times {
  for (const question of questions) search(question);
  const times: number[] = [];
  const before = process.threadCpuUsage();
  while (times.length < least) {
    for (const question of questions) {
      const began = performance.now();
      search(question);
      times.push(performance.now() - began);
    }
  }
  const { user, system } = process.threadCpuUsage(before);
  times.sort((one, other) => one - other);
  return {
    queries: times.length,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    max: quantile(times, 1),
    cpuMean: (user + system) / 1000 / times.length,
  };
}
