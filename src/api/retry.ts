import { isCallError } from "./call-error.ts";
import type { CallError } from "./call-error.ts";
import type { HttpAnswer, HttpCall } from "./http-call.ts";

export interface RetryOptions {
  /** Further attempts after the first. */
  readonly retries: number;
  /** Milliseconds that a client is ready to wait for one further attempt. */
  readonly longestWait: number;
  /** From 0 up to, but not including, 1. */
  readonly random: () => number;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

const firstWait = 200;

/**
 * Sends a call again where that is safe: a repeatable one after any passing failure, one that is
 * not only when it was turned away unread (429, or 503 with Retry-After). Waits as long as the
 * service asks, else twice as long each time with jitter.
 */
export async function withRetries(
  call: HttpCall,
  send: (call: HttpCall) => Promise<HttpAnswer>,
  options: RetryOptions,
): Promise<HttpAnswer> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await send(call);
    } catch (error) {
      if (attempt >= options.retries || !isCallError(error) || !mayRepeat(call, error)) throw error;
      const wait = error.retryAfter ?? firstWait * 2 ** attempt * (0.5 + options.random() / 2);
      if (wait > options.longestWait) throw error;
      await options.sleep(wait, call.signal);
    }
  }
}

function mayRepeat(call: HttpCall, error: CallError): boolean {
  if (call.body instanceof ReadableStream) return false;
  if (error.code === "call-rate-limited") return true;
  if (error.status === 503 && error.retryAfter !== null) return true;
  if (!call.repeatable) return false;
  const passing = error.code === "call-unreachable" || error.code === "call-timeout";
  return passing || error.status === 502 || error.status === 503 || error.status === 504;
}
