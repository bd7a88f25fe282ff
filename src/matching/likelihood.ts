import type { Overlap } from "./overlap.ts";

/** What speaks for one content being what a question asks for. */
export interface Evidence extends Overlap {
  /** How near its nearest phrase comes, from 0 to 1. */
  readonly near: number;
  /** The classifier's margin. */
  readonly margin: number;
  /** The question's words that say something. */
  readonly asked: number;
  /** Those that no content of the base is about. */
  readonly outside: number;
  /** Of these, those of a subject: one that no content of the base is about. */
  readonly otherSubjects: number;
  /** Of these, those of what hardly any business is asked about. */
  readonly outOfDomain: number;
  readonly phrasesPerContent: number;
}

/**
 * How likely it is that a content is what was asked for: a logistic regression over the evidence,
 * fitted by `npm run bench:intents -- --fit` (docs/matching.md).
 */
export function likelihoodOf(evidence: Evidence): number {
  let sum = weights[0] ?? 0;
  for (const [at, value] of featuresOf(evidence).entries()) sum += value * (weights[at + 1] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}

/** The numbers that are weighed, in the order of the weights. */
export function featuresOf(evidence: Evidence): readonly number[] {
  const { near, margin, weight, explained, likeness, words, foreign, asked } = evidence;
  const phrases = Math.log(Math.max(1, evidence.phrasesPerContent));
  const kept = Math.max(leastMargin, margin);
  return [
    near,
    kept,
    weight === 0 ? 0 : explained / weight,
    weight - explained,
    likeness,
    near * phrases,
    kept * phrases,
    likeness * phrases,
    phrases * phrases,
    Math.min(words, 4),
    Math.min(evidence.special, 3),
    Math.min(foreign, 5),
    Math.min(asked, 8),
    Math.min(evidence.outside, 4),
    evidence.outside === 0 ? 1 : 0,
    Math.min(evidence.otherSubjects, 3),
    Math.min(evidence.outOfDomain, 2),
    phrases,
  ];
}

/** Below it a margin says no more. */
const leastMargin = -1.6;

/** The margin that a content as near as this has on average, where no classifier was trained. */
export function marginOf(near: number): number {
  return 2 * near - 1.3;
}

/**
 * The constant, then one for each feature. The constant is 0.08 above the fitted one: as
 * fitted, three in ten questions of small bases that had an answer were refused.
 */
const weights: readonly number[] = [
  -1.308, -3.401, 3.544, 0.412, 0.265, 5.818, 1.107, 0.123, -1.99, -0.007, 0.262, 0.276, -0.631,
  0.337, 0.189, 0.223, -1.112, -1.254, 0.293,
];
