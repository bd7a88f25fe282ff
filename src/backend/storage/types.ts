import { z } from "zod";
import type { OutputOf } from "../../api/call/fields.ts";
import type { BackendDatabase } from "./tables/database.ts";

/** The part of a session that belongs to a form under way. */
export const formState = z.object({
  /** Id of the content whose form it is. */
  content: z.number(),
  /** Name of the field that was asked last. */
  field: z.string(),
  values: z.record(z.string(), z.string()),
  /** Invalid values in a row for this field. */
  errors: z.number(),
  /**
   * The question that the reader answers next. asking: the value of `field`. continue: whether to go
   * on (`form-continue`). retry: whether to fill in the form again (`form-retry`), where `invalid`
   * names the fields.
   */
  step: z.enum(["asking", "continue", "retry"]),
  /** Fields that the webhook found invalid and that will be asked again. */
  invalid: z.array(z.string()),
  /** The number of submissions so far, which is part of the idempotency key. */
  submissions: z.number(),
  /** Milliseconds since the epoch at the form's start. It distinguishes two runs in one session. */
  begun: z.number(),
});

/** One option that the reader may choose. */
const openChoice = z.object({
  /** The value that a client sends as `option`. */
  value: z.number(),
  label: z.string(),
  /** Id of the content that it leads to. */
  content: z.number(),
});

/** A question that waits for the reader. `misses` counts messages since then that did not settle it. */
const openDialogue = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("choice"),
    choices: z.array(openChoice),
    /** Ids of further fitting contents, best first: offered when all choices are declined. */
    waiting: z.array(z.number()),
    misses: z.number(),
  }),
  z.object({
    kind: z.literal("checks"),
    /** Ids of the contents whose check questions remain, the one that was asked last in front. */
    contents: z.array(z.number()),
    misses: z.number(),
  }),
  z.object({ kind: z.literal("form"), form: formState }),
]);

/** The settings that the client asked for when the conversation began. */
const sessionSettings = z.object({
  environment: z.string(),
  userType: z.number(),
  source: z.string(),
  /** Names of the attributes whose texts make up the message, and the side bubble. */
  answerAttributes: z.array(z.string()),
  sideBubbleAttributes: z.array(z.string()),
  /** How many of several results are offered at once. */
  maxOptions: z.number(),
  maxRelatedContents: z.number(),
  /** True if the last of several check questions is not asked, but its content shown at once. */
  skipLastCheckQuestion: z.boolean(),
  /** How far a reader may stray from a form. */
  forms: z.object({
    allowUserToAbandonForm: z.boolean(),
    /** Invalid values in a row for one field until asking whether to go on, a hard limit. */
    errorRetries: z.number(),
  }),
});

/**
 * A conversation as one JSON document. From the first release on, a new member needs `.default(…)`,
 * so that conversations survive an update.
 */
export const session = z.object({
  /** Hash of the session token; the token itself is not kept. */
  key: z.string(),
  /** The identifier that clients may show and log. */
  id: z.string(),
  project: z.string(),
  /** The language the engine speaks in this conversation, lower case. */
  language: z.string(),
  settings: sessionSettings,
  /** Turns taken so far. */
  turns: z.number(),
  welcomed: z.boolean(),
  /** Ids of the last answer's related contents; an `option` may name one. */
  offered: z.array(z.number()),
  /**
   * The dialogue that the last answer opened and the reader has not settled yet, or null. One in
   * another release's format is dropped, and the conversation goes on.
   */
  open: openDialogue.nullable().catch(null),
  /** Latest tracking codes, `<content>.<turn>`: the only ones that ratings and clicks may name. */
  codes: z.array(z.string()),
  /** Turns without an answer since the last one with an answer. */
  unanswered: z.number(),
  /** Variable name in lower case, and its value. */
  variables: z.array(z.tuple([z.string(), z.string()])),
  /** The latest values that the reader typed in forms: insights take them out of questions. */
  typed: z.array(z.string()).default([]),
  /** Milliseconds since the epoch after which the session is gone. */
  expires: z.number(),
  /** The store's mark of the last change; empty before the first. Only the store sets it. */
  revision: z.string(),
});

/** One message of a conversation. `datetime` is ISO 8601 in UTC. */
export const historyItem = z.object({
  user: z.enum(["user", "bot"]),
  message: z.string(),
  messageList: z.array(z.string()),
  datetime: z.string(),
});

export type Session = OutputOf<typeof session>;
export type OpenDialogue = OutputOf<typeof openDialogue>;
export type OpenChoice = OutputOf<typeof openChoice>;
export type SessionSettings = OutputOf<typeof sessionSettings>;
export type HistoryItem = OutputOf<typeof historyItem>;

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
