import type { Context } from "hono";
import { AUTH_OPERATIONS } from "../../api/auth/schema.ts";
import { CHATBOT_OPERATIONS } from "../../api/chatbot/operations.ts";
import { KNOWLEDGE_OPERATIONS } from "../../api/knowledge/operations.ts";
import type { Operation } from "../../api/call/operation.ts";
import { TICKETING_OPERATIONS } from "../../api/ticketing/operations.ts";
import { answerForbidden, answerUnauthorized } from "../http/refusal.ts";
import { type RateGroup, type RateLimits, refuseTooManyCalls, withUsage } from "./rate-limits.ts";
import {
  type Credential,
  type Credentials,
  isOriginAllowed,
  isFromElsewhere,
} from "./credentials.ts";
import type { TokenClaims, Tokens } from "./tokens.ts";

/** Decides who may call, and how often, for every guarded route. */
export interface Access {
  /** Runs `work` for the API key's credential. Answers 401 without one, 429 after too many calls. */
  withKey(
    c: Context,
    group: RateGroup,
    work: (credential: Credential) => Promise<Response>,
  ): Promise<Response>;
  /**
   * Wraps the handler of an operation that needs a valid token and the API key it was issued to.
   * Answers 401 without them, and 403 when they do not belong together, or when the token was
   * issued for a domain key and the operation does not accept those.
   */
  guard(
    operation: Operation["id"],
    handler: GuardedHandler,
    group?: RateGroup,
  ): (c: Context) => Promise<Response>;
}

export type GuardedHandler = (
  c: Context,
  caller: Credential,
  claims: TokenClaims,
) => Promise<Response> | Response;

export interface AccessOptions {
  readonly credentials: Credentials;
  readonly tokens: Tokens;
  /** Null if nobody is limited. */
  readonly limits: RateLimits | null;
}

export function createAccess({ credentials, tokens, limits }: AccessOptions): Access {
  const withKey: Access["withKey"] = async ({ req }, group, work) => {
    const { headers } = req.raw;
    const key = readApiKey(headers);
    const found = key === null ? null : await credentials.find(key);
    if (found === null || (found.demo && isFromElsewhere(headers)))
      return answerUnauthorized(req.path);
    if (limits === null) return work(found);
    const decision = await limits.take(found.id, group, found.factor);
    return decision.allowed
      ? withUsage(await work(found), decision)
      : refuseTooManyCalls(req.path, decision);
  };
  return {
    withKey,
    guard: (operation, handler, group = "product") => {
      const withDomainKey = forDomainKeys.has(operation);
      return async function guardedHandler(c) {
        const { path, raw } = c.req;
        const { headers } = raw;
        return withKey(c, group, async (caller) => {
          const token = readBearer(headers.get("authorization"));
          const claims = token === null ? null : await tokens.verify(token);
          if (claims === null || claims.issued < caller.notBefore) return answerUnauthorized(path);
          if (!permits(claims, caller, headers)) return answerForbidden(path);
          if (claims.domainKey !== null && !withDomainKey)
            return answerForbidden(path, notWithDomainKey);
          return handler(c, caller, claims);
        });
      };
    },
  };
}

/** The operations that accept domain keys, which are public. */
const forDomainKeys: ReadonlySet<string> = new Set(
  [...AUTH_OPERATIONS, ...CHATBOT_OPERATIONS, ...KNOWLEDGE_OPERATIONS, ...TICKETING_OPERATIONS]
    .filter(({ domainKey }) => domainKey === true)
    .map(({ id }) => id),
);

const notWithDomainKey =
  "Forbidden: a token of a domain key, which is public, may not do this. Ask from a server, with a token of the secret.";

function permits(claims: TokenClaims, caller: Credential, headers: Headers): boolean {
  if (claims.credential !== caller.id || claims.project !== caller.project) return false;
  if (claims.domainKey === null) return true;
  const key = caller.domainKeys.find(({ id }) => id === claims.domainKey);
  return key !== undefined && isFromBrowser(headers, key.domains);
}

/**
 * True for a call by a page of one of the domains. A browser sends no `Origin` with a same-origin GET,
 * but `Sec-Fetch-Site`, which no script can set.
 */
function isFromBrowser(headers: Headers, domains: readonly string[]): boolean {
  const origin = headers.get("origin");
  return origin === null
    ? headers.get("sec-fetch-site") === "same-origin"
    : isOriginAllowed(origin, domains);
}

/** Reads the API key from either of its two headers. */
function readApiKey(headers: Headers): string | null {
  const value = headers.get("x-inbenta-key") ?? headers.get("x-vendor-key");
  return value === null || value.trim() === "" ? null : value.trim();
}

/** Reads the text after `Bearer `, in any letter case, or null. */
export function readBearer(value: string | null): string | null {
  return /^\s*bearer\s+(\S+)\s*$/i.exec(value ?? "")?.[1] ?? null;
}
