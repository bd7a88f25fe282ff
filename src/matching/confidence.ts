/**
 * From evidence to a score that means the same for every content base. The constants are fitted on
 * training folds (docs/matching.md). What a question has to reach is half a chance, so that
 * `threshold` never moves.
 */
export const threshold = 0.5;

/** Among a few contents that the reader was just offered, less evidence is enough. */
export const offeredThreshold = 0.3;

/** How much the nearest phrase counts beside the classifier's margin. */
export const nearnessShare = 0.5;

/** A content whose evidence is less than this below that of the best is its rival. */
export const rivalGap = 0.2;

/** How evidence turns into a score. */
export interface Confidence {
  /** Evidence at which an answer is given: score 0.5. */
  readonly middle: number;
  /** How fast the score changes there. */
  readonly slope: number;
  /**
   * Evidence of a content that has every word of the question that says something: enough, and
   * hardly more.
   */
  readonly covered: number;
}

/**
 * Fewer phrases leave larger gaps between what readers may say and what is written down: the fewer
 * there are, the less evidence has to do.
 *
 * @param phrasesPerContent on average; of no use without a classifier, where evidence is nearness
 *   alone
 */
export function createConfidence(phrasesPerContent: number, classified: boolean): Confidence {
  const phrases = Math.max(1.5, phrasesPerContent);
  const middle = classified ? -0.2 - 0.25 / phrases : 0.5;
  const slope = classified ? 3.5 + 10 / phrases : 7;
  return { middle, slope, covered: middle + 0.2 / slope };
}

export function scoreOf(evidence: number, { middle, slope }: Confidence): number {
  return 1 / (1 + Math.exp(-slope * (evidence - middle)));
}
