import { z } from "zod";
import type { OutputOf } from "../../api/call/fields.ts";
import type { BackendDatabase } from "./tables/database.ts";

/** The state of a form that the reader is filling in. */
export const formState = z.object({
  /** Id of the content whose form it is. */
  content: z.number(),
  /** Name of the field that was asked last. */
  field: z.string(),
  values: z.record(z.string(), z.string()),
  /** How many values in a row were invalid for this field. */
  errors: z.number(),
  /**
   * The question that the reader answers next. `asking`: the value of `field`. `continue`: whether to
   * go on (`form-continue`). `retry`: whether to correct the fields in `invalid` (`form-retry`).
   */
  step: z.enum(["asking", "continue", "retry"]),
  /** Fields that the webhook found invalid and that will be asked again. */
  invalid: z.array(z.string()),
  /** The number of submissions so far, which is part of the idempotency key. */
  submissions: z.number(),
  /** The form's start, in milliseconds since the epoch. It distinguishes two runs in one session. */
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

/** A question that waits for an answer. `misses` counts the messages that did not answer it. */
const openDialogue = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("choice"),
    choices: z.array(openChoice),
    /** Ids of further contents, the best first. They are offered if the reader declines all choices. */
    waiting: z.array(z.number()),
    misses: z.number(),
  }),
  z.object({
    kind: z.literal("checks"),
    /** Ids of the contents whose check questions remain. The question of the first was asked last. */
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
  /** Names of the attributes whose texts make up the message. */
  answerAttributes: z.array(z.string()),
  /** Names of the attributes whose texts make up the side bubble. */
  sideBubbleAttributes: z.array(z.string()),
  /** The most results that are offered at once. */
  maxOptions: z.number(),
  maxRelatedContents: z.number(),
  /** True if the content of the last check question is shown without asking that question. */
  skipLastCheckQuestion: z.boolean(),
  /** How far a reader may stray from a form. */
  forms: z.object({
    allowUserToAbandonForm: z.boolean(),
    /** How many values in a row may be invalid before the reader is asked whether to go on. */
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
  /** The language of the engine's texts in this conversation: a tag in lower case. */
  language: z.string(),
  settings: sessionSettings,
  /** Turns taken so far. */
  turns: z.number(),
  welcomed: z.boolean(),
  /** Ids of the last answer's related contents; an `option` may name one. */
  offered: z.array(z.number()),
  /**
   * The dialogue that waits for the reader, or null. A dialogue in another release's format is
   * dropped, and the conversation goes on.
   */
  open: openDialogue.nullable().catch(null),
  /** The latest tracking codes, `<content>.<turn>`. Ratings and clicks may name no others. */
  codes: z.array(z.string()),
  /** Turns without an answer since the last one with an answer. */
  unanswered: z.number(),
  /** The variables: each a name in lower case, and a value. */
  variables: z.array(z.tuple([z.string(), z.string()])),
  /** The latest values that the reader typed in forms, which insights remove from questions. */
  typed: z.array(z.string()).default([]),
  /** The session's end, in milliseconds since the epoch. */
  expires: z.number(),
  /** The revision of the last change, which only the store sets; empty before the first change. */
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

/** The store of conversations. Its calls are asynchronous, because it may use a database. */
export interface SessionStore {
  /** Stores a new session. A full store deletes the sessions that would expire first. */
  create(session: Session): Promise<void>;
  /** Reads a session; null if there is none, or it has expired by `now`. */
  read(key: string, now: number): Promise<Session | null>;
  /**
   * Replaces a session and its history atomically. Returns false and writes nothing if another
   * request has changed the session, or it is gone.
   */
  replace(session: Session, history: readonly HistoryItem[]): Promise<boolean>;
  /** Replaces a session and its history even if another request has changed it, but not if it is gone. */
  write(session: Session, history: readonly HistoryItem[]): Promise<void>;
  /** Sets the session's end, and changes nothing else. */
  prolong(key: string, expires: number): Promise<void>;
  history(key: string): Promise<readonly HistoryItem[]>;
  /** Deletes the sessions that have expired by `now`, with their history. */
  sweep(now: number): Promise<void>;
}

/** An event that a client reported: a rating, a click, or one of any other type. */
export interface TrackedEvent {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly project: string;
  readonly session: string;
  readonly type: string;
  /** The event's data as JSON text. */
  readonly data: string;
}

/** The store of reported events. A full store deletes the oldest. */
export interface EventStore {
  append(event: TrackedEvent): Promise<void>;
  /** Reads the newest `limit` events, the oldest of them first. */
  latest(limit: number): Promise<readonly TrackedEvent[]>;
}

/** The scope of contents: a project, or `*` for all, and a language as a tag in lower case. */
export interface ContentScope {
  readonly project: string;
  readonly language: string;
}

/** One content as it is stored. */
export interface ContentRow {
  readonly id: number;
  /** Any JSON value. */
  readonly document: unknown;
  /** The last change, in milliseconds since the epoch; null if it is not known. */
  readonly modified: number | null;
}

/** The data beside the contents of a language, such as categories and synonyms, as any JSON value. */
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
  /** Reads a number that grows with every change by any process. This is cheap. */
  revision(): Promise<number>;
  all(): Promise<StoredContents>;
  /** Replaces all contents of a language. `progress` is called after about every 200 rows. */
  replace(
    source: StoredSource,
    rows: readonly ContentRow[],
    progress?: ContentProgress,
  ): Promise<void>;
  /** Adds contents, or replaces those with the same id. */
  upsert(
    scope: ContentScope,
    rows: readonly ContentRow[],
    progress?: ContentProgress,
  ): Promise<void>;
}

export type ContentProgress = (done: number, of: number) => void;

export interface Storage {
  /** The database, for data that none of these stores keeps. */
  readonly database: BackendDatabase;
  readonly sessions: SessionStore;
  readonly events: EventStore;
  readonly contents: ContentStore;
  readonly close: () => Promise<void>;
}

/** How many entries the stores keep. */
export interface StorageLimits {
  readonly sessions: number;
  /** Items of a session's history. The oldest are deleted first. */
  readonly history: number;
  readonly events: number;
}

export const STORAGE_LIMITS: StorageLimits = { sessions: 100_000, history: 500, events: 100_000 };
