/** The unit that a matcher searches: one content with all the ways of asking for it. */
export interface Searchable {
  readonly id: number;
  /** The title first, then the alternative titles. */
  readonly phrases: readonly string[];
}

/** One content that a question may ask for. */
export interface Hit {
  readonly id: number;
  /** Calibrated probability of being what was asked for: 1 when exact, else at most 0.99. */
  readonly score: number;
  /** True when a phrase equals the question but for letter case, accents and punctuation. */
  readonly exact: boolean;
}

/** The result of a matcher for one question. */
export interface SearchResult {
  /** Best first, at most `limit`; those below the threshold too. */
  readonly hits: readonly Hit[];
  /** From which score on the best hit answers: 0.5, and 0.3 in a choice among offered contents. */
  readonly threshold: number;
  /**
   * From which score on the best hit is worth offering: below the threshold in a base with few
   * phrases per content, whose readers use many words that it lacks; else the threshold itself.
   */
  readonly offer: number;
  /**
   * The contents that lie so close to the best that only the reader can tell them apart, the best
   * first; empty when the best stands alone. Close: little less evidence
   * than the best has, or, for a question that consists of words of several contents, each of
   * these.
   */
  readonly rivals: readonly Hit[];
  /** Share (0 to 1) of question words in no phrase, without misspelt ones and stop words. */
  readonly unknownWords: number;
  /** How much the question says at all: the weights of its words, added up. */
  readonly weight: number;
}

/** A word of a question beside the word of a content that explains it best. */
export interface ExplainedWord {
  readonly word: string;
  /** The weight, from 0: 1 for a word that a single content uses. */
  readonly weight: number;
  /** Null when the content has none. */
  readonly by: string | null;
  /** How far it explains it, from 0 to 1. */
  readonly share: number;
}

/** Which contents a question finds, and why the first. */
export interface MatchExplanation {
  /** Best first. */
  readonly hits: readonly Hit[];
  /** The question's words that say something, beside those of the best hit. */
  readonly words: readonly ExplainedWord[];
  /** The parts of its score, as src/matching/likelihood.ts orders them; null without a hit. */
  readonly evidence: readonly number[] | null;
}

/** Finds the contents that a question asks for. One per language, built once, immutable. */
export interface Matcher {
  search(question: string, limit?: number): SearchResult;
  explain(question: string, limit?: number): MatchExplanation;
  /** As `search`, as if there were these contents alone: others may not be seen by everybody. */
  within(question: string, ids: readonly number[], limit?: number): SearchResult;
  /** As `search`, among these contents only: for a choice that the reader was offered. */
  among(question: string, ids: readonly number[], limit?: number): SearchResult;
}

/** From which scores on a hit is answered, and offered. */
export interface MatchingSettings {
  /** A hit answers from this score on, from 0 to 1. */
  readonly threshold: number;
  /**
   * Below it a hit is offered from this score on; the same as `threshold`: none is. Null: from the
   * score that the search itself names.
   */
  readonly offer: number | null;
}

export const DEFAULT_MATCHING: MatchingSettings = { threshold: 0.5, offer: null };

/** From which score on a hit is offered, by the settings and by what the search says. */
export function offerFrom(
  { threshold, offer }: MatchingSettings,
  found: Pick<SearchResult, "offer">,
): number {
  return offer ?? Math.min(threshold, found.offer);
}

/**
 * The words of one language that mean something whatever the contents are about; words stand
 * between blanks.
 */
export interface LanguageWords {
  /** They carry grammar. */
  readonly function: string;
  /** They occur in questions about anything. */
  readonly general: string;
  /** They belong to subjects that hardly any business is asked about; one that is has them. */
  readonly outOfDomain?: string;
  /** Words of one subject by its name, between commas: one explains another. */
  readonly concepts?: Readonly<Record<string, string>>;
}

/** The words of a language; null for one that none are known of. */
export type WordsOf = (language: string) => LanguageWords | null;

export interface MatcherOptions {
  /** BCP 47, lower case. An unknown one is matched by words and character n-grams. */
  readonly language: string;
  /** Groups of words or phrases that mean the same. */
  readonly synonyms?: readonly (readonly string[])[];
  /** The words of this language. Default null: all words of a question weigh the same. */
  readonly words?: LanguageWords | null;
}
