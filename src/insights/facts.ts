import type { Gate, Trace } from "../direct-answers/types.ts";

/** One thing that happened in a conversation. Times are milliseconds since the epoch. */
export type Fact = { readonly at: number; readonly instance: string } & (
  | TurnFact
  | {
      readonly kind: "rating";
      /** Kept until it is hashed in the next batch. */
      readonly session: string | null;
      readonly isNegative: boolean;
    }
  | {
      readonly kind: "hand-over";
      /** SHA-256 of instance and session. */
      readonly conversation: string;
      readonly stage: HandOverStage;
    }
);

/** A reader's message that was answered. */
export interface TurnFact {
  readonly kind: "turn";
  /** Kept until it is hashed in the next batch. */
  readonly session: string | null;
  /** The decision about the answer's texts; null if it was not looked at. */
  readonly decided: Gate | Trace | null;
  /** True when a person, or a form of the hand-over, has the conversation. */
  readonly isHandedOver: boolean;
  /** Reads the request; called outside the path of messages. */
  readonly readRequest: () => AskedRequest;
  /**
   * Reads the names that the reader gave in this conversation, which are removed from stored
   * questions; called outside the path of messages. Absent if none are known.
   */
  readonly readNames?: () => Promise<readonly string[]>;
  /**
   * Reads the contents of the embedded backend that the answer shows; called outside the path of
   * messages. Absent if it shows none.
   */
  readonly readContents?: () => Promise<ShownContents>;
}

/** The contents of the embedded backend that an answer shows. */
export interface ShownContents {
  readonly ids: readonly number[];
  /** The reader's. */
  readonly language: string;
  readonly channel: string;
  /** Tells whether the reader only said yes or no, which is no question. */
  readonly isReply: () => Promise<boolean>;
}

/** The request of a reader. */
export interface AskedRequest {
  readonly isOption: boolean;
  /** The typed text; null for a chosen option or a direct call. */
  readonly typed: string | null;
}

/** The stage that a hand-over reached. `offered` includes a reader's own request. */
export type HandOverStage = "offered" | "accepted" | "person" | "ticket" | "nobody";

/** The outcome of a line: the reader's next turn in that conversation. */
export const OUTCOMES = [
  "answered",
  "failed",
  "clicked",
  "handedOver",
  "ratedUp",
  "ratedDown",
  "left",
  "unknown",
] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** The columns of counts. */
export const COUNTS = ["said", ...OUTCOMES] as const;

/**
 * The speaker of the words that a reader saw. `another`: a text of another language than the
 * reader's.
 */
export type Speaker = "own" | "shipped" | "another" | "engine";

/** The key of a line's counts: its speaker and its readers. */
export interface LineKey {
  readonly instance: string;
  /** The reader's language, as texts are named. */
  readonly language: string;
  readonly channel: string;
  /** A flag, `related-title`, or a content of the embedded backend, such as `content/12`. */
  readonly line: string;
  readonly speaker: Speaker;
}

/** How often a line was said, and how often each outcome followed. */
export type LineCounts = Readonly<Record<Outcome, number>> & { readonly said: number };

/** The subjects of counts that are not about a line. */
export const TOPICS = [
  "language",
  "left-alone",
  "unexpected",
  "default-content",
  "hand-over",
] as const;

export type Topic = (typeof TOPICS)[number];

/** Days with this topic were played by a demo: none of their counts is a reader's. */
export const DEMO_TOPIC = "demo";

/**
 * The days and instances that a report covers; null for all. Days are such as 2026-11-01, in UTC.
 */
export interface ReportFilter {
  readonly from: string | null;
  readonly to: string | null;
  readonly instances: readonly string[] | null;
  /** Lines of this channel only. Default: of all. */
  readonly channel?: string;
  /** False to leave out the counts per day, which are most of a long report. Default true. */
  readonly days?: boolean;
  /**
   * The most questions without an answer to report; absent for none, because they are readers'
   * words.
   */
  readonly questions?: number;
  /** True for those too that owners have dismissed. Default false. */
  readonly dismissed?: boolean;
  /**
   * The contents of the embedded backend to count; of one, `questions` are those that it answered.
   */
  readonly contents?: "all" | ContentName;
}

/** A content in one of its languages. */
export interface ContentName {
  readonly language: string;
  readonly id: number;
}

/** Selects the counts and questions to erase. */
export interface Erasure {
  /** Null for those of all instances, with the gaps. */
  readonly instances: readonly string[] | null;
  /** True if only what a demo has played. */
  readonly demo: boolean;
}

/** The report of the lines that readers got, and of what happened next. */
export interface InsightsReport {
  readonly from: string | null;
  readonly to: string | null;
  /** Answered messages. */
  readonly messages: number;
  /** The lines of which most readers did not recover come first. */
  readonly lines: readonly (LineKey & LineCounts & { readonly unrecovered: number })[];
  /** Per day and line, for a trend. */
  readonly days: readonly (LineCounts & {
    readonly day: string;
    readonly instance: string;
    readonly line: string;
    readonly unrecovered: number;
  })[];
  /** The others, the most frequent first. */
  readonly topics: readonly {
    readonly topic: Topic;
    readonly instance: string;
    readonly name: string;
    readonly count: number;
  }[];
  /** The days of these that a demo has played; null if all counts are readers'. */
  readonly demo: { readonly from: string; readonly to: string } | null;
  /** Periods without complete counts, the latest first, with the reason. ISO 8601. */
  readonly gaps: readonly { readonly from: string; readonly to: string; readonly why: string }[];
  /**
   * Questions without an answer that were asked in this time, those of most conversations first;
   * null if none are kept. Absent if they were not asked for.
   */
  readonly questions?: readonly QuestionGroup[] | null;
  /**
   * How often contents of the embedded backend were the answer, and what their readers did next.
   * `language` is that of the contents. Absent if they were not asked for.
   */
  readonly contents?: readonly ContentCounts[];
}

export type ContentCounts = ContentName &
  LineCounts & { readonly instance: string; readonly unrecovered: number };

/** Questions that ask the same, and that nothing answered, or that one content did. */
export interface QuestionGroup {
  readonly id: string;
  readonly instance: string;
  readonly language: string;
  /** One of them, redacted: at most 200 characters. */
  readonly text: string;
  /** The answer that was given last, and its speaker. */
  readonly line: string;
  readonly speaker: Speaker;
  /** How often it was asked, in how many conversations, and when first and last: ISO 8601. */
  readonly asked: number;
  readonly conversations: number;
  readonly first: string;
  readonly last: string;
  /**
   * The nearest content of the embedded backend at present; null if there is none, or a vendor's
   * engine answers.
   */
  readonly nearest: NearestContent | null;
  /** The content that would answer it by now, and when that was first seen; null for none. */
  readonly answered: { readonly content: number; readonly since: string } | null;
  /** True if an owner has said that it is not for the bot. */
  readonly dismissed: boolean;
  /** True if a demo asked it, and no reader. */
  readonly demo: boolean;
}

/** Dismisses a group of questions, or takes that back. */
export interface Dismissal {
  readonly id: number;
  /** Only a group of these; null: of any. */
  readonly instances: readonly string[] | null;
  readonly dismissed: boolean;
}

/** The content that comes closest to a question. */
export interface NearestContent {
  readonly id: number;
  /** The language of the contents, in which the question was searched. */
  readonly language: string;
  readonly title: string;
  /** The probability that it answers the question, from 0 to 1. */
  readonly score: number;
  /** `answers`: it would be the answer; `offered`: one of the options; `no`: neither. */
  readonly verdict: "answers" | "offered" | "no";
}

/** Insights as the gateway calls them. Gateways without insights load none of their code. */
export interface Insights {
  /** Takes a fact outside the path of messages. Never throws. */
  note(fact: Fact): void;
  /** Rejects when the store is unreachable. */
  report(filter: ReportFilter): Promise<InsightsReport>;
  /** Returns the number of rows. Rejects when the store is unreachable. */
  erase(erasure: Erasure): Promise<number>;
  /** False: there is no such group. Rejects when the store is unreachable. */
  dismiss(dismissal: Dismissal): Promise<boolean>;
}
