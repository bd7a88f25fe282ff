import { AfterwordError } from "../errors.ts";
import type { ErrorCode } from "../errors.ts";

/** The codes of a call that did not come to an answer. */
export type CallErrorCode = Extract<ErrorCode, `call-${string}` | "session-expired">;

/** What is known about a failed call beside its message. */
export interface CallFailure {
  /** The operation, such as `ticketing.createTicket`. */
  readonly operation: string;
  /** HTTP status, or null when there was no answer. */
  readonly status: number | null;
  /** The number that the body named as its code, or null. */
  readonly wireCode: number | null;
  /** Milliseconds after which the service asks to be called again, or null when it named none. */
  readonly retryAfter: number | null;
  /** The request's id, as the service named it in `x-request-id`, or null. */
  readonly requestId: string | null;
}

/**
 * A call of one of the five interfaces that failed, whatever the shape in which the service said
 * so. The message names the operation and what the service said, and never a secret or a token.
 *
 * @example
 * try { await clients.ticketing.createTicket(ticket) } catch (error) {
 *   if (isCallError(error) && error.code === "call-rate-limited") await sleep(error.retryAfter ??
 *   1000);
 * }
 */
export class CallError extends AfterwordError implements CallFailure {
  readonly operation: string;
  readonly status: number | null;
  readonly wireCode: number | null;
  readonly retryAfter: number | null;
  readonly requestId: string | null;

  constructor(
    code: CallErrorCode,
    message: string,
    failure: CallFailure,
    options?: { cause?: unknown },
  ) {
    super(code, message, options);
    this.operation = failure.operation;
    this.status = failure.status;
    this.wireCode = failure.wireCode;
    this.retryAfter = failure.retryAfter;
    this.requestId = failure.requestId;
  }
}

/** True for a {@link CallError} of any copy of this package. */
export function isCallError(value: unknown): value is CallError {
  return (
    value instanceof Error &&
    value.name === "AfterwordError" &&
    "operation" in value &&
    "retryAfter" in value
  );
}
