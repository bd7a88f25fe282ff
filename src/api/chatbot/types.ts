/** The settings of POST /conversation (chatbot.md 3.2). All are optional. */
export interface ConversationSettings {
  /** The language of the whole conversation (ISO 639-1), which cannot be changed later. */
  readonly lang?: string;
  readonly answers?: {
    readonly answerAttributes?: readonly string[];
    readonly sideBubbleAttributes?: readonly string[];
    readonly maxOptions?: number;
    readonly maxRelatedContents?: number;
    readonly skipLastCheckQuestion?: boolean;
  };
  readonly forms?: {
    readonly allowUserToAbandonForm?: boolean;
    readonly errorRetries?: number;
  };
}

/** A turn, which has exactly one of these members. */
export type ConversationTurn =
  | { readonly message: string }
  /** The `value` of an option, in the JSON type in which it came. */
  | { readonly option: number | string }
  | { readonly directCall: string };

/** An answer of the engine. `raw` also has the members that are not listed here. */
export interface ConversationAnswer {
  readonly type: string;
  readonly message: string;
  readonly messageList: readonly string[];
  readonly flags: readonly string[];
  readonly options: readonly AnswerOption[];
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The content that the answer came from, or null for a preset answer. */
  readonly contents: AnsweredContent | null;
  readonly actions: readonly Readonly<Record<string, unknown>>[];
  /** The answer as the service sent it. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** `parameters.contents` of an answer. */
export interface AnsweredContent {
  readonly title: string;
  /** For `track("click", { code })`, or null. */
  readonly clickCode: string | null;
  /** For `rate(code, …)`; null if the answer cannot be rated. */
  readonly rateCode: string | null;
  readonly relatedTitle: string | null;
  /** If an id is empty, ask for the content with `{ message: title }`. */
  readonly related: readonly { readonly id: string | number; readonly title: string }[];
  /** Address of an external result, or null. */
  readonly url: string | null;
}

export interface AnswerOption {
  readonly label: string;
  readonly value: number | string;
  /** The direct call that chooses the option at any later time, or null. */
  readonly revisitableLink: string | null;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** One message of a conversation. */
export interface HistoryEntry {
  readonly user: string;
  readonly message: string;
  readonly messageList: readonly string[];
  readonly datetime: string;
}
