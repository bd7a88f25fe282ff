/**
 * The state of one conversation's escalation: plain JSON, so that any store can keep it. Times are
 * milliseconds since the epoch, except for those of lines: chat and ticket expect Unix seconds.
 */
export interface EscalationRecord {
  /** SHA-256 (hex) of instance and session: the conversation. */
  readonly key: string;
  readonly instance: string;
  /** Grows with every write. A write based on an older revision is refused. 0: never written. */
  readonly revision: number;
  /** Grows when an escalation begins. Each creating call is made once per key and epoch. */
  readonly epoch: number;
  readonly phase: HandoffPhase;
  /** Why this epoch began: the trigger's name. */
  readonly reason?: string;
  /** The reader's words before it began: the last two lines. */
  readonly question?: string;
  readonly counts: Counts;
  /** Names the reader's event stream; unguessable. Empty until something was offered. */
  readonly eventId: string;
  /** The event stream that was opened last while a person had the conversation. */
  readonly listener?: string;
  /** Language and channel of the last turn, which later messages use. */
  readonly locale: string;
  readonly channel: string;
  readonly lines: readonly TranscriptLine[];
  /** Lines that were dropped because there were too many. */
  readonly dropped: number;
  readonly person: Person;
  /** Creating calls of this epoch, oldest first, and unsettled ones of earlier epochs. */
  readonly intents: readonly Intent[];
  /** The last hundred messages to the reader that are not the engine's answers. */
  readonly messages: readonly ReaderMessage[];
  /** Id of the last message. */
  readonly lastMessage: number;
  /** Id of the last message that a turn or a stream has delivered. */
  readonly delivered: number;
  /** `delivered` before the last turn, so that a client's retry gets the same messages. */
  readonly deliveredBefore: number;
  /** Id of the last message that a turn has delivered. Open streams skip it. */
  readonly deliveredByTurn?: number;
  /** Options of the last answers, so that the transcript shows a chosen one by its label. */
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** When work on the record is due without a request; null for never. */
  readonly wake: number | null;
  readonly created: number;
  readonly updated: number;
}

/** In `waiting` and `talking` a person has the conversation, otherwise the bot. */
export type HandoffPhase =
  /** Nothing is offered before `quietUntil`. */
  | { readonly name: "bot"; readonly quietUntil: number }
  | {
      readonly name: "offered";
      readonly reason: string;
      readonly at: number;
      /** The step of the hand-over that a yes leads to; absent for the first. */
      readonly step?: number;
    }
  /** The reader is asked for a field. */
  | {
      readonly name: "identity";
      readonly field: "name" | "email" | "consent";
      readonly tries: number;
      /** The step of the hand-over that follows the form; absent for the first. */
      readonly step?: number;
    }
  /** At this step of the hand-over; a creating call is under way or about to be made. */
  | {
      readonly name: "reaching";
      readonly step: number;
      readonly since: number;
      /** Why there is no agent to talk to, once that is known. */
      readonly why: "" | "hours" | "agents" | "unanswered";
    }
  /** A chat is open and no agent has taken it yet. */
  | {
      readonly name: "waiting";
      readonly chat: ChatRef;
      readonly step: number;
      readonly since: number;
      readonly queued: boolean;
      /** The position that the reader was told last; absent for none. */
      readonly told?: ToldPosition;
    }
  | {
      readonly name: "talking";
      readonly chat: ChatRef;
      readonly agent: string;
      readonly since: number;
      /** When the agent left; absent while one is in the chat. */
      readonly alone?: number;
      /** When the chat was closed, while its last messages are still to be read. */
      readonly closed?: number;
    };

export interface ToldPosition {
  /** From 1. */
  readonly position: number;
  /** How many later chats had been taken first. */
  readonly overtaken: number;
  /** When the estimated wait that the reader was told ends; null if none was given. */
  readonly until: number | null;
  /** When the reader was told, or it was found to be still true. */
  readonly at: number;
}

export interface ChatRef {
  readonly id: string;
  /** The reader's id in the chat. */
  readonly user: string;
  /** Id of the last message that was read from the chat; empty at first. */
  readonly seen: string;
  /** Id of the reader's last message in the chat, and of the last one that an agent has read. */
  readonly said?: string;
  readonly read?: string;
  /** When an agent stops counting as typing. */
  readonly typing?: number;
  /** Id of the last message that the reader has seen, and of the last that is marked as read. */
  readonly readTo?: number;
  readonly markedTo?: number;
  /** Whether the agent was told that the reader has left the page. */
  readonly away?: boolean;
  /** The names that readers see of agents, by id. */
  readonly names?: Readonly<Record<string, string>>;
}

export interface Counts {
  readonly noResults: number;
  readonly errors: number;
  readonly negativeRatings: number;
  /** Turns of the reader so far. */
  readonly turns: number;
  /** Escalations so far. */
  readonly escalations: number;
  /** The last counted request. The same request within seconds is a retry, and gets the same answer. */
  readonly last: {
    readonly digest: string;
    readonly at: number;
    readonly reason?: string;
    readonly answer?: number;
    /** True if Afterword answered it, not the engine. */
    readonly ours?: boolean;
  } | null;
}

/** One line of the conversation. */
export interface TranscriptLine {
  readonly who: "reader" | "bot" | "agent" | "afterword";
  /** The words of the engine or of the reader. */
  readonly said: string;
  /** The words that the reader saw instead; absent when the same. */
  readonly shown?: string;
  /** An agent's id in the chat, and the agent's name. */
  readonly agent?: string;
  readonly name?: string;
  readonly at: number;
}

export interface Person {
  readonly name: string;
  readonly email: string;
  /** The owner's id of this person, from a signed token; empty when unknown. */
  readonly id: string;
  readonly consent: boolean;
}

/** A call that creates something. It is stored before it is made. */
export interface Intent {
  readonly kind: "chat" | "ticket";
  readonly epoch: number;
  /**
   * `planned`: nothing was sent. `sent`: bytes may have left and the result is unknown, so it is
   * looked up before it is sent again. `done`: it exists. `refused`: the service refused it for good.
   * `unknown`: it cannot be decided, is never sent again, and is shown to the operator.
   */
  readonly state: "planned" | "sent" | "done" | "refused" | "unknown";
  /** Id of what was created; empty until then. With `sent`: the chat that must be closed. */
  readonly result: string;
  readonly attempts: number;
  readonly first: number;
  /** When it is tried again; null if it is not tried again. */
  readonly next: number | null;
  /** The last failure, without a text, token or secret. */
  readonly problem: string;
}

export interface ReaderMessage {
  readonly id: number;
  /** An agent's message unchanged, or a line of Afterword in the instance's format. */
  readonly text: string;
  readonly kind: "agent" | "line" | "media";
  /** The reader's choices; their values begin with `aw:`. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  /** A file: its address is below the chat's base (`/media/<id>`). */
  readonly media?: { readonly name: string; readonly url: string; readonly type: string };
  /** The source of an agent's message: its id in the chat, and the agent's name. */
  readonly source?: string;
  readonly name?: string;
}

/** An unknown person. */
export const NOBODY: Person = Object.freeze({ name: "", email: "", id: "", consent: false });

/** The counts of a conversation that has just begun. */
export const NO_COUNTS: Counts = Object.freeze({
  noResults: 0,
  errors: 0,
  negativeRatings: 0,
  turns: 0,
  escalations: 0,
  last: null,
});

/** A record that was never written. */
export function createRecord(key: string, instance: string, now: number): EscalationRecord {
  return {
    key,
    instance,
    revision: 0,
    epoch: 0,
    phase: { name: "bot", quietUntil: 0 },
    counts: NO_COUNTS,
    eventId: "",
    locale: "",
    channel: "",
    lines: [],
    dropped: 0,
    person: NOBODY,
    intents: [],
    messages: [],
    lastMessage: 0,
    delivered: 0,
    deliveredBefore: 0,
    options: [],
    wake: null,
    created: now,
    updated: now,
  };
}

/** Returns the chat in which a person has the conversation; null if the bot has it. */
export function chatOf({ phase }: Pick<EscalationRecord, "phase">): ChatRef | null {
  return phase.name === "waiting" || phase.name === "talking" ? phase.chat : null;
}
