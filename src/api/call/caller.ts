import { isCallError, createUnsentError } from "./call-error.ts";
import type { HttpAnswer, HttpCall } from "./http-call.ts";
import { trustAnswer, readListMember, memberOf } from "./read.ts";
import type { ApiRoute } from "./routes.ts";
import type { AccessGrant, TokenSource } from "./token-source.ts";
import { dropTrailing } from "../../text.ts";

/** The input of one call of an operation. */
export interface CallInput {
  /** The value of the `{name}` in the path. */
  readonly id?: string | number | undefined;
  /** Parameters that are undefined are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /**
   * Sent as JSON, except bytes, forms and streams. A stream is given as a function, so that the
   * call can be retried.
   */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Makes a creating call repeatable: the service creates once per key. */
  readonly idempotencyKey?: string | undefined;
  readonly answer?: HttpCall["answer"];
}

/** The options of any call of a client. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface CreateOptions extends CallOptions {
  /** The service creates once per key, so that a call whose answer was lost can be repeated. */
  readonly idempotencyKey?: string;
}

/** An id that a service gave out: a number, a UUID or a text. */
export type Id = number | string;

/** Selects records of a list. */
export interface PageOptions {
  /** Records in one page. */
  readonly length?: number;
  readonly offset?: number;
}

export interface ListOptions extends CallOptions, PageOptions {}

/** Calls operations of the products that discovery names. */
export interface ApiCaller {
  call(operation: CallableOperation, input?: CallInput): Promise<HttpAnswer>;
}

export type CallableOperation = Pick<ApiRoute, "id" | "method" | "path">;

export interface CallerOptions {
  readonly tokens: TokenSource;
  readonly send: (call: HttpCall) => Promise<HttpAnswer>;
  /** Headers of every call: API key, environment, user type, source. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Creates a caller. It repeats a call once, with a new access token, if the token was refused. */
export function createApiCaller({ tokens, send, headers }: CallerOptions): ApiCaller {
  const attempt = (operation: CallableOperation, input: CallInput, access: AccessGrant) =>
    send(toCall(operation, input, access, headers));
  return {
    async call(operation, input = {}) {
      const access = await tokens.current();
      try {
        return await attempt(operation, input, access);
      } catch (error) {
        const isUnauthorized = isCallError(error) && error.code === "call-unauthorized";
        if (!isUnauthorized || input.body instanceof ReadableStream) throw error;
        tokens.forget(access.accessToken);
        return attempt(operation, input, await tokens.current());
      }
    },
  };
}

function toCall(
  operation: CallableOperation,
  input: CallInput,
  access: AccessGrant,
  headers: Readonly<Record<string, string>>,
): HttpCall {
  const { body, type } = encodeBody(input.body);
  const repeatable = operation.method !== "POST" || input.idempotencyKey !== undefined;
  return {
    operation: operation.id,
    method: operation.method,
    url: createCallAddress(baseOf(operation, access), operation, input),
    headers: {
      ...headers,
      authorization: `Bearer ${access.accessToken}`,
      ...(type !== null && { "content-type": type }),
      ...(input.idempotencyKey !== undefined && { "idempotency-key": input.idempotencyKey }),
      ...input.headers,
    },
    body,
    repeatable,
    signal: input.signal,
    answer: input.answer,
  };
}

function baseOf({ id }: CallableOperation, { apis }: AccessGrant): string {
  const product = id.slice(0, id.indexOf("."));
  const base = Object.hasOwn(apis, product) ? apis[product] : undefined;
  if (base !== undefined) return dropTrailing(base, "/");
  const known = Object.keys(apis).join(", ");
  throw createUnsentError(
    "call-refused",
    id,
    `discovery names no address for ${product}${known === "" ? "" : ` (it names ${known})`}. Does this API key's project have it?`,
  );
}

/** Builds the address of a call. Throws for an id that is empty, `.` or `..`. */
export function createCallAddress(
  base: string,
  { id: operation, path }: Pick<CallableOperation, "id" | "path">,
  { id = "", query = {} }: CallInput,
): string {
  const value = String(id).toWellFormed();
  if (path.includes("{") && /^\.{0,2}$/.test(value)) {
    throw createUnsentError("call-not-found", operation, "there is no such id");
  }
  const filled = path.replace(/\{\w+\}/, () => encodeURIComponent(value));
  const parameters = Object.entries(query).flatMap(([name, one]) =>
    one === undefined ? [] : [[name, String(one)] as [string, string]],
  );
  const search = parameters.length === 0 ? "" : `?${new URLSearchParams(parameters).toString()}`;
  return base + filled + search;
}

/** Converts a body for `fetch`. `type` is null if `fetch` chooses the content type, or without a body. */
export function encodeBody(body: unknown): {
  readonly body: HttpCall["body"];
  readonly type: string | null;
} {
  if (body === undefined) return { body: undefined, type: null };
  if (body instanceof FormData || body instanceof Blob) return { body, type: null };
  if (body instanceof Uint8Array) {
    return { body: Uint8Array.from(body), type: "application/octet-stream" };
  }
  if (body instanceof ReadableStream) return { body, type: "application/json" };
  if (typeof body === "function")
    return { body: () => streamFrom(body()), type: "application/json" };
  return { body: JSON.stringify(body), type: "application/json" };
}

function streamFrom(body: unknown): ReadableStream {
  if (body instanceof ReadableStream) return body;
  throw new TypeError("A body function must return a ReadableStream.");
}

/**
 * Yields a list page by page, until the service says that there is no more, or sends a page that is
 * not full.
 *
 * @param member the name of the answer's list
 */
export async function* walkPages<T>(
  page: (query: Required<PageOptions>) => Promise<unknown>,
  member: string,
  { length = 50, offset = 0 }: PageOptions,
): AsyncGenerator<T> {
  for (let from = offset; ;) {
    const answer = await page({ length, offset: from });
    const records = trustAnswer<readonly T[]>(readListMember(answer, member));
    yield* records;
    from += records.length;
    const more = memberOf(answer, "hasMore");
    if (records.length === 0 || (typeof more === "boolean" ? !more : records.length < length)) {
      return;
    }
  }
}
