import { SignJWT, jwtVerify } from "jose";
import { toText } from "../bytes.ts";
import type { Credential } from "./credentials.ts";
import { checkSecrets, deriveKeys } from "./signing-keys.ts";
import type { SigningKey } from "./signing-keys.ts";

/** Seconds an access token is good for. */
export const TOKEN_LIFETIME = 1200;

/** As /v1/auth and /v1/refreshToken hand a token out. `expiration` is in Unix seconds, `expires_in` in seconds. */
export interface IssuedToken {
  readonly accessToken: string;
  readonly expiration: number;
  readonly expires_in: number;
}

/** What a valid token says: which credential it was issued to. */
export interface TokenClaims {
  readonly credential: string;
  readonly project: string;
}

/** Issues and verifies access tokens. Nothing is stored: a token is good on every process that has the keys, and after a restart. */
export interface Tokens {
  issue(credential: Credential): Promise<IssuedToken>;
  /** Null for a token that is damaged, expired, or signed with a key that is not ours. */
  verify(token: string): Promise<TokenClaims | null>;
}

export interface TokensOptions {
  /** The first signs, all verify, so that a key can be replaced while tokens signed with it are in use. */
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
  const keys = (): Promise<readonly SigningKey[]> => (derived ??= deriveKeys(signingKeys));

  return {
    async issue(credential) {
      const [first] = await keys();
      if (first === undefined) throw new Error("unreachable: the keys were checked");
      const issued = Math.floor(now() / 1000);
      const expiration = issued + TOKEN_LIFETIME;
      const accessToken = await new SignJWT({ project: credential.project })
        .setProtectedHeader({ alg: "HS256", kid: first.id, typ: "JWT" })
        .setIssuer(issuer)
        .setSubject(credential.id)
        .setIssuedAt(issued)
        .setExpirationTime(expiration)
        .setJti(toText(random(16)))
        .sign(first.key);
      return { accessToken, expiration, expires_in: TOKEN_LIFETIME };
    },

    async verify(token) {
      const ring = await keys();
      try {
        const { payload } = await jwtVerify(token, ({ kid }) => keyCalled(ring, kid), {
          algorithms: ["HS256"],
          issuer,
          typ: "JWT",
          requiredClaims: ["sub", "exp", "jti"],
          currentDate: new Date(now()),
        });
        const { sub, project } = payload;
        return typeof sub === "string" && typeof project === "string"
          ? { credential: sub, project }
          : null;
      } catch {
        return null;
      }
    },
  };
}

function keyCalled(ring: readonly SigningKey[], id: string | undefined): Uint8Array {
  const found = ring.find((key) => key.id === id);
  if (found === undefined) throw new Error("signed with an unknown key");
  return found.key;
}
