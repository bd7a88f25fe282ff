import { authCalls } from "./auth/client.ts";
import { createCaller } from "./caller.ts";
import type { Caller } from "./caller.ts";
import type { ClientsOptions } from "./client-options.ts";
import { sendCall } from "./http-call.ts";
import type { HttpAnswer, HttpCall, HttpOptions } from "./http-call.ts";
import { withRetries } from "./retry.ts";
import { createTokenKeeper } from "./token-keeper.ts";
import type { TokenKeeper } from "./token-keeper.ts";

/** What all typed clients of one project share: one token, one way of sending. */
export interface Connection {
  readonly keeper: TokenKeeper;
  readonly caller: Caller;
  /** For a product with credentials of its own. */
  readonly send: (call: HttpCall) => Promise<HttpAnswer>;
}

/** Connects nothing yet: the first call fetches the token. Options must have been checked. */
export function connect(options: ClientsOptions): Connection {
  const now = options.now ?? Date.now;
  let token = "";
  const http: HttpOptions = {
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    timeout: options.timeout ?? 20_000,
    now,
    secrets: () => [...secretsOf(options), token].filter((secret) => secret !== ""),
  };
  const retry = {
    retries: options.retries ?? 2,
    longestWait: options.longestWait ?? 10_000,
    random: options.random ?? Math.random,
    sleep: options.sleep ?? sleep,
  };
  const send = (call: HttpCall): Promise<HttpAnswer> =>
    withRetries(call, (one) => sendCall(one, http), retry);
  const keeper = createTokenKeeper(authCalls(options.auth, send), now);
  const watched: TokenKeeper = {
    ...keeper,
    async current() {
      const access = await keeper.current();
      token = access.accessToken;
      return access;
    },
  };
  return {
    keeper: watched,
    send,
    caller: createCaller({ keeper: watched, send, headers: headersOf(options) }),
  };
}

function secretsOf({ auth, chat }: ClientsOptions): readonly string[] {
  return [auth.apiKey, auth.secret, auth.domainKey, auth.personalSecret, chat?.secret].filter(
    (secret) => secret !== undefined,
  );
}

function headersOf(options: ClientsOptions): Readonly<Record<string, string>> {
  return {
    [options.auth.keyHeader ?? "x-vendor-key"]: options.auth.apiKey,
    ...(options.environment !== undefined && { "x-inbenta-env": options.environment }),
    ...(options.userType !== undefined && { "x-inbenta-user-type": String(options.userType) }),
    ...(options.source !== undefined && { "x-inbenta-source": options.source }),
  };
}

function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason instanceof Error ? signal.reason : new Error("aborted"));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
