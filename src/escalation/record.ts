/**
 * What is kept of one conversation for its escalation: plain JSON, so that any store can keep it.
 * Times are milliseconds since the epoch; those of lines are Unix seconds, as the chat and the
 * ticket want them.
 */
export interface EscalationRecord {
  /** SHA-256 (hex) of instance and session: the conversation. */
  readonly key: string;
  readonly instance: string;
  /** Grows with every write; a write that was based on another one is refused. 0: never written. */
  readonly revision: number;
  /**
   * Which escalation of this conversation: grows when one begins. Idempotency is per key and epoch.
   */
  readonly epoch: number;
  readonly phase: HandoffPhase;
  readonly counts: Counts;
  /**
   * Names the conversation to the reader's event stream; unguessable. Empty until something was
   * offered.
   */
  readonly eventId: string;
  /** Tag and channel of the last turn: what is said later, without a turn, is said in these. */
  readonly locale: string;
  readonly channel: string;
  readonly lines: readonly TranscriptLine[];
  /** Lines that were dropped because there were too many. */
  readonly dropped: number;
  /** What the reader told us, or was known. */
  readonly person: Person;
  /**
   * Creating calls of this epoch, the oldest first, and those of earlier ones that are not settled.
   */
  readonly intents: readonly Intent[];
  /**
   * What was said to the reader beside the engine's answers, in order, the last hundred. A turn or
   * a stream carries what comes after `told`; a stream that broke off goes on after the id it saw
   * last.
   */
  readonly messages: readonly ReaderMessage[];
  /** Number of the last saying. */
  readonly lastMessage: number;
  /** Number of the last saying that a turn or a stream has carried. */
  readonly delivered: number;
  /** `told` before the last turn: a client that sends that turn again gets the same once more. */
  readonly deliveredBefore: number;
  /**
   * Number of the last saying that a turn has carried: streams that are open then need not carry it
   * too.
   */
  readonly deliveredByTurn?: number;
  /** Options of the last answers, so that a chosen one stands in the transcript by its label. */
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** When nobody asked meanwhile, the record is to be looked at again; null: never. */
  readonly wake: number | null;
  readonly created: number;
  readonly updated: number;
}

/**
 * Who holds the conversation follows from the phase: a person in `waiting` and `talking`, else the
 * bot.
 */
export type HandoffPhase =
  | { readonly name: "bot"; /** Nothing is offered before. */ readonly quietUntil: number }
  | {
      readonly name: "offered";
      readonly reason: string;
      readonly at: number;
    }
  /** The form: what is asked now. */
  | {
      readonly name: "identity";
      readonly field: "name" | "email" | "consent";
      readonly tries: number;
    }
  /** On the ladder, with a creating call under way or about to be. */
  | {
      readonly name: "reaching";
      readonly step: number;
      readonly since: number;
      /** Why there is nobody to talk to, once that is known. */
      readonly why: "" | "hours" | "agents";
    }
  /** A chat is there and nobody has taken it yet. */
  | {
      readonly name: "waiting";
      readonly chat: ChatRef;
      readonly step: number;
      readonly since: number;
      readonly queued: boolean;
    }
  | {
      readonly name: "talking";
      readonly chat: ChatRef;
      readonly agent: string;
      readonly since: number;
      /** Since when no agent is in it any more; absent while one is. */
      readonly alone?: number;
      /** Since when it is closed, while its last words could not be had yet. */
      readonly closed?: number;
    };

export interface ChatRef {
  readonly id: string;
  /** The reader's id in the chat. */
  readonly user: string;
  /** Id of the last message of the chat that was taken over into `sayings`; empty at first. */
  readonly seen: string;
}

export interface Counts {
  readonly noResults: number;
  readonly errors: number;
  readonly negativeRatings: number;
  /** Turns of the reader so far. */
  readonly turns: number;
  /** Escalations so far. */
  readonly escalations: number;
  /** Digest and time of the last counted request: the same again within seconds is a retry. */
  readonly last: {
    readonly digest: string;
    readonly at: number;
    /** What the judgement found, for a retry: it finds the same. */
    readonly reason?: string;
    readonly answer?: number;
    /** We answered it, and not the engine. */
    readonly ours?: boolean;
  } | null;
}

/** One line of the conversation. */
export interface TranscriptLine {
  readonly who: "reader" | "bot" | "agent" | "afterword";
  /** What the engine said, or the reader wrote. */
  readonly said: string;
  /** What the reader saw instead; absent when the same. */
  readonly shown?: string;
  /** Of an agent: their id in the chat. */
  readonly agent?: string;
  /** Unix seconds. */
  readonly at: number;
}

export interface Person {
  readonly name: string;
  readonly email: string;
  /** The owner's id of this person, from a signed token; empty when unknown. */
  readonly id: string;
  readonly consent: boolean;
}

/** A call that creates something, written down before it is made. */
export interface Intent {
  readonly kind: "chat" | "ticket";
  readonly epoch: number;
  /**
   * `planned`: nothing was sent. `sent`: bytes may have left, the result is not known: look before
   * sending again. `done`: it exists. `refused`: the other side said no for good. `unknown`:
   * undecidable, never sent again, for the operator.
   */
  readonly state: "planned" | "sent" | "done" | "refused" | "unknown";
  /**
   * Id of what was created; empty until then. Of a chat that is `sent`: it is to be closed, nobody
   * waits in it any more.
   */
  readonly result: string;
  readonly attempts: number;
  readonly first: number;
  /** When it is tried next; null: not by itself. */
  readonly next: number | null;
  /** What went wrong last, without a text, token or secret. */
  readonly problem: string;
}

export interface ReaderMessage {
  readonly id: number;
  /**
   * The text as the reader is to see it: a message of the chat as it came, a line of ours in the
   * instance's format.
   */
  readonly text: string;
  readonly kind: "agent" | "line" | "media";
  /** What the reader may choose; its values begin with `aw:`. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  /** Of media: its name, its address below the chat's base (`/media/<id>`) and its media type. */
  readonly media?: { readonly name: string; readonly url: string; readonly type: string };
}
