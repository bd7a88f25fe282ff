/**
 * The embedded backend on Node, with its files and databases.
 *
 * @module afterword/backend/node
 */
import { randomFillSync } from "node:crypto";
import type { Context, Hono } from "hono";
import { addressBehind } from "../http/client-address.ts";
import { matchingWords } from "../config/load/matching-words.ts";
import { shippedWords } from "../config/load/recognition-words.ts";
import { isObject } from "../json/values.ts";
import { createRecognition, type Recognition } from "../locales/recognition.ts";
import { credentialsFrom, DEMO_CREDENTIALS } from "./auth/credentials.ts";
import type { CredentialEntry, Credentials } from "./auth/credentials.ts";
import { anyOf, storedCredentials } from "./auth/stored-keys.ts";
import { createContentSource } from "./content/source.ts";
import type { ContentRefusal, ContentTaken } from "./content/source.ts";
import { createBackendAndChat } from "./create-backend.ts";
import {
  loadReferenceParts,
  loadServedPage,
  pageWords,
  readPart,
  readScript,
} from "./pages/load-page.ts";
import { DEMO_PROJECTS, type Project } from "./chatbot/projects.ts";
import type { BackendOptions } from "./options.ts";
import { DEMO_WEBHOOKS } from "./webhooks/demo.ts";
import { deriveInThread } from "./chat/agents/derive-passwords.ts";
import type { PageFiles } from "./pages/chat-page.ts";
import {
  createRateLimits,
  memoryCounters,
  sharedCounters,
  sweepCounters,
} from "./auth/rate-limits.ts";
import { countInFlight } from "./middleware.ts";
import { openStorage } from "./storage/open-storage.ts";
import type { BackendDatabase } from "./storage/tables/database.ts";
import { keepSweeping } from "./storage/sweeping.ts";
import { startChatChores } from "./chat/chores.ts";
import { createDerivations } from "./chat/agents/passwords.ts";
import { createFeed } from "./chat/events/feed.ts";
import { createChatSockets } from "./chat/events/node-sockets.ts";
import type { ChatSockets } from "./chat/events/node-sockets.ts";
import { startKnowledgeChores } from "./knowledge/chores.ts";
import { startChores } from "./ticketing/chores.ts";
import { createWebhookCaller } from "./webhooks/caller.ts";
import { createHookTransport } from "./webhooks/hook-transport.ts";
import { createWebhookTransport } from "./webhooks/transport.ts";

export interface OpenBackendOptions {
  /** Directory of contents and texts (`config/backend`), watched; database contents override it. */
  readonly content: string;
  /** SQLite file (made with its directory) or `postgres://…`; null: conversations in memory. */
  readonly database: string | null;
  /** Secrets of 32 bytes or more; the first signs access tokens, all verify. Keep over restarts. */
  readonly signingKeys: readonly Uint8Array[];
  /** True enables the well-known demo credentials: for a listener on this machine only. */
  readonly demo: boolean;
  /** Further credentials, such as generated ones. */
  readonly credentials?: readonly CredentialEntry[];
  /** Looks up further ones, which may change while the backend runs. Default: there are none. */
  readonly lookUp?: Credentials;
  /** See {@link BackendOptions.chatSecret}. */
  readonly chatSecret?: BackendOptions["chatSecret"];
  /** Default: the two demo projects. `projectsFrom(config.instances)` for a gateway's. */
  readonly projects?: readonly Project[];
  /** Understands a yes and a no; asked for each message. Default: in all shipped languages. */
  readonly recognition?: BackendOptions["recognition"];
  /** See {@link BackendOptions.bases}. */
  readonly bases?: BackendOptions["bases"];
  readonly report?: BackendOptions["report"];
  /** See the members of {@link BackendOptions}. */
  readonly wire?: BackendOptions["wire"];
  readonly knowledge?: BackendOptions["knowledge"];
  readonly ticketing?: BackendOptions["ticketing"];
  readonly version?: string;
  readonly bodyLimit?: number;
  /** See {@link BackendOptions.bodies}. */
  readonly bodies?: BackendOptions["bodies"];
  /** See {@link BackendOptions.limits}. */
  readonly limits?: BackendOptions["limits"];
  /**
   * Called with the reason why changed contents were refused; the last ones stay in force. Default:
   * nothing happens.
   */
  readonly contentRefused?: (refusal: ContentRefusal) => void;
  /** Called when changed contents are in force, or restored after a refusal. Default: nothing. */
  readonly contentTaken?: (news: ContentTaken) => void;
  /** Hosts for form webhooks: `host`, `host:port` or `.suffix`. Default: none. */
  readonly webhooks?: readonly string[];
  /** See {@link BackendOptions.webhookFailed}. */
  readonly webhookFailed?: BackendOptions["webhookFailed"];
  /** See {@link BackendOptions.refusedCredential}. */
  readonly refusedCredential?: BackendOptions["refusedCredential"];
  /** See {@link BackendOptions.address}. */
  readonly address?: BackendOptions["address"];
  /** See {@link BackendOptions.console}. */
  readonly console?: BackendOptions["console"];
  /** True for a proxy whose X-Forwarded-For is believed. Default: none is. */
  readonly trustsPeer?: (address: string) => boolean;
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
  /** The open database, for questions that the process asks beside the app. */
  readonly database: BackendDatabase;
  /** Ends the chat's event streams for a drain; their clients are asked to connect again. */
  readonly endStreams: () => void;
  /** Ends watching the contents and closes the database. Requests must have ended. */
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
  const { bases, report, bodyLimit, limits, webhookFailed, refusedCredential } = options;
  const { contentRefused: refused, contentTaken: taken } = options;
  const now = options.now ?? Date.now;
  const recognition = options.recognition ?? inShippedLanguages();
  const page = await loadPage();
  const toClose: (() => Promise<void> | void)[] = [];
  const close = async (): Promise<void> => {
    for (const closeOne of toClose.splice(0)) await closeOne();
  };
  try {
    const storage = await openStorage(options.database, {
      now,
      ...(report !== undefined && { report }),
    });
    toClose.unshift(() => storage.close());
    const content = await createContentSource({
      directory: options.content,
      store: storage.contents,
      ...(refused !== undefined && { refused }),
      ...(taken !== undefined && { taken }),
    });
    toClose.unshift(() => content.close());
    const allow = options.webhooks ?? [];
    const transport = createWebhookTransport();
    const webhooks = createWebhookCaller({
      allow,
      transport,
      now,
      ...(options.demo && { embedded: DEMO_WEBHOOKS }),
    });
    toClose.unshift(() => webhooks.close());
    const { database } = storage;
    // Without a host that may be called nobody needs to look for deliveries.
    const hooks = allow.length === 0 ? null : createHookTransport(allow, transport);
    const failed = report ?? (() => undefined);
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
    toClose.unshift(
      startChores({ database, hooks, now, report: failed }),
      startKnowledgeChores({ database, now, report: failed }),
      startChatChores(forChat),
      () => feed.close(),
      keepSweeping(() => sweepCounters(database, now()), 60_000, failed),
    );
    // Several processes at one file are one machine's, and each counts for itself.
    const counters = database.dialect === "postgres" ? sharedCounters(database) : memoryCounters();
    const trustsPeer = options.trustsPeer ?? (() => false);
    const entries = [...(options.demo ? DEMO_CREDENTIALS : []), ...(options.credentials ?? [])];
    const lookedUp = [
      ...(options.lookUp ? [options.lookUp] : []),
      storedCredentials(database, now),
    ];
    const allLimits = limits === undefined ? createRateLimits({ counters, now }) : limits;
    const passwords = deriveInThread();
    toClose.unshift(() => passwords.close());
    const inFlight = countInFlight();
    toClose.unshift(() => inFlight.idle(longestAnswer));
    const { app, chat } = createBackendAndChat({
      inFlight,
      ...(options.bodies !== undefined && { bodies: options.bodies }),
      content,
      credentials: anyOf(credentialsFrom(entries), ...lookedUp),
      projects: options.projects ?? DEMO_PROJECTS,
      recognition,
      words: matchingWords,
      signingKeys: options.signingKeys,
      storage,
      now,
      random,
      submit: (submission, session) => webhooks.submit(submission, session),
      page,
      pageWords: () => pageWords(["console", "playground", "header"]),
      desk: () => loadServedPage("desk"),
      docs: loadReferenceParts,
      ...(options.address !== undefined && { address: options.address }),
      ...(options.console !== undefined && { console: options.console }),
      demo: options.demo,
      hooks,
      limits: allLimits,
      chatFeed: feed,
      derivations: createDerivations({ derive: passwords.derive }),
      ...(bases !== undefined && { bases }),
      ...(options.chatSecret !== undefined && { chatSecret: options.chatSecret }),
      ...(report !== undefined && { report }),
      ...(bodyLimit !== undefined && { bodyLimit }),
      ...(webhookFailed !== undefined && { webhookFailed }),
      ...(refusedCredential !== undefined && { refusedCredential }),
      ...(options.wire !== undefined && { wire: options.wire }),
      ...(options.version !== undefined && { version: options.version }),
      ...(options.knowledge !== undefined && { knowledge: options.knowledge }),
      ...(options.ticketing !== undefined && { ticketing: options.ticketing }),
      peer: (c) => clientOf(c, trustsPeer),
    });
    const sockets = createChatSockets({ ...forChat, limits: allLimits, trustsPeer });
    return { app, chat, sockets, database, endStreams: () => feed.end(), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function inShippedLanguages(): () => Recognition {
  const recognition = createRecognition(shippedWords());
  return () => recognition;
}

const random = (length: number): Uint8Array => randomFillSync(new Uint8Array(length));

// Requests with clients have ended by now; this waits for those whose clients are gone.
const longestAnswer = 5_000;

/** The client named by a gateway in this process, else Node's peer or that behind a proxy. */
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
    "page.js": await readPart("chat/page.js"),
    "client.js": await readPart("chat/client.js"),
    "safe.js": await readPart("chat/safe.js"),
    "stream.js": await readPart("chat/stream.js"),
    "parts.js": await readPart("chat/parts.js"),
    "why.js": await readPart("chat/why.js"),
    "server-sent.js": await readScript("../api/server-sent"),
    "tokens.css": await readPart("shared/tokens.css"),
    "base.css": await readPart("shared/base.css"),
    "header.html": await readPart("shared/header.html"),
    "scheme.js": await readPart("shared/scheme.js"),
  };
}
