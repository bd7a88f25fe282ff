/** What the engine keeps about a conversation. Plain data: a store may write it as JSON. */
export interface Session {
  /** Hash of the session token; the token itself is not kept. */
  readonly key: string;
  /** The identifier that clients may show and log. */
  readonly id: string;
  readonly project: string;
  /** The language the engine speaks in this conversation, lower case. */
  readonly language: string;
  readonly settings: SessionSettings;
  /** Turns taken so far. */
  readonly turns: number;
  readonly welcomed: boolean;
  /** Ids of the contents that the last answer offered: the only ones an `option` may name. */
  readonly offered: readonly number[];
  /** Turns without an answer since the last one with an answer. */
  readonly unanswered: number;
  /** Variable name in lower case, and its value. */
  readonly variables: readonly (readonly [string, string])[];
  /** Milliseconds since the epoch after which the session is gone. */
  readonly expires: number;
}

/** What the client asked for when the conversation began. */
export interface SessionSettings {
  readonly environment: string;
  readonly userType: number;
  readonly source: string;
  readonly answerAttributes: readonly string[];
  readonly maxRelatedContents: number;
}

/** One thing that was said. `datetime` is ISO 8601 in UTC. */
export interface HistoryItem {
  readonly user: "user" | "bot";
  readonly message: string;
  readonly messageList: readonly string[];
  readonly datetime: string;
}

/** Where conversations live. A database may stand behind it, so every call is asynchronous. */
export interface SessionStore {
  /** Keeps a new session. A full store forgets those that expired by `now`, then the one that would expire first. */
  create(session: Session, now: number): Promise<void>;
  /** The session, or null when there is none or `now` has reached its expiry. */
  read(key: string, now: number): Promise<Session | null>;
  /** Replaces the session and adds to its history, at once. A session that is gone stays gone. */
  write(session: Session, said: readonly HistoryItem[]): Promise<void>;
  history(key: string): Promise<readonly HistoryItem[]>;
}

/** Something a client reported: a rating, a click, or an event of a kind of its own. */
export interface TrackedEvent {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly project: string;
  readonly session: string;
  readonly type: string;
  /** The event's data as JSON text. */
  readonly data: string;
}

/** Where reported events are kept. A full store forgets the oldest. */
export interface EventStore {
  append(event: TrackedEvent): Promise<void>;
  /** The newest `limit` events, oldest first. */
  latest(limit: number): Promise<readonly TrackedEvent[]>;
}

export interface Storage {
  readonly sessions: SessionStore;
  readonly events: EventStore;
  readonly close: () => Promise<void>;
}

/** How much a store keeps. */
export interface StorageLimits {
  readonly sessions: number;
  /** Items of history per session; the oldest go first. */
  readonly history: number;
  readonly events: number;
}

export const STORAGE_LIMITS: StorageLimits = { sessions: 100_000, history: 500, events: 100_000 };
