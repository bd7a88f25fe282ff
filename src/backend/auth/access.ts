import type { Context } from "hono";
import { forbidden, unauthorized } from "../error-answers.ts";
import type { Credential, Credentials } from "./credentials.ts";
import { isForwarded } from "./demo.ts";
import type { Tokens } from "./tokens.ts";

/** Decides who may call. Every guarded route asks it, so that the rules stand in one place. */
export interface Access {
  /** The credential of the request's API key, or null when there is none that this request may use. */
  credential(headers: Headers): Promise<Credential | null>;
  /** Wraps a handler that needs a valid token and the API key it was issued to: else 401, or 403 when the two don't belong together. */
  guarded(handler: GuardedHandler): (c: Context) => Promise<Response>;
}

export type GuardedHandler = (c: Context, caller: Credential) => Promise<Response> | Response;

export function createAccess(credentials: Credentials, tokens: Tokens): Access {
  const credential = async (headers: Headers): Promise<Credential | null> => {
    const key = apiKey(headers);
    const found = key === null ? null : await credentials.find(key);
    return found !== null && found.demo && isForwarded(headers) ? null : found;
  };
  return {
    credential,
    guarded: (handler) =>
      async function guardedHandler(c) {
        const { headers } = c.req.raw;
        const token = bearer(headers.get("authorization"));
        const [caller, claims] = await Promise.all([
          credential(headers),
          token === null ? null : tokens.verify(token),
        ]);
        if (caller === null || claims === null) return unauthorized();
        const together = claims.credential === caller.id && claims.project === caller.project;
        return together ? handler(c, caller) : forbidden();
      },
  };
}

/** The key under either of its two header names. */
function apiKey(headers: Headers): string | null {
  const value = headers.get("x-inbenta-key") ?? headers.get("x-vendor-key");
  return value === null || value.trim() === "" ? null : value.trim();
}

/** What follows `Bearer `, in any letter case, or null. */
export function bearer(value: string | null): string | null {
  return /^\s*bearer\s+(\S+)\s*$/i.exec(value ?? "")?.[1] ?? null;
}
