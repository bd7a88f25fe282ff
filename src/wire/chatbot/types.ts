/** What POST /conversation can be told (chatbot.md 3.2). Everything may be left out. */
export interface ConversationSettings {
  /** ISO 639-1. Said here only: the engine holds the conversation in it. */
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

/** One turn: exactly one of the three. */
export type ConversationTurn =
  | { readonly message: string }
  /** The `value` of an option, in the JSON type in which it came. */
  | { readonly option: number | string }
  | { readonly directCall: string };

/** An answer of the engine. Members that are not listed are kept as they came. */
export interface ConversationAnswer {
  readonly type: string;
  readonly message: string;
  readonly messageList: readonly string[];
  readonly flags: readonly string[];
  readonly options: readonly AnswerOption[];
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly actions: readonly Readonly<Record<string, unknown>>[];
  /** The answer as the service sent it. */
  readonly raw: Readonly<Record<string, unknown>>;
}

export interface AnswerOption {
  readonly label: string;
  readonly value: number | string;
  /** Direct-call name by which the option can be chosen later as well, or null. */
  readonly revisitableLink: string | null;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** One thing that was said. */
export interface HistoryEntry {
  readonly user: string;
  readonly message: string;
  readonly messageList: readonly string[];
  readonly datetime: string;
}
