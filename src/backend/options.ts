import type { Recognition } from "../locales/recognition.ts";
import type { WordsOf } from "../matching/types.ts";
import type { Context } from "hono";
import type { Product } from "../api/call/routes.ts";
import type { ByteBudget } from "../http/shares.ts";
import type { Access } from "./auth/access.ts";
import type { Credentials } from "./auth/credentials.ts";
import type { ChangingContent } from "./chatbot/live-base.ts";
import type { Submit } from "./chatbot/turn-context.ts";
import type { Content } from "./content/types.ts";
import type { ServedFiles } from "../pages/served-page.ts";
import type { SubmissionFailure } from "./forms/types.ts";
import type { Derivations } from "./chat/agents/passwords.ts";
import type { ChatFeed } from "./chat/events/feed.ts";
import type { InFlight } from "./http/middleware.ts";
import type { Mailing } from "./mail/mailing.ts";
import type { KnowledgeOptions } from "./knowledge/call.ts";
import type { PageFiles } from "./pages/chat-page.ts";
import type { RateLimits } from "./auth/rate-limits.ts";
import type { Project } from "./chatbot/projects.ts";
import type { HookTransport } from "./webhooks/hook-transport.ts";
import type { Storage } from "./storage/types.ts";
import type { BackendDatabase } from "./storage/tables/database.ts";
import type { TicketingOptions } from "./ticketing/context.ts";

/** The options that the handlers of every product share. Callers supply time and randomness. */
export interface ProductOptions {
  readonly access: Access;
  readonly database: BackendDatabase;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Bytes from a cryptographic source. */
  readonly random: (length: number) => Uint8Array;
  /** Bytes that a request body may have. */
  readonly bodyLimit: number;
}

/** The options of {@link createBackend}. Time, randomness and storage come from outside. */
export interface BackendOptions {
  /** The result of `loadContent` or `parseContent`, or a source that may replace it while running. */
  readonly content: Content | ChangingContent;
  readonly credentials: Credentials;
  /** This backend's bots. The first also serves credentials that name an unknown one. */
  readonly projects: readonly Project[];
  /** Secrets of 32 bytes or more; the first signs access tokens, all verify. Keep over restarts. */
  readonly signingKeys: readonly Uint8Array[];
  readonly storage: Storage;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Bytes from a cryptographic source. */
  readonly random: (length: number) => Uint8Array;
  /**
   * Base address of a product in `apis`, without a trailing slash. Default: `/<product>` under the
   * origin of the request. Behind a gateway in the same process:
   * `(product) => "embedded:" + product`.
   */
  readonly bases?: (product: Product, requestUrl: string) => string;
  /** Sends form values to webhooks, such as `createWebhookCaller`'s; default: all fail. */
  readonly submit?: Submit;
  /** Called with a webhook's failure, without the reader's values. Default: nothing. */
  readonly webhookFailed?: (failure: WebhookFailure) => void;
  /** The spelling that is sent where specification and deployed service differ. Default `deployed`. */
  readonly wire?: "deployed" | "seed";
  /** Settings of the knowledge interface. */
  readonly knowledge?: Pick<KnowledgeOptions, "emptySearch" | "logIp" | "logUserAgent">;
  /** The files that ticketing accepts, and the settings of its e-mail. */
  readonly ticketing?: Pick<TicketingOptions, "mediaTypes" | "mail">;
  /** The e-mail of tickets. Default: there is none. */
  readonly mailing?: Pick<Mailing, "hook" | "decide">;
  /** Returns the client's address of a request, or null. Default: it is unknown. */
  readonly peer?: (c: Context) => string | null;
  /** The version of the running program, for the documentation at /docs. */
  readonly version?: string;
  /** Calls addresses that customers register. Default null: none can be registered. */
  readonly hooks?: HookTransport | null;
  /** The feed of the chat's event streams. Default: a feed of its own. */
  readonly chatFeed?: ChatFeed;
  /** A secret of this process, which the live chat accepts for every app. Default: none. */
  readonly chatSecret?: string;
  /** The chat page; without it, or without `pageWords`, GET / is 404. */
  readonly page?: PageFiles;
  /** Reads the words of the chat page, as `words-<tag>.json`, when it is first opened. */
  readonly pageWords?: () => Promise<ReadonlyMap<string, string>>;
  /** Reads the files of the agents' desk when it is first opened; without it /desk is 404. */
  readonly desk?: () => Promise<ServedFiles>;
  /** Reads the style and the script of the page at /docs; without them it is plain. */
  readonly docs?: () => Promise<ReadonlyMap<string, string>>;
  /**
   * The address where clients reach it, for the page at /docs. Default: the address of the request.
   */
  readonly address?: () => string;
  /** True while a gateway in front serves the owner's console: then the pages link to it. */
  readonly console?: () => boolean;
  /** True while demo credentials are among `credentials`: the page then uses them. */
  readonly demo?: boolean;
  /**
   * Recognizes a yes, a no and a cancel; called for each message. Default: only these English words.
   * `openBackend` recognizes those of all shipped languages.
   */
  readonly recognition?: () => Recognition;
  /** The words of a language that matching knows besides those of the contents. Default: none. */
  readonly words?: WordsOf;
  /** Limit of a request body, in bytes. Default 10 MB (10,485,760). */
  readonly bodyLimit?: number;
  /** The call limits of keys. Default: the usual ones, counted in this process; null for none. */
  readonly limits?: RateLimits | null;
  /** Queue for deriving passwords. Default: its own, with the platform's cryptography. */
  readonly derivations?: Derivations;
  /** Rounds of PBKDF2 for new passwords of agents. Default 210,000, about 0.1 seconds each. */
  readonly passwordRounds?: number;
  /** Counts the requests under way, so that the storage stays open until they are answered. */
  readonly inFlight?: InFlight;
  /** The memory budget of request bodies. Default: 256 MiB for this backend. */
  readonly bodies?: ByteBudget;
  /** Called when a wrong password or secret was shown. Default: nothing happens. */
  readonly refusedCredential?: (refused: RefusedCredential) => void;
  /** Called with every failure that a client saw as 500. Default: nothing happens. */
  readonly report?: (error: unknown, request?: FailedRequest) => void;
}

/** Wrong credentials, without the secret that was shown. */
export interface RefusedCredential {
  readonly kind: "agent-login" | "api-secret" | "app-secret";
  /** The client's address; empty where it is not known. */
  readonly address: string;
}

/** A request that was answered 500, without anything that could be a secret. */
export interface FailedRequest {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  /** The client's `x-request-id`, or null. */
  readonly requestId: string | null;
}

/** A form that could not be submitted. */
export interface WebhookFailure {
  readonly form: string;
  /** Id of the content with the form. */
  readonly content: number;
  readonly reason: SubmissionFailure;
  /** For the operator's log, without secrets and readers' values. */
  readonly detail: string;
}
