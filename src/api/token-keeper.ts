import { isCallError } from "./call-error.ts";

/** An access token and what discovery said with it. */
export interface AccessGrant {
  readonly accessToken: string;
  /** Milliseconds since the epoch. */
  readonly expires: number;
  /** Milliseconds before its end in which the token is refreshed. */
  readonly window: number;
  /** Base address per product. */
  readonly apis: Readonly<Record<string, string>>;
}

/** What /auth and /refreshToken say about a token. */
export interface TokenAnswer {
  readonly accessToken: string;
  /** Unix seconds at which it ends. */
  readonly expiration?: number | undefined;
  /**
   * Seconds that it is good for: told apart from `expiration`, this holds when the two clocks
   * differ.
   */
  readonly expires_in?: number | undefined;
}

export interface TokenSource {
  /** A first token. */
  issue(): Promise<TokenAnswer>;
  /** The next token, while the last is still good. */
  refresh(accessToken: string): Promise<TokenAnswer>;
  /** The products' addresses for a token. */
  discover(accessToken: string): Promise<AccessGrant["apis"]>;
}

/** Hands out a token that is good for a while yet. */
export interface TokenKeeper {
  current(): Promise<AccessGrant>;
  /** Forgets a token that a service refused, unless another has taken its place already. */
  forget(accessToken: string): void;
}

// Known clients refresh in the last 180 seconds; an expired token cannot be refreshed.
const longestWindow = 180_000;
const lastCall = 5_000;
const assumedLifetime = 1_200_000;

/**
 * Keeps one token at a time. Whoever asks while a token is being fetched waits for that same one.
 * Discovery is asked exactly once for each token, never before a call and never kept from one token
 * to the next (seed.md, Discovery rules 1 to 3).
 */
export function createTokenKeeper(source: TokenSource, now: () => number): TokenKeeper {
  let held: AccessGrant | null = null;
  let coming: Promise<AccessGrant> | null = null;

  const renew = async (): Promise<AccessGrant> => {
    const asked = now();
    const token = await next(held, source, asked);
    const apis = await source.discover(token.accessToken);
    held = { accessToken: token.accessToken, ...life(token, asked), apis };
    return held;
  };

  return {
    current() {
      if (coming !== null) return coming;
      if (held !== null && held.expires - now() > held.window) return Promise.resolve(held);
      coming = renew().finally(() => {
        coming = null;
      });
      return coming;
    },
    forget(accessToken) {
      if (held?.accessToken === accessToken) held = null;
    },
  };
}

async function next(
  held: AccessGrant | null,
  source: TokenSource,
  now: number,
): Promise<TokenAnswer> {
  if (held === null || held.expires - now < lastCall) return source.issue();
  try {
    return await source.refresh(held.accessToken);
  } catch (error) {
    // Refused or expired meanwhile: the flow restarts at /auth. An outage is an outage there too.
    if (isCallError(error) && error.status !== null && error.status < 500) return source.issue();
    throw error;
  }
}

// A token of a minute must not be refreshed before every call.
function life(token: TokenAnswer, asked: number): Pick<AccessGrant, "expires" | "window"> {
  const expires =
    token.expires_in !== undefined
      ? asked + token.expires_in * 1000
      : token.expiration !== undefined
        ? token.expiration * 1000
        : asked + assumedLifetime;
  return { expires, window: Math.min(longestWindow, Math.max(0, expires - asked) / 5) };
}
