/** What a matcher searches: one content with all the ways of asking for it. */
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

/** What a matcher makes of one question. */
export interface SearchResult {
  /** Best first, at most `limit`; those below the threshold too. */
  readonly hits: readonly Hit[];
  /** The best hit answers from this score on: 0.5, and 0.3 in a choice among offered contents. */
  readonly threshold: number;
  /**
   * The contents that lie so close to the best that only the reader can tell them apart, the best
   * first; empty when the best stands alone or is below the threshold. Close: little less evidence
   * than the best has, or, for a question that consists of words of several contents, each of
   * these.
   */
  readonly rivals: readonly Hit[];
  /** Share (0 to 1) of question words in no phrase, without misspelt ones and stop words. */
  readonly unknownWords: number;
  /** How much the question says at all: the weights of its words, added up. */
  readonly weight: number;
}

/** Finds the contents that a question asks for. One per language, built once, immutable. */
export interface Matcher {
  search(question: string, limit?: number): SearchResult;
  /** As `search`, as if there were these contents alone: others may not be seen by everybody. */
  within(question: string, ids: readonly number[], limit?: number): SearchResult;
  /** As `search`, among these contents only: for a choice that the reader was offered. */
  among(question: string, ids: readonly number[], limit?: number): SearchResult;
}

/** What words of one language say whatever the contents are about; words stand between blanks. */
export interface LanguageWords {
  /** They carry grammar. */
  readonly function: string;
  /** They occur in questions about anything. */
  readonly general: string;
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
  /** Of this language. Default null: all words of a question weigh the same. */
  readonly words?: LanguageWords | null;
}
