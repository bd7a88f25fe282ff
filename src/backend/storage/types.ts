import type { FormState } from "../forms/types.ts";
import type { BackendDatabase } from "./tables/database.ts";

/** A conversation as one JSON document: new members need a default in `sessions.ts` alone. */
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
  /** Ids of the last answer's related contents; an `option` may name one. */
  readonly offered: readonly number[];
  /** The dialogue that the last answer opened and the reader has not settled yet, or null. */
  readonly open: OpenDialogue | null;
  /** Latest tracking codes, `<content>.<turn>`: the only ones that ratings and clicks may name. */
  readonly codes: readonly string[];
  /** Turns without an answer since the last one with an answer. */
  readonly unanswered: number;
  /** Variable name in lower case, and its value. */
  readonly variables: readonly (readonly [string, string])[];
  /** Milliseconds since the epoch after which the session is gone. */
  readonly expires: number;
  /** The store's mark of the last change; empty before the first. Only the store sets it. */
  readonly revision: string;
}

/** A question that waits for the reader, as plain data. */
export type OpenDialogue =
  | {
      readonly kind: "choice";
      readonly choices: readonly OpenChoice[];
      /** Ids of further fitting contents, best first: offered when all choices are declined. */
      readonly waiting: readonly number[];
      /** Messages since then that were none of the choices and led nowhere. */
      readonly misses: number;
    }
  | {
      readonly kind: "checks";
      /** Ids of the contents whose check questions remain, the one that was asked last in front. */
      readonly contents: readonly number[];
      readonly misses: number;
    }
  | { readonly kind: "form"; readonly form: FormState };

/** One option that the reader may choose. */
export interface OpenChoice {
  /** The value that a client sends as `option`. */
  readonly value: number;
  readonly label: string;
  /** Id of the content that it leads to. */
  readonly content: number;
}

/** The settings that the client asked for when the conversation began. */
export interface SessionSettings {
  readonly environment: string;
  readonly userType: number;
  readonly source: string;
  /** Names of the attributes whose texts make up the message, and the side bubble. */
  readonly answerAttributes: readonly string[];
  readonly sideBubbleAttributes: readonly string[];
  /** How many of several results are offered at once. */
  readonly maxOptions: number;
  readonly maxRelatedContents: number;
  /** True if the last of several check questions is not asked, but its content shown at once. */
  readonly skipLastCheckQuestion: boolean;
  readonly forms: FormSettings;
}

/** How far a reader may stray from a form. */
export interface FormSettings {
  readonly allowUserToAbandonForm: boolean;
  /** Invalid values in a row for one field until asking whether to go on, a hard limit. */
  readonly errorRetries: number;
}

/** One message of a conversation. `datetime` is ISO 8601 in UTC. */
export interface HistoryItem {
  readonly user: "user" | "bot";
  readonly message: string;
  readonly messageList: readonly string[];
  readonly datetime: string;
}

/** The store of conversations. A database may stand behind it, so every call is asynchronous. */
export interface SessionStore {
  /** Keeps a new session. A full store forgets those that would expire first. */
  create(session: Session): Promise<void>;
  /** The session, or null when there is none or `now` has reached its expiry. */
  read(key: string, now: number): Promise<Session | null>;
  /**
   * Replaces session and history atomically. Returns false, and writes nothing, when another
   * request has changed the session or it is gone.
   */
  replace(session: Session, history: readonly HistoryItem[]): Promise<boolean>;
  /** As `replace`, whatever has become of it in the meantime. A session that is gone stays gone. */
  write(session: Session, history: readonly HistoryItem[]): Promise<void>;
  /** Lets the session live until `expires`, and changes nothing else. */
  prolong(key: string, expires: number): Promise<void>;
  history(key: string): Promise<readonly HistoryItem[]>;
  /** Deletes the sessions that have expired by `now`, with their history. */
  sweep(now: number): Promise<void>;
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

/** The store of reported events. A full store forgets the oldest. */
export interface EventStore {
  append(event: TrackedEvent): Promise<void>;
  /** The newest `limit` events, oldest first. */
  latest(limit: number): Promise<readonly TrackedEvent[]>;
}

/**
 * The owner of contents: a project, or `*` for every project, in one language (a lower-case tag).
 */
export interface ContentScope {
  readonly project: string;
  readonly language: string;
}

/** One content as it is stored. */
export interface ContentRow {
  readonly id: number;
  /** Anything that JSON holds. */
  readonly document: unknown;
  /** Milliseconds since the epoch of the last change, or null when unknown. */
  readonly modified: number | null;
}

/** The data that accompanies a language's contents, such as categories and synonyms: any JSON. */
export interface StoredSource extends ContentScope {
  readonly document: unknown;
}

/** All contents at one moment, in the order of project, language and id. */
export interface StoredContents {
  readonly revision: number;
  readonly sources: readonly StoredSource[];
  readonly rows: readonly (ContentRow & ContentScope)[];
}

/** The store of contents that are not in files. */
export interface ContentStore {
  /** A number that grows with every change by any process. Reading it is cheap. */
  revision(): Promise<number>;
  all(): Promise<StoredContents>;
  /** Replaces all of a language at once. `progress` is called about every two hundred rows. */
  replace(
    source: StoredSource,
    rows: readonly ContentRow[],
    progress?: ContentProgress,
  ): Promise<void>;
  /** Adds these contents, or puts them in the place of those with the same id. */
  upsert(
    scope: ContentScope,
    rows: readonly ContentRow[],
    progress?: ContentProgress,
  ): Promise<void>;
}

export type ContentProgress = (done: number, of: number) => void;

export interface Storage {
  /** For data without a store of its own here. */
  readonly database: BackendDatabase;
  readonly sessions: SessionStore;
  readonly events: EventStore;
  readonly contents: ContentStore;
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
