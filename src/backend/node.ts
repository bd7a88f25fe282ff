/**
 * The embedded backend on Node, with its files and databases.
 *
 * @module afterword/backend/node
 */
import { randomFillSync } from "node:crypto";
import type { Context, Hono } from "hono";
import { addressBehind } from "../http/client-address.ts";
import { loadMatchingWords } from "../config/load/matching-words.ts";
import { loadShippedWords } from "../config/load/recognition-words.ts";
import { isObject } from "../json/values.ts";
import { createRecognition, type Recognition } from "../locales/recognition.ts";
import { credentialsFrom, DEMO_CREDENTIALS } from "./auth/credentials.ts";
import type { CredentialEntry, Credentials } from "./auth/credentials.ts";
import { joinCredentials, createStoredCredentials } from "./auth/stored-keys.ts";
import { createContentSource } from "./content/source.ts";
import type { ContentRefusal, ContentSource, ContentTaken } from "./content/source.ts";
import type { MailConfig } from "../config/config.ts";
import type { AskedQuestions } from "./chatbot/asked-questions.ts";
import { createBackendAndChat } from "./create-backend.ts";
import {
  loadReferenceParts,
  loadServedPage,
  readPageWords,
  readPart,
  readScript,
} from "./pages/load-page.ts";
import { DEMO_PROJECTS, type Project } from "./chatbot/projects.ts";
import type { BackendOptions } from "./options.ts";
import { DEMO_WEBHOOKS } from "./forms/demo-webhooks.ts";
import { deriveInThread } from "./chat/agents/derive-passwords.ts";
import type { PageFiles } from "./pages/chat-page.ts";
import {
  createRateLimits,
  createMemoryCounters,
  createSharedCounters,
  sweepCounters,
} from "./auth/rate-limits.ts";
import { countInFlight } from "./http/middleware.ts";
import { openStorage } from "./storage/open-storage.ts";
import type { ContentStore, StoredContents } from "./storage/types.ts";
import type { BackendDatabase } from "./storage/tables/database.ts";
import { keepSweeping } from "./storage/sweeping.ts";
import { startChatChores } from "./chat/chores.ts";
import { createDerivations } from "./chat/agents/passwords.ts";
import { createFeed } from "./chat/events/feed.ts";
import { createChatSockets } from "./chat/events/node-sockets.ts";
import type { ChatSockets } from "./chat/events/node-sockets.ts";
import { startKnowledgeChores } from "./knowledge/chores.ts";
import type { Mailing, MailFailure } from "./mail/mailing.ts";
import { openMail } from "./mail/open-mail.ts";
import { startChores } from "./ticketing/chores.ts";
import type { WritingOptions } from "./ticketing/context.ts";
import { createWebhookCaller } from "./webhooks/caller.ts";
import { createHookTransport } from "./webhooks/hook-transport.ts";
import { createWebhookTransport } from "./webhooks/transport.ts";

export interface OpenBackendOptions extends Pick<
  BackendOptions,
  | "address"
  | "bases"
  | "bodies"
  | "bodyLimit"
  | "chatSecret"
  | "console"
  | "knowledge"
  | "limits"
  | "passwordRounds"
  | "refusedCredential"
  | "report"
  | "ticketing"
  | "version"
  | "webhookFailed"
  | "wire"
> {
  /** Directory of contents and texts (`config/backend`), watched; database contents override it. */
  readonly content: string;
  /** SQLite file (made with its directory) or `postgres://…`; null for conversations in memory. */
  readonly database: string | null;
  /** Secrets of 32 bytes or more; the first signs access tokens, all verify. Keep over restarts. */
  readonly signingKeys: readonly Uint8Array[];
  /** True enables the well-known demo credentials: for a listener on this machine only. */
  readonly demo: boolean;
  /** More credentials, such as generated ones. */
  readonly credentials?: readonly CredentialEntry[];
  /** Looks up more credentials, which may change while the backend runs. Default: none. */
  readonly lookUp?: Credentials;
  /** Default: the two demo projects. `projectsFrom(config.instances)` for a gateway's. */
  readonly projects?: readonly Project[];
  /** Understands a yes and a no; asked for each message. Default: in all shipped languages. */
  readonly recognition?: BackendOptions["recognition"];
  /**
   * Called with the reason why changed contents were refused; the last ones stay in force. Default:
   * nothing happens.
   */
  readonly contentRefused?: (refusal: ContentRefusal) => void;
  /**
   * Called when changed contents are in use, or were repaired after a refusal. Default: nothing.
   */
  readonly contentTaken?: (news: ContentTaken) => void;
  /** Hosts for form webhooks: `host`, `host:port` or `.suffix`. Default: none. */
  readonly webhooks?: readonly string[];
  /** True for a proxy whose X-Forwarded-For is trusted. Default: none. */
  readonly trustsPeer?: (address: string) => boolean;
  /** E-mail about tickets. Default null: no mail is sent. */
  readonly mail?: MailConfig | null;
  /** Called for a mail that was not sent, or may not have been. Default: nothing happens. */
  readonly mailFailed?: (failure: MailFailure) => void;
  /** Called when the mailbox can't be read, once for each reason. Default: nothing. */
  readonly mailboxFailed?: (reason: string) => void;
  /** Milliseconds since the epoch; default the system's clock. */
  readonly now?: () => number;
}

/** A backend that is ready to answer. */
export interface OpenBackend {
  readonly app: Hono;
  /** The live chat alone, for a listener of its own. */
  readonly chat: Hono;
  /** The chat's event streams over WebSocket: for the upgrades of a listener. */
  readonly sockets: ChatSockets;
  /** The open database, for queries of the process beside the app. */
  readonly database: BackendDatabase;
  /** Facts about the questions of conversations. */
  readonly questions: AskedQuestions;
  /** The contents of the database, and a way to reload those of the files. */
  readonly contents: {
    readonly stored: () => Promise<StoredContents>;
    readonly bringIn: ContentSource["bringIn"];
  };
  /** Ends the chat's event streams before a stop, and asks their clients to reconnect. */
  readonly endStreams: () => void;
  /** Stops watching the contents and closes the database. All requests must have ended. */
  readonly close: () => Promise<void>;
}

/**
 * Loads contents and page, opens the database, and puts the backend together. Contents are read
 * again when they change. Throws `content-invalid`, `data-directory-unusable`, `database-unusable`
 * or `argument-invalid`, each with what to do about it.
 *
 * @example
 * const backend = await openBackend({ content, database: null, signingKeys, demo: true });
 * serve({ fetch: backend.app.fetch, port: 8799, hostname: "127.0.0.1" });
 */
export async function openBackend(options: OpenBackendOptions): Promise<OpenBackend> {
  const { report: failed = ignore, limits, trustsPeer = () => false } = options;
  const now = options.now ?? Date.now;
  const page = await loadPage();
  const parts = new AsyncDisposableStack();
  const close = (): Promise<void> => parts.disposeAsync();
  try {
    const storage = await openStorage(options.database, { now, report: failed });
    parts.defer(() => storage.close());
    const { database } = storage;
    const content = await createContentSource({
      directory: options.content,
      store: storage.contents,
      refused: options.contentRefused,
      taken: options.contentTaken,
    });
    parts.defer(() => content.close());
    const { webhooks, hooks } = openWebhooks(options, now);
    parts.defer(() => webhooks.close());
    const feed = createFeed({ database, now, report: failed });
    const forChat = {
      database,
      hooks,
      now,
      random,
      bodyLimit: 0,
      wire: options.wire ?? "deployed",
      demo: options.demo,
      report: failed,
      feed,
    } as const;
    parts.defer(keepSweeping(() => sweepCounters(database, now()), 60_000, failed));
    parts.defer(() => feed.close());
    parts.defer(startChatChores(forChat));
    parts.defer(startKnowledgeChores({ database, now, report: failed }));
    parts.defer(startChores({ database, hooks, now, report: failed }));
    const ticketing = { ...options.ticketing, ...(options.mail && { mail: options.mail }) };
    const mailing = await startMailing(options, { ...ticketing, database, now, random });
    if (mailing !== null) parts.defer(() => mailing.close());
    // Processes that share a SQLite file run on one machine, and each counts by itself.
    const counters =
      database.dialect === "postgres" ? createSharedCounters(database) : createMemoryCounters();
    const allLimits = limits === undefined ? createRateLimits({ counters, now }) : limits;
    const inFlight = countInFlight();
    parts.defer(() => inFlight.idle(maxAnswerTime));
    const { app, chat, questions } = createBackendAndChat({
      ...options,
      ticketing,
      ...(mailing !== null && { mailing }),
      inFlight,
      content,
      credentials: credentialsOf(options, createStoredCredentials(database, now)),
      projects: options.projects ?? DEMO_PROJECTS,
      recognition: options.recognition ?? createShippedRecognition(),
      words: loadMatchingWords,
      storage,
      now,
      random,
      submit: (submission, session) => webhooks.submit(submission, session),
      page,
      pageWords: () => readPageWords(["console", "playground", "header"]),
      desk: () => loadServedPage("desk"),
      docs: loadReferenceParts,
      hooks,
      limits: allLimits,
      chatFeed: feed,
      derivations: createDerivations({ derive: deriveInThread }),
      peer: (c) => clientOf(c, trustsPeer),
    });
    const sockets = createChatSockets({ ...forChat, limits: allLimits, trustsPeer });
    const contents = toContents(storage.contents, content);
    const endStreams = (): void => feed.end();
    return { app, chat, sockets, database, contents, questions, endStreams, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function toContents(store: ContentStore, source: ContentSource): OpenBackend["contents"] {
  return { stored: () => store.all(), bringIn: (hash) => source.bringIn(hash) };
}

/** Null without `mail`. */
async function startMailing(
  { mail, report = ignore, mailFailed = ignore, mailboxFailed = ignore }: OpenBackendOptions,
  writing: WritingOptions,
): Promise<Mailing | null> {
  return mail ? openMail({ ...writing, mail, report, mailFailed, mailboxFailed }) : null;
}

function openWebhooks({ webhooks: allow = [], demo }: OpenBackendOptions, now: () => number) {
  const transport = createWebhookTransport();
  const embedded = demo && { embedded: DEMO_WEBHOOKS };
  return {
    webhooks: createWebhookCaller({ allow, transport, now, ...embedded }),
    // Without an allowed host there are no deliveries to look for.
    hooks: allow.length === 0 ? null : createHookTransport(allow, transport),
  };
}

function credentialsOf(
  { demo, credentials = [], lookUp }: OpenBackendOptions,
  stored: Credentials,
): Credentials {
  const entries = [...(demo ? DEMO_CREDENTIALS : []), ...credentials];
  return joinCredentials(credentialsFrom(entries), ...(lookUp ? [lookUp] : []), stored);
}

function createShippedRecognition(): () => Recognition {
  const recognition = createRecognition(loadShippedWords());
  return () => recognition;
}

function ignore(): void {}

const random = (length: number): Uint8Array => randomFillSync(new Uint8Array(length));

// Requests with clients have ended by now. This waits for requests whose clients have left.
const maxAnswerTime = 5_000;

/** Finds the client that a gateway in this process named, else Node's peer or its client. */
function clientOf({ env, req }: Context, trusts: (address: string) => boolean): string | null {
  if (!isObject(env)) return null;
  const { client, incoming } = env;
  if (typeof client === "string") return client;
  const socket = isObject(incoming) ? incoming["socket"] : null;
  const address = isObject(socket) ? socket["remoteAddress"] : null;
  if (typeof address !== "string") return null;
  return addressBehind(address, req.header("x-forwarded-for") ?? null, trusts);
}

async function loadPage(): Promise<PageFiles> {
  return {
    "index.html": await readPart("chat/index.html"),
    "page.css": await readPart("chat/page.css"),
    "why.css": await readPart("chat/why.css"),
    "page.js": await readPart("chat/page.js"),
    "start.js": await readPart("chat/start.js"),
    "log.js": await readPart("chat/log.js"),
    "client.js": await readPart("chat/client.js"),
    "safe.js": await readPart("chat/safe.js"),
    "stream.js": await readPart("chat/stream.js"),
    "parts.js": await readPart("chat/parts.js"),
    "why.js": await readPart("chat/why.js"),
    "copies.js": await readPart("chat/copies.js"),
    "server-sent.js": await readScript("../api/call/server-sent"),
    "tokens.css": await readPart("shared/tokens.css"),
    "base.css": await readPart("shared/base.css"),
    "header.html": await readPart("shared/header.html"),
    "scheme.js": await readPart("shared/scheme.js"),
  };
}
