import {
  type Check,
  type Checked,
  allowAbsent,
  allowNull,
  anyOf,
  isCount,
  isFlag,
  isNumber,
  isText,
  listOf,
  oneOf,
  shape,
} from "./checks.ts";
import { isRecord } from "../../json/values.ts";

// The checks below describe what is stored, and the types follow from them.

/** One line of the conversation. */
export type TranscriptLine = Checked<typeof isLine>;
const isLine = shape({
  who: oneOf("reader", "bot", "agent", "afterword"),
  /** The words of the engine or of the reader. */
  said: isText,
  /** The words that the reader saw instead; absent when the same. */
  shown: allowAbsent(isText),
  /** An agent's id in the chat, and the agent's name. */
  agent: allowAbsent(isText),
  name: allowAbsent(isText),
  at: isNumber,
});

export type Person = Checked<typeof isPerson>;
const isPerson = shape({
  name: isText,
  email: isText,
  /** The owner's id of this person, from a signed token; empty when unknown. */
  id: isText,
  consent: isFlag,
});

export type Counts = Checked<typeof isCounts>;
const isCounts = shape({
  noResults: isCount,
  errors: isCount,
  negativeRatings: isCount,
  /** Turns of the reader so far. */
  turns: isCount,
  /** Escalations so far. */
  escalations: isCount,
  /** The last counted request. The same request within seconds is a retry, and gets the same answer. */
  last: allowNull(
    shape({
      digest: isText,
      at: isNumber,
      reason: allowAbsent(isText),
      answer: allowAbsent(isNumber),
      /** True if Afterword answered it, not the engine. */
      ours: allowAbsent(isFlag),
    }),
  ),
});

/** A call that creates something. It is stored before it is made. */
export type Intent = Checked<typeof isIntent>;
const isIntent = shape({
  kind: oneOf("chat", "ticket"),
  epoch: isCount,
  /**
   * `planned`: nothing was sent. `sent`: bytes may have left and the result is unknown, so it is
   * looked up before it is sent again. `done`: it exists. `refused`: the service refused it for good.
   * `unknown`: it cannot be decided, is never sent again, and is shown to the operator.
   */
  state: oneOf("planned", "sent", "done", "refused", "unknown"),
  /** Id of what was created; empty until then. With `sent`: the chat that must be closed. */
  result: isText,
  attempts: isCount,
  first: isNumber,
  /** When it is tried again; null if it is not tried again. */
  next: allowNull(isNumber),
  /** The last failure, without a text, token or secret. */
  problem: isText,
  /** How many lines of the transcript a chat was given, dropped ones included. */
  given: allowAbsent(isCount),
});

const areOptions = listOf(shape({ value: isText, label: isText }));

export type ReaderMessage = Checked<typeof isMessage>;
const isMessage = shape({
  id: isCount,
  /** An agent's message unchanged, or a line of Afterword in the instance's format. */
  text: isText,
  kind: oneOf("agent", "line", "media"),
  /** The reader's choices; their values begin with `aw:`. */
  options: allowAbsent(areOptions),
  /** A file: its address is below the chat's base (`/media/<id>`). */
  media: allowAbsent(shape({ name: isText, url: isText, type: isText })),
  /** The source of an agent's message: its id in the chat, and the agent's name. */
  source: allowAbsent(isText),
  name: allowAbsent(isText),
});

const areNames: Check<Readonly<Record<string, string>>> = (
  value,
): value is Readonly<Record<string, string>> =>
  isRecord(value) && Object.values(value).every(isText);

export type ChatRef = Checked<typeof isChat>;
const isChat = shape({
  id: isText,
  /** The reader's id in the chat. */
  user: isText,
  /** Id of the last message that was read from the chat; empty at first. */
  seen: isText,
  /** Id of the reader's last message in the chat, and of the last one that an agent has read. */
  said: allowAbsent(isText),
  read: allowAbsent(isText),
  /** When an agent stops counting as typing. */
  typing: allowAbsent(isNumber),
  /** Id of the last message that the reader has seen, and of the last that is marked as read. */
  readTo: allowAbsent(isCount),
  markedTo: allowAbsent(isCount),
  /** Whether the agent was told that the reader has left the page. */
  away: allowAbsent(isFlag),
  /** The names that readers see of agents, by id. */
  names: allowAbsent(areNames),
});

export type ToldPosition = Checked<typeof isTold>;
const isTold = shape({
  /** From 1. */
  position: isCount,
  /** How many later chats had been taken first. */
  overtaken: isCount,
  /** When the estimated wait that the reader was told ends; null if none was given. */
  until: allowNull(isNumber),
  /** True once an estimate was withdrawn, after which no other is given. */
  withdrawn: allowAbsent(isFlag),
  /** When the reader was told, or it was found to be still true. */
  at: isNumber,
});

/** In `waiting` and `talking` a person has the conversation, otherwise the bot. */
export type HandoffPhase = Checked<typeof isPhase>;
const isPhase = anyOf(
  /** Nothing is offered before `quietUntil`. */
  shape({ name: oneOf("bot"), quietUntil: isNumber }),
  shape({
    name: oneOf("offered"),
    reason: isText,
    at: isNumber,
    /** The step of the hand-over that a yes leads to; absent for the first. */
    step: allowAbsent(isCount),
  }),
  /** The reader is asked for a field. */
  shape({
    name: oneOf("identity"),
    field: oneOf("name", "email", "consent"),
    tries: isCount,
    /** The step of the hand-over that follows the form; absent for the first. */
    step: allowAbsent(isCount),
  }),
  /** At this step of the hand-over; a creating call is under way or about to be made. */
  shape({
    name: oneOf("reaching"),
    step: isCount,
    since: isNumber,
    /** Why there is no agent to talk to, once that is known. */
    why: oneOf("", "hours", "agents", "unanswered"),
  }),
  /** A chat is open and no agent has taken it yet. */
  shape({
    name: oneOf("waiting"),
    chat: isChat,
    step: isCount,
    since: isNumber,
    queued: isFlag,
    /** The position that the reader was told last; absent for none. */
    told: allowAbsent(isTold),
  }),
  shape({
    name: oneOf("talking"),
    chat: isChat,
    agent: isText,
    since: isNumber,
    /** When the agent left; absent while one is in the chat. */
    alone: allowAbsent(isNumber),
    /** When the chat was closed, while its last messages are still to be read. */
    closed: allowAbsent(isNumber),
  }),
);

/**
 * The state of one conversation's escalation: plain JSON, so that any store can keep it. Times are
 * milliseconds since the epoch, except for those of lines: chat and ticket expect Unix seconds.
 */
export type EscalationRecord = Checked<typeof isEscalationRecord>;
export const isEscalationRecord = shape({
  /** SHA-256 (hex) of instance and session: the conversation. */
  key: isText,
  instance: isText,
  /** Grows with every write. A write based on an older revision is refused. 0: never written. */
  revision: isCount,
  /** Grows when an escalation begins. Each creating call is made once per key and epoch. */
  epoch: isCount,
  phase: isPhase,
  /** Why this epoch began: the trigger's name. */
  reason: allowAbsent(isText),
  /** The reader's words before it began: the last two lines. */
  question: allowAbsent(isText),
  counts: isCounts,
  /** Names the reader's event stream; unguessable. Empty until something was offered. */
  eventId: isText,
  /** The event stream that was opened last while a person had the conversation. */
  listener: allowAbsent(isText),
  /** Language and channel of the last turn, which later messages use. */
  locale: isText,
  channel: isText,
  /** True if the last turn was marked as a test, and insights count no hand-over of it. */
  isTest: allowAbsent(isFlag),
  lines: listOf(isLine),
  /** Lines that were dropped because there were too many. */
  dropped: isCount,
  person: isPerson,
  /** Creating calls of this epoch, oldest first, and unsettled ones of earlier epochs. */
  intents: listOf(isIntent),
  /** The last hundred messages to the reader that are not the engine's answers. */
  messages: listOf(isMessage),
  /** Id of the last message. */
  lastMessage: isCount,
  /** Id of the last message that a turn or a stream has delivered. */
  delivered: isCount,
  /** `delivered` before the last turn, so that a client's retry gets the same messages. */
  deliveredBefore: isCount,
  /** Id of the last message that a turn has delivered. Open streams skip it. */
  deliveredByTurn: allowAbsent(isCount),
  /** Options of the last answers, so that the transcript shows a chosen one by its label. */
  options: areOptions,
  /** When work on the record is due without a request; null for never. */
  wake: allowNull(isNumber),
  created: isNumber,
  updated: isNumber,
});

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
