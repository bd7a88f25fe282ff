import { toText } from "../bytes.ts";

/** What a project's owner is given: an API key, and the secret that goes with it. */
export interface CredentialEntry {
  readonly apiKey: string;
  readonly secret: string;
  /** The project whose data the key opens. */
  readonly project: string;
  /** Well-known credentials for trying things out: refused to a request that came through a proxy. */
  readonly demo?: boolean;
}

/** An API key as the backend keeps it. The secret itself is not kept. */
export interface Credential {
  /** Stands in access tokens instead of the key. */
  readonly id: string;
  readonly apiKey: string;
  readonly project: string;
  readonly demo: boolean;
  readonly secretDigest: Uint8Array;
}

/** Where credentials are looked up: a fixed list now, a database later. */
export interface Credentials {
  find(apiKey: string): Promise<Credential | null>;
}

/** Credentials from a list. An API key that occurs twice keeps its first entry. */
export function credentialsFrom(entries: readonly CredentialEntry[]): Credentials {
  const kept = new Map<string, Promise<Credential>>();
  const firsts = new Map(entries.toReversed().map((entry) => [entry.apiKey, entry]));
  return {
    async find(apiKey) {
      const entry = firsts.get(apiKey);
      if (entry === undefined) return null;
      const known = kept.get(apiKey) ?? toCredential(entry);
      kept.set(apiKey, known);
      return known;
    },
  };
}

/** True when `secret` is the credential's. Digests are compared in full, so that time tells nothing about where they differ. */
export async function secretMatches(credential: Credential, secret: string): Promise<boolean> {
  const given = await digest(secret);
  let difference = 0;
  for (const [index, byte] of credential.secretDigest.entries()) {
    difference |= byte ^ (given[index] ?? 0);
  }
  return difference === 0;
}

async function toCredential(entry: CredentialEntry): Promise<Credential> {
  return {
    id: toText((await digest(`api key:${entry.apiKey}`)).subarray(0, 12)),
    apiKey: entry.apiKey,
    project: entry.project,
    demo: entry.demo ?? false,
    secretDigest: await digest(entry.secret),
  };
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}
