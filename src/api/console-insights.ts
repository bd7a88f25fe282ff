// The insights that the console shows.

/** The largest number of groups of questions in an answer. */
export const MAX_QUESTIONS = 1000;

/**
 * How often readers got a line, and how often each outcome followed: the reader's next turn in that
 * conversation.
 */
export interface UsageCounts {
  readonly said: number;
  /** The next turn got an answer of the bot. */
  readonly answered: number;
  /** The next turn got a line that says again that the bot cannot help. */
  readonly failed: number;
  /** The reader chose an option. */
  readonly clicked: number;
  /** The reader agreed to a hand-over, or talks to a person. */
  readonly handedOver: number;
  readonly ratedUp: number;
  readonly ratedDown: number;
  /** The reader sent nothing for 30 minutes. */
  readonly left: number;
  /** The next turn is not known, such as without a session. */
  readonly unknown: number;
  /** Readers whose outcome shows that they were not helped. */
  readonly unrecovered: number;
}

export type LineUsage = UsageCounts & {
  readonly language: string;
  readonly channel: string;
  readonly line: string;
  /** The author of the text. `another`: it is in another language than the reader's. */
  readonly speaker: "own" | "shipped" | "another" | "engine";
};

/** The report of a period: the lines that readers got, and how many readers they did not help. */
export interface InsightsAnswer {
  /** Answered messages. */
  readonly messages: number;
  readonly lines: readonly LineUsage[];
  /** Counts by day, the earliest first. Days are in UTC, such as 2026-11-01. */
  readonly days: readonly (UsageCounts & { readonly day: string; readonly line: string })[];
  readonly topics: readonly {
    readonly topic: "language" | "left-alone" | "unexpected" | "default-content" | "hand-over";
    readonly name: string;
    readonly count: number;
  }[];
  /** The days for which a demo generated data; null for none. */
  readonly demo: { readonly from: string; readonly to: string } | null;
  /** Periods whose counts are missing. Times are ISO 8601. */
  readonly gaps: readonly { readonly from: string; readonly to: string; readonly why: string }[];
  /** Null if no questions are stored. Absent if they were not requested. */
  readonly questions?: readonly AskedQuestion[] | null;
  /** The contents of the embedded bot, in their languages. Absent if they were not requested. */
  readonly contents?: readonly ContentUsage[];
}

/** How often a content was the answer, and what its readers did next. */
export type ContentUsage = UsageCounts & {
  readonly instance: string;
  readonly language: string;
  readonly id: number;
};

/** A group of questions with the same meaning: without an answer, or answered by one content. */
export interface AskedQuestion {
  readonly id: string;
  readonly instance: string;
  readonly language: string;
  /** One of the questions. `[…]` replaces redacted parts. */
  readonly text: string;
  readonly line: string;
  readonly asked: number;
  readonly conversations: number;
  readonly first: string;
  readonly last: string;
  /** The nearest content of the embedded bot now; null if there is none, or a vendor answers. */
  readonly nearest: {
    readonly id: number;
    readonly language: string;
    readonly title: string;
    /** From 0 to 1. */
    readonly score: number;
    readonly verdict: "answers" | "offered" | "no";
  } | null;
  /** The content that answers it now, and when that was first noticed; null for none. */
  readonly answered: { readonly content: number; readonly since: string } | null;
  /** True if an owner has dismissed it, because it is not for the bot. */
  readonly dismissed: boolean;
  /** True if only the generated data of a demo contains it. */
  readonly demo: boolean;
}
