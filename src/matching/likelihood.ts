import type { Overlap } from "./overlap.ts";

/** The evidence that a content answers a question. */
export interface Evidence extends Overlap {
  /** How near its nearest phrase comes, from 0 to 1. */
  readonly near: number;
  /** The classifier's margin. */
  readonly margin: number;
  /** The question's significant words. */
  readonly asked: number;
  /** Those that no content of the base is about. */
  readonly outside: number;
  /** The number of these that name another subject: one that no content of the base is about. */
  readonly otherSubjects: number;
  /** The number of these that hardly any business is asked about. */
  readonly outOfDomain: number;
  readonly phrasesPerContent: number;
}

/**
 * How likely it is that a content answers the question: a logistic regression over the evidence,
 * fitted by bench/intents/fit.ts (bench/intents/README.md).
 */
export function likelihoodOf(evidence: Evidence): number {
  let sum = weights[0] ?? 0;
  for (const [at, value] of featuresOf(evidence).entries()) sum += value * (weights[at + 1] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}

/**
 * The numbers that are weighed, in the order of the weights: each once, and once more weighted by
 * how many phrases per content the base has. Few phrases lack most words that readers use; with
 * many, a word that none has is stronger evidence.
 */
export function featuresOf(evidence: Evidence): readonly number[] {
  const { near, margin, weight, explained, likeness, words, foreign, asked } = evidence;
  const phrases = Math.log(Math.max(1, evidence.phrasesPerContent));
  const many = plentyOf(evidence.phrasesPerContent);
  const numbers = [
    near,
    Math.max(minMargin, margin),
    weight === 0 ? 0 : explained / weight,
    weight - explained,
    likeness,
    Math.min(words, 4),
    Math.min(evidence.special, 3),
    Math.min(foreign, 5),
    Math.min(asked, 8),
    Math.min(evidence.outside, 4),
    evidence.outside === 0 ? 1 : 0,
    Math.min(evidence.otherSubjects, 3),
    Math.min(evidence.outOfDomain, 2),
  ];
  return [...numbers, phrases, ...numbers.map((value) => value * many), many];
}

/** From 0 for a base with few phrases per content to 1 for one with many. */
export function plentyOf(phrasesPerContent: number): number {
  return Math.min(1, Math.max(0, (Math.log(phrasesPerContent) - few) / (plenty - few)));
}

/** Phrases per content, as logarithms: up to `few` one set of weights counts, then both. */
const [few, plenty] = [Math.log(5), Math.log(10)];

/** Smaller margins carry no further evidence. */
const minMargin = -1.6;

/**
 * The average margin of a content that is as near as this, for bases without a trained classifier.
 */
export function marginOf(near: number): number {
  return 2 * near - 1.3;
}

/** The constant, then one for each feature, as fitted. */
const weights: readonly number[] = [
  -3.037, -4.589, 3.079, 0.846, 0.198, 6.053, 0.858, 0.414, -0.25, 0.861, -0.337, 0.096, -0.958,
  -1.825, -0.199, 3.909, 1.249, -0.098, -0.603, -5.861, -1.025, -0.047, 0.934, -0.635, -0.211,
  -0.724, 0.777, 1.741, 4.602,
];
