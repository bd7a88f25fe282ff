import { LRUCache } from "lru-cache";
import { createAuthCalls } from "../../api/auth/client.ts";
import { isCallError, findMeantStatus } from "../../api/call/call-error.ts";
import { sendCall } from "../../api/call/http-call.ts";
import { createTokenSource, type TokenSource } from "../../api/call/token-source.ts";
import type { InstanceConfig } from "../../config/config.ts";
import type { Platform } from "../exchange/platform.ts";
import { maxSmallAnswerBytes, createServiceFetch } from "../upstream/service-fetch.ts";

/** A token of an instance's own, and the addresses that it finds. */
export interface InstanceAccess {
  readonly token: string;
  /** Product → address, as discovery named it. */
  readonly apis: Readonly<Record<string, string>>;
}

export type LoginOutcome =
  | { readonly kind: "in"; readonly access: InstanceAccess }
  /** `refused` holds the status with which the upstream turned the credentials away, or null. */
  | { readonly kind: "failed"; readonly status: 502 | 504; readonly refused: number | null };

export interface InstanceTokens {
  /** Logs in when there is no token, refreshes one that is about to end. Never rejects. */
  current(instance: InstanceConfig): Promise<LoginOutcome>;
  /**
   * The token was refused: forgets it, unless another has taken its place, and logs in anew. A
   * token from such a login is kept for {@link LOGIN_PAUSE}: if it is refused too, the upstream
   * refuses the operation and not the token.
   */
  renew(instance: InstanceConfig, token: string): Promise<LoginOutcome>;
}

/** Milliseconds without a login after a failed one: wrong credentials lock shared accounts. */
export const LOGIN_PAUSE = 10_000;

/** Logs instances in: POST /v1/auth, GET /v1/apis, POST /v1/refreshToken (seed.md, 2). */
export function createInstanceTokens(platform: Platform, via: string): InstanceTokens {
  const sessions = new LRUCache<string, Session>({ max: 1000 });
  return {
    current: (instance) => logIn(sessionOf(instance)),
    async renew(instance, token) {
      const session = sessionOf(instance);
      const { renewed } = session;
      if (renewed?.token === token && platform.clock() - renewed.at < LOGIN_PAUSE)
        return { kind: "failed", status: 502, refused: 401 };
      session.source.forget(token);
      const outcome = await logIn(session);
      // When many requests' old token is refused at once, one logs in and all use its token.
      if (outcome.kind === "in" && outcome.access.token !== session.renewed?.token)
        session.renewed = { token: outcome.access.token, at: platform.clock() };
      return outcome;
    },
  };

  // By the values that they depend on, so that a reload that changes something else keeps tokens.
  function sessionOf({ upstream, credentials }: InstanceConfig): Session {
    const { auth, keyHeader, apis, timeouts } = upstream;
    const key = JSON.stringify([auth, keyHeader, apis, timeouts, credentials]);
    let session = sessions.get(key);
    if (session === undefined) {
      const source = sourceOf(platform, via, { upstream, credentials });
      sessions.set(key, (session = { source, renewed: null }));
    }
    return session;
  }
}

interface Session {
  readonly source: TokenSource;
  /** The token of the last login after a refusal, and when that was. */
  renewed: { readonly at: number; readonly token: string } | null;
}

async function logIn({ source }: Session): Promise<LoginOutcome> {
  try {
    const { accessToken, apis } = await source.current();
    return { kind: "in", access: { token: accessToken, apis } };
  } catch (error) {
    if (!isCallError(error)) return { kind: "failed", status: 502, refused: null };
    const status = error.code === "call-timeout" ? 504 : 502;
    return { kind: "failed", status, refused: findMeantStatus(error) };
  }
}

function sourceOf(
  platform: Platform,
  via: string,
  { upstream, credentials }: Pick<InstanceConfig, "upstream" | "credentials">,
): TokenSource {
  const { auth: url, keyHeader, apis, timeouts } = upstream;
  const now = (): number => platform.now();
  const fetch = createServiceFetch({
    platform,
    via,
    upstream: null,
    timeouts: { ...timeouts, idle: 0 },
    largest: maxSmallAnswerBytes,
  });
  const calls = createAuthCalls(
    { url, keyHeader, apiKey: credentials?.apiKey ?? "", secret: credentials?.secret ?? "" },
    (call) => sendCall(call, { fetch, timeout: timeouts.total, now, secrets: () => [] }),
  );
  const discover = isAllFixed(apis) ? () => Promise.resolve({}) : calls.discover;
  return createTokenSource({ ...calls, discover }, now, LOGIN_PAUSE);
}

/** There is nothing left to discover. */
function isAllFixed(apis: InstanceConfig["upstream"]["apis"]): boolean {
  return Object.hasOwn(apis, "ticketing") && Object.hasOwn(apis, "knowledge");
}
