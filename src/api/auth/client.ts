import { createUnusableAnswerError } from "../call/call-error.ts";
import type { CallError } from "../call/call-error.ts";
import type { HttpAnswer, HttpCall } from "../call/http-call.ts";
import { isObject } from "../../json/values.ts";
import { memberOf, numberOf, readTextMember } from "../call/read.ts";
import { type OperationName, routeOf } from "../call/routes.ts";
import type { TokenAnswer, TokenCalls } from "../call/token-source.ts";
import { dropTrailing } from "../../text.ts";

/** The credentials of a client. */
export interface AuthCredentials {
  /** The authentication service, such as `http://127.0.0.1:8799`. */
  readonly url: string;
  readonly apiKey: string;
  /** The secret, for servers only. Pages use `domainKey`. */
  readonly secret?: string | undefined;
  /** The domain key, for pages on its domains. Browsers name the page's origin by themselves. */
  readonly domainKey?: string | undefined;
  /** A person's own secret, in addition to the secret of the instance. */
  readonly personalSecret?: string | undefined;
  /** The API key's header: `x-vendor-key` (default) or `x-inbenta-key` (Inbenta's live service). */
  readonly keyHeader?: string | undefined;
}

/** Creates the three calls of the authentication service. Each is made exactly once per token. */
export function createAuthCalls(
  credentials: AuthCredentials,
  send: (call: HttpCall) => Promise<HttpAnswer>,
): TokenCalls {
  const base = dropTrailing(credentials.url, "/");
  const key = { [credentials.keyHeader ?? "x-vendor-key"]: credentials.apiKey };
  const call = (
    name: OperationName<"auth">,
    { token, body }: { readonly token?: string; readonly body?: object },
  ): Promise<HttpAnswer> => {
    const { id, method, path } = routeOf("auth", name);
    return send({
      operation: id,
      method,
      url: `${base}${path}`,
      headers: {
        ...key,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // Issuing a second token does no harm.
      repeatable: true,
    });
  };

  return {
    async issue() {
      const { secret, domainKey, personalSecret } = credentials;
      const body = { secret: secret ?? domainKey ?? "", user_personal_secret: personalSecret };
      return tokenOf(await call("authorize", { body }), "auth.authorize");
    },
    refresh: async (token) => tokenOf(await call("refresh", { token, body: {} }), "auth.refresh"),
    async discover(token) {
      const answer = await call("discover", { token });
      const addresses = memberOf(answer.value, "apis");
      if (!isObject(addresses)) throw createUnusableError(answer, "auth.discover", "has no `apis`");
      return Object.fromEntries(
        Object.entries(addresses).flatMap(([product, address]) =>
          isAddress(address) ? [[product, address]] : [],
        ),
      );
    },
  };
}

function tokenOf(answer: HttpAnswer, operation: string): TokenAnswer {
  const accessToken = readTextMember(answer.value, "accessToken");
  if (accessToken === null) throw createUnusableError(answer, operation, "has no `accessToken`");
  return {
    accessToken,
    expiration: toPositive(memberOf(answer.value, "expiration")),
    expires_in: toPositive(memberOf(answer.value, "expires_in")),
  };
}

function toPositive(value: unknown): number | undefined {
  const number = numberOf(value);
  return number !== null && number > 0 ? number : undefined;
}

/** Excludes addresses with a query, a fragment or credentials, to which no path can be appended. */
function isAddress(value: unknown): value is string {
  const url = typeof value === "string" ? URL.parse(value) : null;
  return url !== null && `${url.username}${url.password}${url.search}${url.hash}` === "";
}

function createUnusableError(
  { status, headers }: HttpAnswer,
  operation: string,
  why: string,
): CallError {
  return createUnusableAnswerError(operation, `${why}.`, {
    status,
    requestId: headers.get("x-request-id"),
  });
}
