import type { WordsByLanguage } from "../locales/recognition.ts";
import type { MatchingSettings } from "../matching/types.ts";
import type { InstanceRules } from "../direct-answers/types.ts";
import type { TableSet, TextFormat } from "../locales/types.ts";
import type { CallerOperation } from "./caller-operations.ts";
import type { EscalationConfig } from "./escalation-config.ts";

export type { EscalationConfig } from "./escalation-config.ts";

/**
 * The configuration that `config/` gives to all other parts: plain, frozen, JSON-serialisable data,
 * validated and compiled. Durations are milliseconds, sizes are bytes, paths are absolute,
 * addresses are absolute URLs without a trailing slash or `embedded:<product>`.
 */
export interface Config {
  /** SHA-256 (hex) of everything that determines answers; shown in /_afterword/version. */
  readonly hash: string;
  readonly listen: ListenConfig;
  /** Data directory: route keys, generated demo credentials, embedded database. */
  readonly data: string;
  /** The upstream of requests that no instance matches; they pass through untouched. */
  readonly upstream: UpstreamConfig;
  /** First match wins. At least one. */
  readonly instances: readonly InstanceConfig[];
  readonly tableSets: readonly TableSet[];
  /** The words that readers type for yes, no, cancel and a person. */
  readonly recognition: WordsByLanguage;
  /** True if Accept-Language decides the locale (`messages.acceptLanguage`, default false). */
  readonly acceptLanguage: boolean;
  readonly backend: BackendConfig;
  readonly state: StateConfig;
  /** The settings of insights; null if nothing is counted. */
  readonly insights: InsightsConfig | null;
  readonly escalation: EscalationConfig;
  /** `edit` false: the console shows texts but does not change them. */
  readonly console: { readonly edit: boolean };
  /**
   * The callers that may use server-side credentials. Holds secrets: never logged, never put into a
   * bundle.
   */
  readonly callers: readonly CallerConfig[];
  readonly limits: LimitsConfig;
  /** Files and directories that this configuration was read from, and that are watched. */
  readonly sources: readonly string[];
  /** Warnings found while loading; errors never leave the loader. */
  readonly warnings: readonly string[];
}

export interface ListenConfig {
  readonly host: string;
  readonly port: number;
  /** Addresses or CIDR ranges whose Forwarded and X-Forwarded-* headers are believed. */
  readonly trustProxies: readonly string[];
  /** Base of the routes in `apis`, no trailing slash; null for the request's scheme and Host. */
  readonly publicUrl: string | null;
  /** PEM files for TLS listening, or null for plain HTTP. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
}

export interface UpstreamConfig {
  /** Base that serves /v1/auth, /v1/refreshToken and /v1/apis. */
  readonly auth: string;
  readonly chat: string | null;
  /** Fixed bases by product key. Other products are discovered. */
  readonly apis: { readonly [product: string]: string };
  /**
   * Hosts, or suffixes with a leading dot, that discovery may return. Empty means any public https
   * host.
   */
  readonly allow: readonly string[];
  /** API-key header of Afterword's own calls. */
  readonly keyHeader: string;
  readonly timeouts: UpstreamTimeouts;
}

export interface UpstreamTimeouts {
  readonly connect: number;
  readonly headers: number;
  readonly total: number;
  readonly idle: number;
}

export interface InstanceConfig {
  readonly name: string;
  /** All given fields must match. An empty match matches every request. */
  readonly match: {
    readonly apiKey?: string;
    readonly host?: string;
    readonly pathPrefix?: string;
  };
  readonly upstream: UpstreamConfig;
  /**
   * The language of conversations that name none. If it is empty, Accept-Language decides, then the
   * fallback.
   */
  readonly language: string;
  /** The rules of this instance that the direct-answer decision needs. */
  readonly rules: InstanceRules;
  /** Index into `Config.tableSets`. */
  readonly tableSet: number;
  readonly channel: string;
  /** x-inbenta-source value (lower case) → channel. */
  readonly channels: { readonly [source: string]: string };
  /** Format of texts per channel; the key `""` is the instance's default. */
  readonly formats: { readonly [channel: string]: TextFormat };
  /** Conversation variables (lower case) that texts may use. */
  readonly variables: readonly string[];
  /** `engine`: GET /conversation/history as sent. `shown`: with the texts the reader saw. */
  readonly history: "engine" | "shown";
  /** The global settings, overridden by the instance's own. */
  readonly escalation: EscalationConfig;
  /** The same, for the embedded backend's search. */
  readonly matching: MatchingSettings;
  /** For Afterword's own calls. Secret: never in logs, bundles or `hash`. */
  readonly credentials: CredentialsConfig | null;
}

export interface CredentialsConfig {
  readonly apiKey: string | null;
  readonly secret: string | null;
  readonly chatApp: string | null;
  readonly chatSecret: string | null;
  readonly room: string | number | null;
}

/** A client that uses an instance's credentials. It has to fulfil all of `origins`, `jwt`, `keys`. */
export interface CallerConfig {
  readonly name: string;
  /** The name of the instance whose upstream and credentials are used. */
  readonly instance: string;
  /** As browsers send them: scheme, host and port, lower case. Empty if no page is this caller. */
  readonly origins: readonly string[];
  readonly jwt: CallerJwt | null;
  /** Accepted keys. There are two while one replaces the other. */
  readonly keys: readonly string[];
  readonly operations: readonly CallerOperation[];
  readonly rate: Rate;
  /** The limit of one token subject or client address; null if `rate` is the only limit. */
  readonly perClient: Rate | null;
  /** Limit in bytes, and types for uploads (`image/png`, `image/*`); no types: all. */
  readonly media: { readonly bytes: number; readonly types: readonly string[] };
}

/** A limit: at most `calls` within `milliseconds`. */
export interface Rate {
  readonly calls: number;
  readonly milliseconds: number;
}

export interface CallerJwt {
  readonly issuer: string;
  readonly audience: string;
  /** A subset of HS256, RS256, ES256 and EdDSA; HS256 needs a shared secret. */
  readonly algorithms: readonly string[];
  readonly keys:
    | { readonly kind: "secret"; readonly secret: string }
    | { readonly kind: "public"; readonly pem: string }
    | { readonly kind: "keys"; readonly keys: readonly JsonValue[] }
    | { readonly kind: "jwks"; readonly url: string };
}

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonRecord;
export type JsonRecord = { readonly [key: string]: JsonValue };

export interface BackendConfig {
  /** Content directory of the embedded engine. */
  readonly content: string;
  /** SQLite file or postgres:// address. */
  readonly database: string;
  readonly wire: "deployed" | "seed";
  /** Hosts that webhooks of forms may call: `host`, `host:port` or `.suffix`. Empty means none. */
  readonly webhooks: readonly string[];
  readonly knowledge: {
    /** Status of a search that finds nothing. */
    readonly emptySearch: 404 | 200;
    /** Whether events carry the reader's address and browser. */
    readonly logIp: boolean;
    readonly logUserAgent: boolean;
  };
  /** Files that may be uploaded: extensions, types such as `image/png` and `image/*`. */
  readonly ticketing: { readonly mediaTypes: readonly string[] };
  /** E-mail of tickets; null if mail is neither sent nor promised. */
  readonly mail: MailConfig | null;
}

export interface MailConfig {
  /** `smtps://user:password@host:465`, or `smtp://…` with STARTTLS. */
  readonly smtp: string;
  /** The sender: an address, or `Shop <help@shop.example>`. */
  readonly from: string;
  /**
   * The source of replies: a mailbox (`imaps://user:password@host`) or a webhook; null for none.
   */
  readonly inbound:
    | { readonly kind: "imap"; readonly address: string }
    | { readonly kind: "webhook"; readonly secret: string }
    | null;
  /** The text that confirms a new ticket to its person; null if no confirmation is sent. */
  readonly acknowledge: string | null;
}

export interface StateConfig {
  /** `memory`, `file` or a redis:// address. */
  readonly store: string;
  /** How long settled and idle escalations are kept after the last change. */
  readonly retention: number;
  /**
   * Encrypts stored values (`readStateKeys`); absent for no encryption. Never logged or in `hash`.
   */
  readonly key?: string;
}

export interface InsightsConfig {
  /** `file`, or a postgres:// address. The address is never logged or in `hash`. */
  readonly store: string;
  /** Whether the words of questions without an answer are kept. */
  readonly questions: boolean;
  /** How long questions are kept. */
  readonly retention: number;
  /** The webhook that gets the weekly summary; null for none. Never logged. */
  readonly webhook: InsightsWebhook | null;
}

export interface InsightsWebhook {
  readonly url: string;
  /** The key that signs summaries. */
  readonly secret: string;
}

export interface LimitsConfig {
  readonly transformBytes: number;
  readonly requestBytes: number;
  /** The most bytes of request bodies in memory. */
  readonly heldBytes: number;
  readonly inFlight: number;
  /** How many exchanges in flight one client may have. */
  readonly inFlightPerClient: number;
  readonly queue: number;
  readonly streams: number;
}
