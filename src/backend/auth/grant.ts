import type { Credential } from "./credentials.ts";
import { secretMatches } from "./credentials.ts";
import { originAllowed } from "./domains.ts";
import type { TokenGrant } from "./tokens.ts";

/** What a caller of /auth showed. */
export interface Shown {
  /** Readings of the secret or domain key: clients send it raw or percent-encoded. */
  readonly secrets: readonly string[];
  readonly personalSecrets: readonly string[];
  /** The browser's own word for where the request came from, or null outside a browser. */
  readonly origin: string | null;
  readonly address: string;
}

/**
 * What a token may be issued with; `browser-secret` for a secret that came out of a browser, where
 * it must not be (seed.md, Authentication rule 4); null for anything that is not right. A domain
 * key is accepted from its own domains only (rule 1).
 */
export async function grantFor(
  credential: Credential,
  { secrets, personalSecrets, origin, address }: Shown,
): Promise<TokenGrant | "browser-secret" | null> {
  if (await anyMatches(credential.secretDigest, secrets)) {
    if (origin !== null) return "browser-secret";
    const person = await personOf(credential, personalSecrets);
    return person === null ? null : { domainKey: null, person: person.name, address };
  }
  for (const key of credential.domainKeys) {
    if (!(await anyMatches(key.digest, secrets))) continue;
    const allowed = origin !== null && originAllowed(origin, key.domains);
    return allowed ? { domainKey: key.id, person: null, address } : null;
  }
  return null;
}

/**
 * Null for a personal secret that is nobody's. Where a project has none, one that is sent means
 * nothing.
 */
async function personOf(
  credential: Credential,
  sent: readonly string[],
): Promise<{ readonly name: string | null } | null> {
  if (sent.length === 0 || credential.personalSecrets.length === 0) return { name: null };
  for (const { name, digest } of credential.personalSecrets) {
    if (await anyMatches(digest, sent)) return { name };
  }
  return null;
}

async function anyMatches(digest: Uint8Array, texts: readonly string[]): Promise<boolean> {
  for (const text of texts) {
    if (await secretMatches(digest, text)) return true;
  }
  return false;
}
