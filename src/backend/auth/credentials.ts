import { hashSha256, toBase64Url } from "../../json/bytes.ts";
import { isForwardingField } from "../../http/client-address.ts";

/** The credentials of a project's owner: an API key with its secret. */
export interface CredentialEntry {
  readonly apiKey: string;
  readonly secret: string;
  /** The project whose data the key opens. */
  readonly project: string;
  /** Keys for browsers, in place of the secret. */
  readonly domainKeys?: readonly DomainKeyEntry[];
  /** Secrets of individual people, sent in addition to the project's own. */
  readonly personalSecrets?: readonly PersonalSecretEntry[];
  /** Multiplies the usual limits, from 1 to 5 (seed.md, 2018.10.03). Default 1. */
  readonly factor?: number;
  /** Unix seconds: tokens issued earlier are refused. Default 0. */
  readonly notBefore?: number;
  /** True for well-known credentials for trials. They are refused behind a proxy. */
  readonly demo?: boolean;
}

/** A domain key works in requests that a browser sends from one of its domains. */
export interface DomainKeyEntry {
  readonly key: string;
  /** Origins (`https://shop.example`), hosts (`shop.example`), or domains (`.shop.example`). */
  readonly domains: readonly string[];
}

export interface PersonalSecretEntry {
  readonly name: string;
  readonly secret: string;
}

/** An API key as the backend stores it, without the secret itself. */
export interface Credential {
  /** Identifies the key in access tokens, which do not contain it. */
  readonly id: string;
  readonly apiKey: string;
  readonly project: string;
  readonly demo: boolean;
  readonly secretDigest: Uint8Array;
  readonly domainKeys: readonly DomainKey[];
  readonly personalSecrets: readonly PersonalSecret[];
  readonly factor: number;
  readonly notBefore: number;
}

export interface DomainKey {
  /** Identifies the key in access tokens, which do not contain it. */
  readonly id: string;
  readonly digest: Uint8Array;
  readonly domains: readonly string[];
}

export interface PersonalSecret {
  readonly name: string;
  readonly digest: Uint8Array;
}

/** Looks up credentials. */
export interface Credentials {
  find(apiKey: string): Promise<Credential | null>;
}

/** Looks up credentials in a list. If an API key occurs twice, its first entry counts. */
export function credentialsFrom(entries: readonly CredentialEntry[]): Credentials {
  const converted = new Map<string, Promise<Credential>>();
  const firsts = new Map(entries.toReversed().map((entry) => [entry.apiKey, entry]));
  return {
    async find(apiKey) {
      const entry = firsts.get(apiKey);
      if (entry === undefined) return null;
      const credential = converted.get(apiKey) ?? toCredential(entry);
      converted.set(apiKey, credential);
      return credential;
    },
  };
}

/** True when `secret` has this digest; compares in constant time. */
export async function matchesSecret(digest: Uint8Array, secret: string): Promise<boolean> {
  const given = await hashSha256(secret);
  let difference = 0;
  for (const [index, byte] of digest.entries()) difference |= byte ^ (given[index] ?? 0);
  return difference === 0;
}

/** Makes the stored form of credentials. */
export async function toCredential(entry: CredentialEntry): Promise<Credential> {
  return {
    id: await idOf("api key", entry.apiKey),
    apiKey: entry.apiKey,
    project: entry.project,
    demo: entry.demo ?? false,
    secretDigest: await hashSha256(entry.secret),
    domainKeys: await Promise.all(
      (entry.domainKeys ?? []).map(async ({ key, domains }) => ({
        id: await idOf("domain key", key),
        digest: await hashSha256(key),
        domains,
      })),
    ),
    personalSecrets: await Promise.all(
      (entry.personalSecrets ?? []).map(async ({ name, secret }) => ({
        name,
        digest: await hashSha256(secret),
      })),
    ),
    factor: Math.min(5, Math.max(1, entry.factor ?? 1)),
    notBefore: entry.notBefore ?? 0,
  };
}

async function idOf(kind: string, key: string): Promise<string> {
  return toBase64Url((await hashSha256(`${kind}:${key}`)).subarray(0, 12));
}

/**
 * True if an entry matches a browser's `Origin`. An entry with a scheme matches exactly this origin.
 * A bare host matches the host over https on any port. With a leading dot it also matches all hosts
 * below. Over plain http only loopback hosts are accepted. An opaque origin (`null`) never matches.
 */
export function isOriginAllowed(origin: string, domains: readonly string[]): boolean {
  const url = URL.parse(origin);
  if (url === null || url.origin !== origin.toLowerCase() || url.origin === "null") return false;
  const loopback = isLoopback(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && loopback)) return false;
  return domains.some((domain) => {
    const entry = domain.trim().toLowerCase();
    if (entry.includes("://")) return URL.parse(entry)?.origin === url.origin;
    if (!entry.startsWith(".")) return url.hostname === entry;
    return url.hostname === entry.slice(1) || url.hostname.endsWith(entry);
  });
}

export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** The chat page uses this key, because a browser must not have a secret. */
export const DEMO_DOMAIN_KEY = "demo-domain-key";

const domainKey: DomainKeyEntry = {
  key: DEMO_DOMAIN_KEY,
  domains: [".localhost", "127.0.0.1", "[::1]"],
};

/** Credentials for a local listener. `demo-modern` has active default content (seed.md, rule 2). */
export const DEMO_CREDENTIALS: readonly CredentialEntry[] = [
  { apiKey: "demo-key", project: "shop" },
  { apiKey: "demo-modern", project: "modern" },
].map((entry) => ({ ...entry, secret: "demo-secret", demo: true, domainKeys: [domainKey] }));

/**
 * True if the demo credentials must not work: behind a proxy, or if `Host` is a DNS name. A hostile
 * page can point a name of its own to this machine, and so share its origin (DNS rebinding).
 */
export function isFromElsewhere(headers: Headers): boolean {
  const host = headers.get("host");
  if (host !== null && !isLoopback(URL.parse(`http://${host}`)?.hostname ?? "")) return true;
  return isForwarded(headers);
}

/**
 * True if a proxy has forwarded the request, so that even a listener on loopback is reachable from
 * outside. The `Via` of Afterword's own gateway in front of this backend does not count.
 */
function isForwarded(headers: Headers): boolean {
  let forwarded = false;
  // `forEach` is used because the iterator sorts the fields first.
  headers.forEach((value, name) => {
    forwarded ||= isForwardingField(name) && !(name === "via" && ownVia.test(value));
  });
  return forwarded;
}

const ownVia = /^1\.1 afterword-[^\s,]+$/;
