/** Moments on this wire have 14 digits, `YYYYMMDDhhmmss`, in UTC. */
export type Moment = string;

/** A content, as every list and every reading of one answers it. */
export interface KnowledgeContent {
  readonly id: number;
  readonly title: string;
  readonly slug: string;
  /** Ids of categories. */
  readonly categories: readonly number[];
  readonly hasRelated: boolean;
  readonly hasDecisionTree: boolean;
  readonly hasCrossSelling: boolean;
  readonly creationDate: Moment;
  readonly modificationDate: Moment;
  /** `ANSWER_TEXT` holds the main text, HTML. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly attributeArrays: Readonly<Record<string, readonly string[]>>;
  readonly attributeGroups: Readonly<
    Record<string, readonly Readonly<Record<string, readonly string[]>>[]>
  >;
  readonly tracking: ContentCodes;
}

/**
 * What a front end reports a click, a rating and a click from elsewhere with. Good for one answer
 * each.
 */
export interface ContentCodes {
  readonly clickCode: string;
  /** Absent where the content is not to be rated. */
  readonly rateCode?: string | undefined;
  readonly externalCode?: string | undefined;
}

/** A content that a search found. */
export interface FoundContent extends KnowledgeContent {
  /** From 0 to 1. */
  readonly score: number;
  /** HTML: the title with `<strong>` around the words that matched. */
  readonly titleHighlight: string;
  readonly matchingDetails: MatchingDetails;
  /** HTML: the part of the answer that matches best, when `dynabs` asked for it. */
  readonly dynamicAbstract?: string | undefined;
}

/** Where and how a content matched. */
export interface MatchingDetails {
  /** Where words of the query stand. Empty when the content was found by likeness alone. */
  readonly fields: readonly MatchedField[];
  /** True when a title is the query, but for letter case, accents and punctuation. */
  readonly exact: boolean;
  /** Words of the query that stand in the content, in the query's spelling. */
  readonly words: readonly string[];
  /**
   * HTML, with `<strong>` around the words; `answer` is cut to the part around the first of them.
   */
  readonly highlights: Readonly<Partial<Record<MatchedField, string>>>;
  /** The part of the query that found it: the query itself unless it was split. */
  readonly query: string;
}

export type MatchedField = "title" | "alternativeTitle" | "answer";

export interface SearchAnswer {
  readonly results: readonly FoundContent[];
  readonly tracking: { readonly searchCode: string };
  /**
   * What a split query was split into, and the ids that each part found. Absent unless `splitQuery`
   * was asked for.
   */
  readonly parts?: readonly QueryPart[] | undefined;
}

export interface QueryPart {
  readonly query: string;
  /** Ids of contents, best first; empty when it found nothing. */
  readonly results: readonly number[];
}

export interface SearchRequest {
  readonly query: string;
  /** True: it is recorded. Default true. */
  readonly tracking: boolean;
  /** `instant`: the query is still being typed. */
  readonly type?: string | undefined;
  readonly splitQuery: boolean;
  /** From 1 to 10. Default 5. */
  readonly splitQueriesLimit?: number | undefined;
  readonly dynabs: boolean;
  /** Category ids; 0 is all. */
  readonly categoryId?: readonly number[] | undefined;
  /** From 1 to 100. Default 5. */
  readonly length?: number | undefined;
  readonly lang?: string | undefined;
}

export interface KnowledgeCategory {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  /** Id of the category above; `-` for the root, whose id is 0. */
  readonly parent: number | "-";
  /** Ids of the categories below. */
  readonly children: readonly number[];
  /** 0 for the root. */
  readonly depth: number;
  /** Contents filed in it. */
  readonly numContents: number;
  /** Contents filed in it or in a category below, each counted once. */
  readonly numContentsDescendants: number;
}

/** Another way in which readers ask for a content. */
export interface UserQuestion {
  readonly id: number;
  readonly title: string;
  readonly slug: string;
  /** Id of the content that answers it. */
  readonly contentId: number;
  readonly tracking: { readonly clickCode: string };
}

/** A content that is offered beside others. */
export interface CrossSellingItem extends KnowledgeContent {
  /** Ids of the contents beside which it is offered. */
  readonly contents: readonly number[];
}

/** One step of a decision tree. The first of a list is the content that was asked for. */
export interface DecisionNode {
  readonly id: number;
  readonly title: string;
  readonly slug: string;
  readonly options: readonly { readonly label: string; readonly contentId: number }[];
}

/** What a front end completes from without asking again. */
export interface AutocompleterEntry {
  readonly id: number;
  readonly title: string;
  readonly slug: string;
  readonly categories: readonly number[];
  readonly userQuestions: readonly { readonly id: number; readonly title: string }[];
}

export interface DetectedLanguage {
  /** ISO 639-1, or null when the text says too little. */
  readonly language: string | null;
  /** True when there are contents in it. */
  readonly available: boolean;
  /** Likeliest first, at most five; scores add up to at most 1. */
  readonly results: readonly { readonly language: string; readonly score: number }[];
}

export interface StartedSession {
  readonly sessionToken: string;
  readonly sessionId: string;
}

/** Every list, also of one. */
export interface Results<T> {
  readonly results: readonly T[];
}

export interface ResultPage<T> extends Results<T> {
  readonly hasMore: boolean;
}
