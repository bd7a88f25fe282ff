import { LRUCache } from "lru-cache";
import { SignJWT, base64url, jwtVerify } from "jose";
import type { JWTPayload } from "jose";
import { toBase64Url } from "../../json/bytes.ts";
import type { Credential } from "./credentials.ts";
import { AfterwordError } from "../../errors.ts";

/** Seconds an access token is good for. */
export const TOKEN_LIFETIME = 1200;

/**
 * The token in answers of /v1/auth and /v1/refreshToken. `expiration`: Unix seconds, `expires_in`:
 * seconds.
 */
export interface IssuedToken {
  readonly accessToken: string;
  readonly expiration: number;
  readonly expires_in: number;
}

/** The claims of a valid token: to which credential it was issued, and how. */
export interface TokenClaims extends TokenGrant {
  readonly credential: string;
  readonly project: string;
  /** Unix seconds. */
  readonly issued: number;
}

/** The grant that a token is issued with. A refreshed token keeps all of it but the address. */
export interface TokenGrant {
  /** Id of the domain key it was issued for, or null if it was issued for the secret. */
  readonly domainKey: string | null;
  /** Name of the person whose personal secret was given, or null. */
  readonly person: string | null;
  /** Origin at which the token was requested. Discovery uses it for the token's whole lifetime. */
  readonly address: string;
}

/**
 * Issues and verifies stateless access tokens, which stay valid after restarts and in every process
 * with the keys.
 */
export interface Tokens {
  issue(credential: Credential, grant: TokenGrant): Promise<IssuedToken>;
  /** Null for a token that is damaged, expired, or signed with an unknown key. */
  verify(token: string): Promise<TokenClaims | null>;
}

export interface TokensOptions {
  /** The first signs, all verify, so that a key can be replaced while its tokens are in use. */
  readonly signingKeys: readonly Uint8Array[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly random: (length: number) => Uint8Array;
}

const issuer = "afterword";

/** Tokens are JWTs signed with HS256. Throws `argument-invalid` for unusable keys. */
export function createTokens({ signingKeys, now, random }: TokensOptions): Tokens {
  checkSecrets(signingKeys);
  let derived: Promise<readonly SigningKey[]> | undefined;
  const readKeys = (): Promise<readonly SigningKey[]> => (derived ??= deriveKeys(signingKeys));

  // A signature that was verified once stays valid until the token expires.
  const verified = new LRUCache<string, VerifiedToken>({ max: 10_000 });

  return {
    async issue(credential, { domainKey, person, address }) {
      const [first] = await readKeys();
      if (first === undefined) throw new Error("unreachable: the keys were checked");
      const issued = Math.floor(now() / 1000);
      const expiration = issued + TOKEN_LIFETIME;
      const accessToken = await new SignJWT({
        project: credential.project,
        address,
        ...(domainKey !== null && { domain_key: domainKey }),
        ...(person !== null && { person }),
      })
        .setProtectedHeader({ alg: "HS256", kid: first.id, typ: "JWT" })
        .setIssuer(issuer)
        .setSubject(credential.id)
        .setIssuedAt(issued)
        .setExpirationTime(expiration)
        .setJti(toBase64Url(random(16)))
        .sign(first.key);
      return { accessToken, expiration, expires_in: TOKEN_LIFETIME };
    },

    async verify(token) {
      const cached = verified.get(token);
      if (cached !== undefined) return cached.ends > now() ? cached.claims : null;
      const found = await verifySignature(token, await readKeys(), now());
      if (found === null) return null;
      verified.set(token, found);
      return found.claims;
    },
  };
}

interface VerifiedToken {
  readonly claims: TokenClaims;
  /** Milliseconds since the epoch. */
  readonly ends: number;
}

async function verifySignature(
  token: string,
  ring: readonly SigningKey[],
  now: number,
): Promise<VerifiedToken | null> {
  try {
    if (!isCanonical(token)) return null;
    const { payload } = await jwtVerify(token, ({ kid }) => findKey(ring, kid), {
      algorithms: ["HS256"],
      issuer,
      typ: "JWT",
      requiredClaims: ["sub", "exp", "jti"],
      currentDate: new Date(now),
    });
    const claims = readClaims(payload);
    return claims === null ? null : { claims, ends: (payload.exp ?? 0) * 1000 };
  } catch {
    return null;
  }
}

/** Accepts one spelling only: no padding, unused bits zero. Throws for text that is not base64. */
function isCanonical(token: string): boolean {
  return token.split(".").every((part) => toBase64Url(base64url.decode(part)) === part);
}

function readClaims(payload: JWTPayload): TokenClaims | null {
  const { sub, iat, project, address, domain_key: domainKey = null, person = null } = payload;
  if (typeof sub !== "string" || typeof iat !== "number" || typeof project !== "string")
    return null;
  if (typeof address !== "string" || !isTextOrNull(domainKey) || !isTextOrNull(person)) return null;
  return { credential: sub, project, issued: iat, domainKey, person, address };
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}

function findKey(ring: readonly SigningKey[], id: string | undefined): Uint8Array {
  const found = ring.find((key) => key.id === id);
  if (found === undefined) throw new Error("signed with an unknown key");
  return found.key;
}

/** A key that signs access tokens; its `id` in the token's header selects it for verifying. */
interface SigningKey {
  readonly id: string;
  readonly key: Uint8Array;
}

const minimumBytes = 32;

/** Throws `argument-invalid` if there is no secret, or one of less than 32 bytes. */
function checkSecrets(secrets: readonly Uint8Array[]): void {
  if (secrets.length === 0) {
    throw new AfterwordError("argument-invalid", "Give at least one signing key.");
  }
  if (secrets.some((secret) => secret.byteLength < minimumBytes)) {
    throw new AfterwordError("argument-invalid", `A signing key needs ${minimumBytes} bytes.`);
  }
}

/**
 * Derives a signing key from each secret, in the same order, so that a secret may serve other
 * purposes too.
 */
function deriveKeys(secrets: readonly Uint8Array[]): Promise<readonly SigningKey[]> {
  return Promise.all(
    secrets.map(async (secret) => {
      const key = await derive(secret, "afterword access token key v1");
      const id = await derive(secret, "afterword access token key id v1");
      return { key, id: toBase64Url(id.subarray(0, 8)) };
    }),
  );
}

async function derive(secret: Uint8Array, purpose: string): Promise<Uint8Array> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", Uint8Array.from(secret), algorithm, false, [
    "sign",
  ]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(purpose)));
}
