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
import type { Platform } from "../exchange/platform.ts";
import { AfterwordError } from "../../errors.ts";
import { maxSmallAnswerBytes, createServiceFetch } from "../upstream/service-fetch.ts";
import type { JwtCheck } from "./jwt-check.ts";

/** The tolerated difference of two clocks, in seconds. */
const CLOCK_TOLERANCE = 30;

/**
 * Checks signed tokens with jose: signature with one of the listed algorithms, issuer, audience,
 * end and beginning. The configuration decides which algorithm goes with which kind of key, never
 * the token (RFC 8725, 3.1).
 */
export function createJwtCheck(platform: Platform): JwtCheck {
  // Configurations never change: keys are read once, key sets kept as long as the configuration.
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
          // The configuration has read this key, so the token asks for another kind.
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

/** True for faults of a token, or no fitting key; other errors mean that keys are missing. */
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

/** Milliseconds for which the address of a key set is not called again after a failure. */
const PAUSE = 5000;

/** Fetches key sets by the gateway's transport, with its proxies, certificates and limits. */
function createKeySetFetch(platform: Platform): (url: string) => Promise<Response> {
  const timeouts = { connect: 3000, headers: 5000, total: 5000, idle: 0 };
  const largest = maxSmallAnswerBytes;
  const fetch = createServiceFetch({ platform, via: null, upstream: null, timeouts, largest });
  const headers = { accept: "application/json, application/jwk-set+json" };
  let failed = Number.NEGATIVE_INFINITY;
  return async (url) => {
    if (platform.clock() - failed < PAUSE) throw createUnavailableError();
    const answer = await fetch(url, { headers }).catch(() => null);
    if (answer?.status === 200) return answer;
    failed = platform.clock();
    platform.log("warn", "key-set-unavailable", {
      host: URL.parse(url)?.host ?? null,
      status: answer?.status ?? null,
    });
    throw createUnavailableError();
  };
}

function createUnavailableError(): AfterwordError {
  return new AfterwordError("upstream-unreachable", "the key set of a caller cannot be fetched");
}
