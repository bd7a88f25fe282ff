import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  importSPKI,
  jwtVerify,
  type JWK,
  type JWTVerifyGetKey,
} from "jose";
import type { CallerJwt } from "../../config/config.ts";
import type { Platform } from "../platform.ts";
import { createKeySetFetch } from "./key-set-fetch.ts";
import type { JwtCheck } from "./port.ts";

/** Two clocks may differ by so much, in seconds. */
const CLOCK_TOLERANCE = 30;

/**
 * Checks signed tokens with jose: signature with one of the listed algorithms, issuer, audience,
 * end and beginning. Which algorithm goes with which kind of key is the configuration's to say,
 * never the token's (RFC 8725, 3.1).
 */
export function createJwtCheck(platform: Platform): JwtCheck {
  // A configuration never changes: its keys are read once, and a key set is kept as long as the
  // configuration is.
  const known = new WeakMap<CallerJwt, Verify>();
  return {
    async check(jwt, token) {
      let verify = known.get(jwt);
      if (verify === undefined) known.set(jwt, (verify = createVerify(jwt, platform)));
      try {
        const { payload } = await verify(token);
        return { kind: "valid", subject: payload.sub ?? null, claims: payload };
      } catch (error) {
        return { kind: isTokensFault(error) ? "refused" : "unavailable" };
      }
    },
  };
}

type Verify = (token: string) => ReturnType<typeof jwtVerify>;

function createVerify(jwt: CallerJwt, platform: Platform): Verify {
  const key = keyOf(jwt, platform);
  return (token) =>
    jwtVerify(token, key, {
      algorithms: [...jwt.algorithms],
      issuer: jwt.issuer,
      audience: jwt.audience,
      requiredClaims: ["exp"],
      clockTolerance: CLOCK_TOLERANCE,
      currentDate: new Date(platform.now()),
    });
}

function keyOf({ keys }: CallerJwt, platform: Platform): JWTVerifyGetKey {
  switch (keys.kind) {
    case "secret": {
      const secret = new TextEncoder().encode(keys.secret);
      return () => secret;
    }
    case "public":
      return ({ alg }) =>
        importSPKI(keys.pem, alg).catch((cause: unknown) => {
          // The configuration has read this key: it is the token that asks for another kind.
          throw new errors.JWKSNoMatchingKey("the key is not one for this algorithm", { cause });
        });
    case "keys":
      return createLocalJWKSet({ keys: keys.keys.filter(isKey) });
    case "jwks":
      return createRemoteJWKSet(new URL(keys.url), {
        timeoutDuration: 5000,
        [customFetch]: createKeySetFetch(platform),
      });
  }
}

function isKey(value: unknown): value is JWK {
  return typeof value === "object" && value !== null && "kty" in value;
}

/**
 * Everything that is wrong with a token or that no key fits; what is left is that there are no
 * keys.
 */
function isTokensFault(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return typeof code === "string" && (/^ERR_JW[ST]_/.test(code) || tokenFaults.has(code));
}

const tokenFaults: ReadonlySet<string> = new Set([
  "ERR_JOSE_ALG_NOT_ALLOWED",
  "ERR_JOSE_NOT_SUPPORTED",
  "ERR_JWKS_NO_MATCHING_KEY",
  "ERR_JWKS_MULTIPLE_MATCHING_KEYS",
]);
