import { LRUCache } from "lru-cache";
import type { UpstreamConfig } from "../../config/config.ts";
import type { RawHeaders } from "../../http/types.ts";
import { bearerOf, fieldOf } from "../exchange/headers.ts";
import { readAuthAnswer } from "./apis.ts";
import { type Base, joinPath, parseBase, permissionOf } from "./base.ts";
import { readPlainBody } from "./gates.ts";
import type { Platform } from "../exchange/platform.ts";
import { readWholeAnswer, type WholeAnswer } from "./whole-answer.ts";

/** The credentials that ask for a base: the client's own, under the client's own header names. */
export interface ClientCredentials {
  readonly keyHeader: string;
  readonly apiKey: string;
  /** The Authorization value as sent. */
  readonly authorization: string;
  readonly origin: string | null;
}

/** The credentials that a request brings, or null without a key or a token. */
export function credentialsOf(headers: RawHeaders): ClientCredentials | null {
  const authorization = fieldOf(headers, "authorization");
  const key = apiKeyOf(headers);
  return authorization === null || key === null
    ? null
    : { ...key, authorization, origin: fieldOf(headers, "origin") };
}

/** The client's API key, and the header it came in. */
export function apiKeyOf(
  headers: RawHeaders,
): Pick<ClientCredentials, "keyHeader" | "apiKey"> | null {
  for (const keyHeader of ["x-inbenta-key", "x-vendor-key"]) {
    const apiKey = fieldOf(headers, keyHeader);
    if (apiKey !== null) return { keyHeader, apiKey };
  }
  return null;
}

/** Discovery's result: the bases of a token's products, or the refusal to relay. */
export type Discovered =
  | { readonly kind: "apis"; readonly bases: ReadonlyMap<string, Base> }
  | { readonly kind: "refusal"; readonly answer: Extract<WholeAnswer, { kind: "whole" }> }
  | { readonly kind: "failed"; readonly status: 502 | 504 };

export interface Discovery {
  /** The bases for a token: cached, being fetched, or fetched now. Never rejects. */
  find(upstream: UpstreamConfig, credentials: ClientCredentials): Promise<Discovered>;
  /** Learns a token's bases (null without `apis`) and end, to save discovery and renew in time. */
  learn(facts: TokenFacts): Promise<void>;
}

export interface TokenFacts {
  readonly upstream: UpstreamConfig;
  readonly apiKey: string;
  readonly token: string;
  readonly bases: ReadonlyMap<string, Base> | null;
  /** Milliseconds since the epoch; null when the answer named no expiry. */
  readonly expires: number | null;
}

/** Milliseconds to keep bases of tokens without known end, and refusals. */
export const unknownExpiry: number = 20 * 60_000;
export const refusalLifetime = 10_000;
/** Bases are kept at least so long, whatever end the upstream named, in milliseconds. */
export const minLifetime = 30_000;
// Statuses of refusals that are cached; others are temporary faults of the upstream.
const refusals: ReadonlySet<number> = new Set([401, 403, 404]);
/** The most tokens with cached answers. */
const maxTokens = 10_000;
/** Bytes that all known answers take together. */
const maxBytes = 32 * 1024 * 1024;
/**
 * Bytes of the largest refusal that is kept, head and body, because clients can cause any number of
 * them.
 */
export const maxKeptBytes: number = 16 * 1024;

/** Finds plain paths' bases by GET /v1/apis (seed.md, Discovery): once per API key and token. */
export function createDiscovery(
  platform: Platform,
  via: string,
  refusedAddress: (base: Base) => void,
): Discovery {
  const known = new LRUCache<string, Discovered>({
    max: maxTokens,
    maxSize: maxBytes,
    sizeCalculation: (found, key) => key.length + sizeOf(found),
    perf: { now: () => platform.now() },
    ttlResolution: 0,
  });
  const underWay = new Map<string, Promise<Discovered>>();
  // Ends of tokens whose bases nobody has asked for yet: a refreshed token comes without `apis`.
  const ends = new LRUCache<string, number>({ max: maxTokens });

  return {
    async find(upstream, credentials) {
      const key = await keyOf(upstream, credentials.apiKey, bearerOf(credentials.authorization));
      // A refusal may concern one page only (domain keys), and carries its CORS fields.
      const byOrigin = `${key} ${credentials.origin ?? ""}`;
      const found = known.get(key) ?? known.get(byOrigin);
      if (found !== undefined) return found;
      let asking = underWay.get(byOrigin);
      if (asking === undefined) {
        asking = askApis(platform, via, upstream, credentials, refusedAddress)
          .then((answer) => {
            if (answer.kind === "apis") known.set(key, answer, { ttl: lifetimeOf(key) });
            else if (isKept(answer)) known.set(byOrigin, answer, { ttl: refusalLifetime });
            return answer;
          })
          .finally(() => underWay.delete(byOrigin));
        underWay.set(byOrigin, asking);
      }
      return asking;
    },
    async learn({ upstream, apiKey, token, bases, expires }) {
      const key = await keyOf(upstream, apiKey, token);
      if (expires !== null) ends.set(key, expires);
      if (bases !== null) known.set(key, { kind: "apis", bases }, { ttl: lifetimeOf(key) });
    },
  };

  /** How long a token's bases are known; at least a while, in case our clock runs ahead. */
  function lifetimeOf(key: string): number {
    const end = ends.get(key) ?? platform.now() + unknownExpiry;
    ends.delete(key);
    return Math.max(end - platform.now(), minLifetime);
  }

  async function keyOf(upstream: UpstreamConfig, apiKey: string, token: string): Promise<string> {
    return `${upstream.auth} ${apiKey} ${await platform.digest(token)}`;
  }
}

/** Asks the authentication service for the addresses of this token's products. */
async function askApis(
  platform: Platform,
  via: string,
  upstream: UpstreamConfig,
  credentials: ClientCredentials,
  refusedAddress: (base: Base) => void,
): Promise<Discovered> {
  const auth = parseBase(upstream.auth);
  if (auth === null) return { kind: "failed", status: 502 };
  const headers = ["Host", auth.host, credentials.keyHeader, credentials.apiKey];
  headers.push("Authorization", credentials.authorization);
  if (credentials.origin !== null) headers.push("Origin", credentials.origin);
  headers.push("Accept", "application/json", "Via", via);
  const { connect, headers: first, total } = upstream.timeouts;
  const answer = await readWholeAnswer(
    platform.transport,
    {
      origin: auth.origin,
      method: "GET",
      path: joinPath(auth, "/v1/apis"),
      headers,
      body: null,
      timeouts: { connect, headers: first, total, idle: 0 },
      trusted: true,
    },
    maxAnswerBytes,
  );
  if (answer.kind === "failed") return answer;
  if (answer.status !== 200)
    // A copy: a few bytes of an answer would keep the whole buffer that they were read into.
    return { kind: "refusal", answer: { ...answer, body: new Uint8Array(answer.body) } };
  const body = await readPlainBody(platform, answer.headers, answer.body, maxAnswerBytes);
  const read = body === null ? null : readAuthAnswer(body, platform.now());
  if (read === null || read.apis === null) return { kind: "failed", status: 502 };
  return { kind: "apis", bases: listUsableBases(read.apis, upstream, refusedAddress) };
}

function isKept(found: Discovered): boolean {
  return (
    found.kind === "refusal" && refusals.has(found.answer.status) && sizeOf(found) <= maxKeptBytes
  );
}

/** About how many bytes an answer takes, and at least one. */
function sizeOf(found: Discovered): number {
  if (found.kind === "failed") return 1;
  if (found.kind === "refusal") {
    const { headers, body } = found.answer;
    return body.length + 2 * headers.join().length;
  }
  const addresses = Array.from(found.bases.values(), ({ address }) => address);
  // An address is kept whole and in its parts.
  return 1 + 4 * addresses.join().length;
}

// An answer to discovery is a handful of addresses.
const maxAnswerBytes = 256 * 1024;

/** Parses the addresses of `apis` and leaves out those that may not be used. */
export function listUsableBases(
  apis: ReadonlyMap<string, { readonly address: string }>,
  upstream: UpstreamConfig,
  refusedAddress: (base: Base) => void,
): ReadonlyMap<string, Base> {
  const bases = new Map<string, Base>();
  for (const [product, { address }] of apis) {
    const base = parseBase(address);
    if (base === null) continue;
    if (permissionOf(base, upstream) === "refused") refusedAddress(base);
    else bases.set(product, base);
  }
  return bases;
}
