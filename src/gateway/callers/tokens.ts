import type { CredentialsConfig, InstanceConfig } from "../../config/config.ts";
import { CallError, isCallError } from "../../api/call-error.ts";
import { createTokenKeeper, type TokenAnswer, type TokenKeeper } from "../../api/token-keeper.ts";
import { readAuthAnswer } from "../apis.ts";
import { joinPath, parsedBase } from "../base.ts";
import type { Platform } from "../platform.ts";
import { wholeCall } from "./whole-call.ts";

/** A token of an instance's own, and the addresses that it finds. */
export interface Access {
  readonly token: string;
  /** Product → address, as discovery named it. */
  readonly apis: Readonly<Record<string, string>>;
}

export type Login =
  | { readonly kind: "in"; readonly access: Access }
  /** `refused` holds the status with which the upstream turned the credentials away, or null. */
  | { readonly kind: "failed"; readonly status: 502 | 504; readonly refused: number | null };

export interface Tokens {
  /** Logs in when there is no token, refreshes one that is about to end. Never rejects. */
  current(instance: InstanceConfig): Promise<Login>;
  /**
   * The token was refused: forgets it, unless another has taken its place, and logs in anew. A
   * token that came of such a login is kept for {@link LOGIN_PAUSE}: if it is refused too, the
   * upstream refuses the operation and not the token.
   */
  renew(instance: InstanceConfig, token: string): Promise<Login>;
}

/**
 * So long after a failed login, or one whose token was refused too, nobody tries again, in
 * milliseconds: wrong credentials lock accounts, and all callers share the token.
 */
export const LOGIN_PAUSE = 10_000;

/**
 * Logs instances in with their credentials: POST /v1/auth, GET /v1/apis, POST /v1/refreshToken
 * (seed.md, 2).
 */
export function createTokens(platform: Platform, via: string): Tokens {
  const holders = new Map<string, Holder>();
  return {
    current: (instance) => grant(holderOf(instance)),
    async renew(instance, token) {
      const holder = holderOf(instance);
      const { renewed } = holder;
      if (renewed?.token === token && platform.clock() - renewed.at < LOGIN_PAUSE)
        return { kind: "failed", status: 502, refused: 401 };
      holder.keeper.forget(token);
      const login = await grant(holder);
      // When the old token of many requests is refused at once, one of them logs in and all use its
      // token.
      if (login.kind === "in" && login.access.token !== holder.renewed?.token)
        holder.renewed = { token: login.access.token, at: platform.clock() };
      return login;
    },
  };

  // By what they are made of: a reload that changes something else keeps tokens.
  function holderOf({ upstream, credentials }: InstanceConfig): Holder {
    const { auth, keyHeader, apis, timeouts } = upstream;
    const key = JSON.stringify([auth, keyHeader, apis, timeouts, credentials]);
    let holder = holders.get(key);
    if (holder === undefined) {
      const oldest = holders.size >= atMost ? holders.keys().next() : null;
      if (oldest !== null && oldest.done !== true) holders.delete(oldest.value);
      const keeper = createKeeper(platform, via, upstream, credentials);
      holders.set(key, (holder = { keeper, failed: null, renewed: null }));
    }
    return holder;
  }

  async function grant(holder: Holder): Promise<Login> {
    const { failed } = holder;
    if (failed !== null && platform.clock() - failed.at < LOGIN_PAUSE) return failed.login;
    try {
      const { accessToken, apis } = await holder.keeper.current();
      holder.failed = null;
      return { kind: "in", access: { token: accessToken, apis } };
    } catch (error) {
      const status = isCallError(error) ? error.status : null;
      const login: Login = {
        kind: "failed",
        status: isCallError(error) && error.code === "call-timeout" ? 504 : 502,
        refused: status,
      };
      if (status !== null && status < 500) holder.failed = { at: platform.clock(), login };
      return login;
    }
  }
}

interface Holder {
  readonly keeper: TokenKeeper;
  failed: { readonly at: number; readonly login: Login } | null;
  /** The token of the last login after a refusal, and when that was. */
  renewed: { readonly at: number; readonly token: string } | null;
}

const atMost = 1000;
const utf8 = new TextEncoder();

function createKeeper(
  platform: Platform,
  via: string,
  upstream: InstanceConfig["upstream"],
  credentials: CredentialsConfig | null,
): TokenKeeper {
  const { keyHeader, timeouts } = upstream;
  const shown = [keyHeader, credentials?.apiKey ?? ""];

  const ask = async (
    path: "/v1/auth" | "/v1/refreshToken" | "/v1/apis",
    headers: readonly string[],
    body: Uint8Array | null = null,
  ): Promise<NonNullable<ReturnType<typeof readAuthAnswer>>> => {
    const operation = `auth ${path}`;
    const base = parsedBase(upstream.auth);
    if (base === null) throw failure(operation, "call-unreachable", null);
    const answer = await wholeCall(platform, base, {
      method: path === "/v1/apis" ? "GET" : "POST",
      path: joinPath(base, path),
      headers: [...shown, ...headers, "Accept", "application/json", "Via", via],
      body,
      timeouts: { ...timeouts, idle: 0 },
    });
    if (answer.kind === "failed") {
      throw failure(operation, answer.status === 504 ? "call-timeout" : "call-unreachable", null);
    }
    if (answer.status !== 200) throw failure(operation, "call-refused", answer.status);
    const read = readAuthAnswer(answer.body, platform.now());
    if (read === null) throw failure(operation, "call-answer-invalid", null);
    return read;
  };
  const tokenFrom = ({ accessToken, expires }: Awaited<ReturnType<typeof ask>>): TokenAnswer => {
    if (accessToken === null) throw failure("auth", "call-answer-invalid", null);
    return { accessToken, ...(expires !== null && { expiration: expires / 1000 }) };
  };

  return createTokenKeeper(
    {
      async issue() {
        const secret = utf8.encode(JSON.stringify({ secret: credentials?.secret ?? "" }));
        return tokenFrom(await ask("/v1/auth", ["Content-Type", "application/json"], secret));
      },
      refresh: async (token) => tokenFrom(await ask("/v1/refreshToken", bearer(token))),
      async discover(token) {
        if (isAllFixed(upstream.apis)) return {};
        const { apis } = await ask("/v1/apis", bearer(token));
        return Object.fromEntries([...(apis ?? [])].map(([name, { address }]) => [name, address]));
      },
    },
    () => platform.now(),
  );
}

function bearer(token: string): readonly string[] {
  return ["Authorization", `Bearer ${token}`];
}

/** There is nothing left to discover. */
function isAllFixed(apis: InstanceConfig["upstream"]["apis"]): boolean {
  return Object.hasOwn(apis, "ticketing") && Object.hasOwn(apis, "knowledge");
}

function failure(
  operation: string,
  code: "call-refused" | "call-timeout" | "call-unreachable" | "call-answer-invalid",
  status: number | null,
): CallError {
  const facts = { operation, status, wireCode: null, retryAfter: null, requestId: null };
  return new CallError(code, `${operation}: no token`, facts);
}
