import { parseJson } from "../../json/values.ts";
import { CallError, findMeantStatus, createUnusableAnswerError } from "./call-error.ts";
import type { CallErrorCode } from "./call-error.ts";
import { readErrorBody, isErrorBody } from "./error-body.ts";

/** One request of a client, before credentials and retries. */
export interface HttpCall {
  /** Named in errors, such as `knowledge.search`. */
  readonly operation: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * A text, bytes or a form. A body that can be read only once, such as a stream, is a function that
   * makes it, so that the call can be retried.
   */
  readonly body?: BodyInit | (() => BodyInit) | undefined;
  /**
   * True if sending it twice does no harm (GET, PUT, DELETE, or a call with an idempotency key).
   */
  readonly repeatable: boolean;
  readonly signal?: AbortSignal | undefined;
  /**
   * `none` accepts an empty answer. `bytes` returns the response unread. `stream` does too, and
   * limits only the time until its head. Default `json`.
   */
  readonly answer?: "json" | "none" | "bytes" | "stream" | undefined;
}

/** A 2xx answer. `value` is parsed JSON; null for an empty body, or `bytes` and `stream`. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly value: unknown;
  /** The unread response, where `answer` is `bytes` or `stream`. */
  readonly response: Response;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * A {@link Fetch} rejects with this error if it knows whether the request was sent, or that it
 * timed out.
 */
export class FetchFailure extends Error {
  /** True when bytes of the request may have reached the other side. */
  readonly sent: boolean;
  /** True when the call took too long. */
  readonly late: boolean;

  /** @param message a few words: no address, text or secret */
  constructor(message: string, { sent, late = false }: { sent: boolean; late?: boolean }) {
    super(message);
    this.sent = sent;
    this.late = late;
  }
}

export interface HttpOptions {
  readonly fetch: Fetch;
  /** Milliseconds for one attempt, headers and body; of a `stream`, only for the headers. */
  readonly timeout: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Texts to remove from error messages. */
  readonly secrets: () => readonly string[];
}

/** Sends one request once. Throws {@link CallError}, also for a 2xx with an error body. */
export async function sendCall(call: HttpCall, options: HttpOptions): Promise<HttpAnswer> {
  const { limit, release } = createTimeLimit(call, options.timeout);
  const signal = call.signal === undefined ? limit : AbortSignal.any([call.signal, limit]);
  try {
    const body = typeof call.body === "function" ? call.body() : call.body;
    const response = await options.fetch(call.url, {
      method: call.method,
      headers: call.headers,
      signal,
      redirect: "manual",
      ...(body !== undefined && { body }),
      ...(body instanceof ReadableStream && { duplex: "half" }),
    });
    if (call.answer === "stream" && response.ok) release();
    if ((call.answer === "bytes" || call.answer === "stream") && response.ok) {
      return { status: response.status, headers: response.headers, value: null, response };
    }
    const text = await response.text();
    const value = parseBody(text);
    if (!response.ok || isErrorBody(value)) throw createRefusal(call, response, value, options);
    const { status, headers } = response;
    if (value === undefined && call.answer !== "none") {
      const why = `(HTTP ${status}) is not JSON. Is the address right?`;
      throw createUnusableAnswerError(call.operation, why, {
        status,
        requestId: headers.get("x-request-id"),
      });
    }
    return { status, headers, value: value ?? null, response };
  } catch (error) {
    if (error instanceof CallError) throw error;
    // An abort by the caller rejects with the caller's own reason.
    call.signal?.throwIfAborted();
    throw createUnansweredError(call, error, limit.aborted, options);
  }
}

/**
 * Limits the time of an attempt. For a stream the limit ends with `release`, after the head.
 */
function createTimeLimit(
  call: HttpCall,
  timeout: number,
): { readonly limit: AbortSignal; readonly release: () => void } {
  if (call.answer !== "stream") return { limit: AbortSignal.timeout(timeout), release() {} };
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeout);
  return { limit: late.signal, release: () => clearTimeout(timer) };
}

function parseBody(text: string): unknown {
  if (text.trim() === "") return undefined;
  return parseJson(text);
}

function createRefusal(
  call: HttpCall,
  response: Response,
  value: unknown,
  options: HttpOptions,
): CallError {
  const body = readErrorBody(value);
  // A body may name another status than its response. Then the body's status counts.
  const status = response.ok ? (body?.code ?? response.status) : response.status;
  const reason = redact(body?.message ?? `HTTP ${response.status}`, options.secrets());
  const failure = {
    operation: call.operation,
    status: response.status,
    wireCode: body?.code ?? null,
    retryAfter: readRetryAfter(response.headers, options.now()),
    requestId: response.headers.get("x-request-id"),
  };
  const meantStatus = findMeantStatus(failure) ?? 0;
  const isRejected =
    meantStatus === 501 || (meantStatus === 503 && response.headers.has("retry-after"));
  return new CallError(codeFor(status, body?.message ?? null), `${call.operation}: ${reason}`, {
    ...failure,
    sent: meantStatus >= 500 && !isRejected,
  });
}

/**
 * Reads how many milliseconds a service asks to wait: `Retry-After` in seconds or as a date (RFC
 * 9110, 10.2.3), else the latest of `x-quota-reset` and `x-throttle-reset` (Unix seconds) that is
 * in the future. Null when none can be read.
 */
export function readRetryAfter(headers: Headers, now: number): number | null {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const date = value === "" ? Number.NaN : Date.parse(value);
  if (Number.isFinite(date)) return Math.max(0, date - now);
  const resets = ["x-quota-reset", "x-throttle-reset"]
    .map((name) => Number(headers.get(name) ?? Number.NaN) * 1000 - now)
    .filter((left) => left > 0);
  return resets.length > 0 ? Math.max(...resets) : null;
}

function codeFor(status: number, message: string | null): CallErrorCode {
  if (status === 400 && message === "Session expired") return "session-expired";
  if (status === 401 || status === 403) return "call-unauthorized";
  if (status === 404) return "call-not-found";
  if (status === 429) return "call-rate-limited";
  return status >= 500 ? "call-failed" : "call-refused";
}

function createUnansweredError(
  call: HttpCall,
  error: unknown,
  aborted: boolean,
  options: HttpOptions,
): CallError {
  const { sent, late } = error instanceof FetchFailure ? error : { sent: true, late: aborted };
  const { origin } = new URL(call.url);
  const reason = redact(reasonOf(error), options.secrets());
  const message = late
    ? `${call.operation}: no answer from ${origin} within ${options.timeout} ms`
    : `${call.operation}: ${origin} could not be reached: ${reason}`;
  const failure = { status: null, wireCode: null, retryAfter: null, requestId: null, sent };
  return new CallError(
    late ? "call-timeout" : "call-unreachable",
    message,
    { operation: call.operation, ...failure },
    { cause: error },
  );
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown reason";
  return error.cause instanceof Error && error.cause.message !== ""
    ? error.cause.message
    : error.message;
}

function redact(text: string, secrets: readonly string[]): string {
  const shown = secrets
    .filter((secret) => secret.length > 3)
    // A secret may begin with another one.
    .toSorted((a, b) => b.length - a.length)
    .reduce((left, secret) => left.replaceAll(secret, "***"), text);
  return shown.slice(0, 500);
}
