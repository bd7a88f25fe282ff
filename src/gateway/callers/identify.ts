import type { RawHeaders } from "../../http/types.ts";
import { isObject, parseJson } from "../../json/values.ts";
import { fromBase64Url, isSameText } from "../../json/bytes.ts";
import type { CallerConfig } from "../../config/config.ts";
import { isNamed } from "../exchange/headers.ts";
import type { Platform } from "../exchange/platform.ts";
import type { JwtCheck, CallerClaims } from "./jwt-check.ts";

/** The result of identifying a caller. */
export type IdentifiedCaller =
  | {
      readonly kind: "caller";
      readonly caller: CallerConfig;
      readonly subject: string | null;
      /** Null if no signed token was required. */
      readonly claims: CallerClaims | null;
    }
  | {
      readonly kind: "refused";
      readonly status: 401 | 403 | 503;
      readonly message: string;
      /** True if a page may read this answer, because its origin is that of a caller. */
      readonly readable: boolean;
    };

/**
 * Finds the caller of a request that brings no credentials of its own. A request must show
 * everything that the caller has in the configuration, and nothing else: `origins` by Origin, `key`
 * by `x-afterword-caller-key`, `jwt` by `x-afterword-caller: Bearer <token>`.
 */
export async function identify(
  callers: readonly CallerConfig[],
  headers: RawHeaders,
  platform: Platform,
  jwtCheck: () => Promise<JwtCheck>,
): Promise<IdentifiedCaller> {
  const origins = valuesOf(headers, "origin");
  const keys = valuesOf(headers, "x-afterword-caller-key");
  const tokens = valuesOf(headers, "x-afterword-caller");
  const [origin = null] = origins;
  if (origin !== null && (origins.length > 1 || !isKnownOrigin(callers, origin))) {
    return refuseCaller(403, "Pages of this origin may not ask here.", false);
  }
  const readable = origin !== null;
  if (keys.length > 1 || tokens.length > 1) {
    return refuseCaller(401, "The caller is named more than once.", readable);
  }
  const [key = null] = keys;
  const [bearer = null] = tokens;
  if (key === null && bearer === null && origin === null) return refuseCaller(401, nobody, false);
  const token = bearer === null ? null : tokenIn(bearer);
  const claims = token === null ? null : readClaims(token);
  const digest = key === null ? null : await platform.digest(key);
  const shown: CallerConfig[] = [];
  for (const caller of callers) {
    const hasKey = await holds(caller, digest, platform);
    if (hasKey && takes(caller, bearer !== null, claims)) shown.push(caller);
  }
  const caller = shown.find(({ origins: own }) =>
    origin === null ? own.length === 0 : own.includes(origin),
  );
  if (caller === undefined) {
    // Distinguished only for identified callers: a page must not read why its origin was refused.
    return shown.length > 0 && (key !== null || bearer !== null)
      ? refuseCaller(403, "This caller may not ask from here.", false)
      : refuseCaller(401, key === null && bearer === null ? nobody : wrong, readable);
  }
  const { jwt } = caller;
  if (jwt === null || token === null) {
    return { kind: "caller", caller, subject: null, claims: null };
  }
  const outcome = await jwtCheck().then((check) => check.check(jwt, token));
  if (outcome.kind === "valid") {
    return { kind: "caller", caller, subject: outcome.subject, claims: outcome.claims };
  }
  if (outcome.kind === "refused") return refuseCaller(401, wrong, readable);
  return refuseCaller(503, "The keys that callers are checked with cannot be had now.", readable);
}

/** Whether pages of an origin may be these callers. Pages without an origin send `null`. */
export function isKnownOrigin(callers: readonly CallerConfig[], origin: string): boolean {
  return origin !== "null" && callers.some(({ origins }) => origins.includes(origin));
}

/** All values of a field, because Afterword must not choose among several. */
export function valuesOf(headers: RawHeaders, name: string): readonly string[] {
  return headers.flatMap((value, index) =>
    index % 2 === 1 && isNamed(headers[index - 1] ?? "", name) ? [value.trim()] : [],
  );
}

const nobody =
  "This request brings no credentials of its own and is none of this gateway's callers. Send your own credentials, or x-afterword-caller-key, or x-afterword-caller: Bearer <token>.";
const wrong = "The key or token of this caller is not valid.";

function refuseCaller(
  status: 401 | 403 | 503,
  message: string,
  readable: boolean,
): IdentifiedCaller {
  return { kind: "refused", status, message, readable };
}

/**
 * A caller without keys must show none. All keys are compared, even after a match, and by their
 * digests, to hide length and beginnings.
 */
async function holds(
  { keys }: CallerConfig,
  digest: string | null,
  platform: Platform,
): Promise<boolean> {
  if (digest === null) return keys.length === 0;
  let found = false;
  for (const key of keys) {
    const same = isSameText(await platform.digest(key), digest);
    found = same || found;
  }
  return found;
}

/** Reads whose token it claims to be. Nothing is verified yet. */
function takes({ jwt }: CallerConfig, shown: boolean, claims: Claims | null): boolean {
  if (jwt === null) return !shown;
  return claims !== null && claims.issuer === jwt.issuer && claims.audiences.includes(jwt.audience);
}

const maxTokenLength = 8192;

function tokenIn(bearer: string): string | null {
  const [, token = null] = /^bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(bearer) ?? [];
  return token !== null && token.length <= maxTokenLength ? token : null;
}

/** The claimed issuer and audience of a token. */
interface Claims {
  readonly issuer: string;
  readonly audiences: readonly string[];
}

/** A token's issuer and audience, to choose its check; null without both. Never throws. */
function readClaims(token: string): Claims | null {
  const bytes = fromBase64Url(token.split(".")[1] ?? "");
  const claims = bytes === null ? null : parseJson(new TextDecoder().decode(bytes));
  if (!isObject(claims) || typeof claims["iss"] !== "string") return null;
  const audiences = [claims["aud"]].flat();
  return {
    issuer: claims["iss"],
    audiences: audiences.filter((one) => typeof one === "string"),
  };
}
