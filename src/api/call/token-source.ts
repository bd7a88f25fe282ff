import { isCallError, findMeantStatus } from "./call-error.ts";
import type { CallError } from "./call-error.ts";

/** An access token with the addresses that discovery returned for it. */
export interface AccessGrant {
  readonly accessToken: string;
  /** Milliseconds since the epoch. */
  readonly expires: number;
  /** The token is refreshed when it ends within this many milliseconds. */
  readonly window: number;
  /** Base address per product. */
  readonly apis: Readonly<Record<string, string>>;
}

/** The members that are read of an answer to /auth or /refreshToken. */
export interface TokenAnswer {
  readonly accessToken: string;
  /** The end of the token, in Unix seconds. */
  readonly expiration?: number | undefined;
  /** Seconds until its end. Unlike `expiration`, this is right even if the two clocks differ. */
  readonly expires_in?: number | undefined;
}

export interface TokenCalls {
  /** Requests a first token. */
  readonly issue: () => Promise<TokenAnswer>;
  /** Requests the next token with one that is still valid. */
  readonly refresh: (accessToken: string) => Promise<TokenAnswer>;
  /** Requests the products' addresses for a token. */
  readonly discover: (accessToken: string) => Promise<AccessGrant["apis"]>;
}

/** Provides an access token that is not about to expire. */
export interface TokenSource {
  current(): Promise<AccessGrant>;
  /** Forgets a token that a service refused, unless another has already replaced it. */
  forget(accessToken: string): void;
}

/** The longest window, in milliseconds. Known clients refresh in the last 180 seconds, too. */
const maxWindow = 180_000;
/** A token with less time left, in milliseconds, may expire before a refresh arrives. */
const shortestRefresh = 5_000;
/** Milliseconds for which a token is used if its answer does not say when it ends. */
const assumedLifetime = 1_200_000;

/**
 * Creates a source that keeps one token at a time. Calls wait for a token that is being fetched. The
 * source calls discovery exactly once for each token, and does not keep its result for the next one
 * (seed.md, Discovery rules 1 to 3).
 *
 * @param pause milliseconds after a refused login in which it is not tried again, because wrong
 *   credentials lock accounts, and refused calls count towards the key's limit. Default 0
 */
export function createTokenSource(
  calls: TokenCalls,
  now: () => number,
  pause: number = 0,
): TokenSource {
  let held: AccessGrant | null = null;
  let coming: Promise<AccessGrant> | null = null;
  let refusal: { readonly error: CallError; readonly at: number } | null = null;

  const renew = async (): Promise<AccessGrant> => {
    const asked = now();
    // The pause must not become longer if the clock was set back.
    if (refusal !== null && asked >= refusal.at && asked < refusal.at + pause) throw refusal.error;
    try {
      const token = await requestNext(held, calls, asked);
      const apis = await calls.discover(token.accessToken);
      held = { accessToken: token.accessToken, ...readLife(token, asked), apis };
      refusal = null;
      return held;
    } catch (error) {
      const status = isCallError(error) ? findMeantStatus(error) : null;
      if (isCallError(error) && status !== null && status < 500) refusal = { error, at: asked };
      throw error;
    }
  };

  /** Keeps a token that is still valid if no other can be fetched. Services refuse a revoked one. */
  const renewOrKeep = async (): Promise<AccessGrant> => {
    try {
      return await renew();
    } catch (error) {
      if (held === null || held.expires <= now()) throw error;
      return held;
    }
  };

  return {
    current() {
      if (coming !== null) return coming;
      if (held !== null && held.expires - now() > held.window) return Promise.resolve(held);
      coming = renewOrKeep().finally(() => {
        coming = null;
      });
      return coming;
    },
    forget(accessToken) {
      if (held?.accessToken === accessToken) held = null;
    },
  };
}

async function requestNext(
  held: AccessGrant | null,
  calls: TokenCalls,
  now: number,
): Promise<TokenAnswer> {
  if (held === null || held.expires - now < shortestRefresh) return calls.issue();
  try {
    return await calls.refresh(held.accessToken);
  } catch (error) {
    // If the token was refused or has expired, the flow restarts at /auth. Other failures would
    // happen there too.
    if (isCallError(error) && error.status !== null && error.status < 500) return calls.issue();
    throw error;
  }
}

/** The window is a fifth of a short life, so that a token of a minute is not refreshed at every call. */
function readLife(token: TokenAnswer, asked: number): Pick<AccessGrant, "expires" | "window"> {
  const expires =
    token.expires_in !== undefined
      ? asked + token.expires_in * 1000
      : token.expiration !== undefined
        ? token.expiration * 1000
        : asked + assumedLifetime;
  return { expires, window: Math.min(maxWindow, Math.max(0, expires - asked) / 5) };
}
