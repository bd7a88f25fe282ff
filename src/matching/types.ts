/** The unit that a matcher searches: one content with all the ways of asking for it. */
export interface Searchable {
  readonly id: number;
  /** The title first, then the alternative titles. */
  readonly phrases: readonly string[];
}

/** One content that a question may ask for. */
export interface Hit {
  readonly id: number;
  /** Calibrated probability that it answers the question: 1 when exact, else at most 0.99. */
  readonly score: number;
  /** True when a phrase equals the question apart from letter case, accents and punctuation. */
  readonly exact: boolean;
}

/** The result of a matcher for one question. */
export interface SearchResult {
  /** Best first, at most `limit`; those below the threshold too. */
  readonly hits: readonly Hit[];
  /**
   * Least score with which the best hit answers: 0.5, and 0.3 in a choice among offered contents.
   */
  readonly threshold: number;
  /**
   * Least score with which the best hit is worth offering. It is below the threshold in a base with
   * few phrases per content, which lacks many words that readers use; else it is the threshold
   * itself.
   */
  readonly offer: number;
  /**
   * Contents so close to the best that only the reader can choose, the best first; empty when the
   * best stands alone. A content is close if it has little less evidence than the best, or if it is
   * one of several that have all words of the question.
   */
  readonly rivals: readonly Hit[];
  /** Share (0 to 1) of question words in no phrase, without misspelt ones and stop words. */
  readonly unknownWords: number;
  /** The sum of the weights of the question's words. */
  readonly weight: number;
}

/** A word of a question beside the word of a content that explains it best. */
export interface ExplainedWord {
  readonly word: string;
  /** The weight, from 0: 1 for a word that a single content uses. */
  readonly weight: number;
  /** Null when the content has none. */
  readonly by: string | null;
  /** The share of the word that the other one explains, from 0 to 1. */
  readonly share: number;
}

/** The contents that a question finds, and why the first is found. */
export interface MatchExplanation {
  /** Best first. */
  readonly hits: readonly Hit[];
  /** The question's significant words, with those of the best hit. */
  readonly words: readonly ExplainedWord[];
  /** The parts of its score, as src/matching/likelihood.ts orders them; null without a hit. */
  readonly evidence: readonly number[] | null;
}

/** Finds the contents that a question asks for. One per language, built once, immutable. */
export interface Matcher {
  search(question: string, limit?: number): SearchResult;
  explain(question: string, limit?: number): MatchExplanation;
  /** As `search`, but as if these contents were the only ones, since readers may not see all. */
  within(question: string, ids: readonly number[], limit?: number): SearchResult;
  /** As `search`, among these contents only: for a choice that the reader was offered. */
  among(question: string, ids: readonly number[], limit?: number): SearchResult;
}

/** The scores from which on a hit is an answer, and is offered. */
export interface MatchingSettings {
  /** A hit answers from this score on, from 0 to 1. */
  readonly threshold: number;
  /**
   * A hit below the threshold is offered from this score on. The same as `threshold`: none is
   * offered. Null means the search itself names the score.
   */
  readonly offer: number | null;
}

export const DEFAULT_MATCHING: MatchingSettings = { threshold: 0.5, offer: null };

/** Returns the score from which on a hit is offered, by the settings or else by the search. */
export function findOfferScore(
  { threshold, offer }: MatchingSettings,
  found: Pick<SearchResult, "offer">,
): number {
  return offer ?? Math.min(threshold, found.offer);
}

/**
 * Words of one language with a meaning that does not depend on the contents. Words are separated by
 * blanks.
 */
export interface LanguageWords {
  /** Words that carry grammar. */
  readonly function: string;
  /** Words that occur in questions about anything. */
  readonly general: string;
  /**
   * Words of subjects about which hardly any business is asked. A business that is has them in its
   * contents.
   */
  readonly outOfDomain?: string;
  /**
   * Groups of words by the name of their subject, separated by commas. Words of a group explain
   * each other.
   */
  readonly concepts?: Readonly<Record<string, string>>;
  /**
   * How readers give names, between commas, with `~` for the name, `^` for one with a capital, `$`
   * for one alone in its part of the sentence, and `!` before words that are no names there.
   */
  readonly naming?: string;
}

/** Returns the words of a language, or null if none are known. */
export type WordsOf = (language: string) => LanguageWords | null;

export interface MatcherOptions {
  /** BCP 47, lower case. An unknown one is matched by words and character n-grams. */
  readonly language: string;
  /** Groups of words or phrases that mean the same. */
  readonly synonyms?: readonly (readonly string[])[];
  /** The words of this language. Default null: all words of a question weigh the same. */
  readonly words?: LanguageWords | null;
  /**
   * `asked` trains a content's classifier only once a question comes near it, for a matcher that
   * answers few questions. The scores are the same. Default `all`.
   */
  readonly training?: "all" | "asked";
}
