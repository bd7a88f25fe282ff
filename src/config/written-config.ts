import type { TextFormat } from "../locales/types.ts";
import type { WrittenEscalation } from "./written-escalation.ts";

/**
 * `config/afterword.yaml` as it is written, key by key, its values parsed (durations in
 * milliseconds, sizes in bytes, tags canonical) and nothing filled in. The schema checks the file
 * against this; compile-config.ts turns it into `Config`.
 */
export interface WrittenConfig {
  version: 1;
  listen?: WrittenListen | undefined;
  data?: string | undefined;
  upstream: WrittenUpstream;
  instances?: WrittenInstance[] | undefined;
  messages?: (WrittenMessages & { acceptLanguage?: boolean | undefined }) | undefined;
  backend?: WrittenBackend | undefined;
  state?:
    | { store?: string | undefined; retention?: number | undefined; key?: string | undefined }
    | undefined;
  escalation?: WrittenEscalation | undefined;
  callers?: WrittenCaller[] | undefined;
  limits?: WrittenLimits | undefined;
}

export interface WrittenListen {
  host?: string | undefined;
  port?: number | undefined;
  trustProxies?: string[] | undefined;
  publicUrl?: string | undefined;
  tls?: { cert: string; key: string } | undefined;
}

export type WrittenUpstream = "embedded" | WrittenAddresses;

export interface WrittenAddresses {
  auth?: string | undefined;
  chat?: string | undefined;
  apis?: Record<string, string> | undefined;
  allow?: string[] | undefined;
  keyHeader?: string | undefined;
  timeouts?: WrittenTimeouts | undefined;
}

export interface WrittenTimeouts {
  connect?: number | undefined;
  headers?: number | undefined;
  total?: number | undefined;
  idle?: number | undefined;
}

export interface WrittenInstance {
  name: string;
  match?:
    | {
        apiKey?: string | undefined;
        host?: string | undefined;
        pathPrefix?: string | undefined;
      }
    | undefined;
  language?: string | undefined;
  created?: string | undefined;
  defaultContent?: Record<string, "active" | "inactive" | undefined> | undefined;
  recognize?: Record<string, string[]> | undefined;
  restoreFlags?: boolean | undefined;
  channel?: string | undefined;
  channels?: Record<string, string> | undefined;
  format?: TextFormat | Record<string, TextFormat> | undefined;
  variables?: string[] | undefined;
  history?: "engine" | "shown" | undefined;
  upstream?: WrittenUpstream | undefined;
  messages?: WrittenMessages | undefined;
  escalation?: WrittenEscalation | undefined;
  credentials?: WrittenCredentials | undefined;
}

export interface WrittenMessages {
  dir?: string | undefined;
  use?: ("own" | "shipped")[] | undefined;
  fallback?:
    | { default?: string | undefined; chains?: Record<string, string[]> | undefined }
    | undefined;
}

export interface WrittenCredentials {
  apiKey?: string | undefined;
  secret?: string | undefined;
  chatApp?: string | undefined;
  chatSecret?: string | undefined;
  room?: string | number | undefined;
}

export interface WrittenCaller {
  name: string;
  instance?: string | undefined;
  origins?: string[] | undefined;
  jwt?: WrittenCallerJwt | undefined;
  key?: string | string[] | undefined;
  operations?: string[] | undefined;
  rate?: { calls?: WrittenRate | undefined; perClient?: WrittenRate | undefined } | undefined;
  media?: { bytes?: number | undefined; types?: string[] | undefined } | undefined;
}

export interface WrittenRate {
  calls: number;
  milliseconds: number;
}

export interface WrittenCallerJwt {
  issuer: string;
  audience: string;
  algorithms?: ("HS256" | "RS256" | "ES256" | "EdDSA")[] | undefined;
  /** A public key as PEM, or a shared secret. */
  key?: string | undefined;
  jwks?: string | { keys: Record<string, unknown>[] } | undefined;
}

export interface WrittenBackend {
  content?: string | undefined;
  database?: string | undefined;
  wire?: "deployed" | "seed" | undefined;
  webhooks?: string[] | undefined;
  knowledge?:
    | {
        emptySearch?: 404 | 200 | undefined;
        logIp?: boolean | undefined;
        logUserAgent?: boolean | undefined;
      }
    | undefined;
  ticketing?: { mediaTypes?: string[] | undefined } | undefined;
}

export interface WrittenLimits {
  transformBytes?: number | undefined;
  requestBytes?: number | undefined;
  heldBytes?: number | undefined;
  inFlight?: number | undefined;
  inFlightPerClient?: number | undefined;
  queue?: number | undefined;
  streams?: number | undefined;
}
