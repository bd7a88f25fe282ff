import { AfterwordError } from "../../errors.ts";
import type { ErrorCode } from "../../errors.ts";

/** The codes of failed calls. */
export type CallErrorCode = Extract<ErrorCode, `call-${string}` | "session-expired">;

/** The facts of a failed call beside its message. */
export interface CallFailure {
  /** The operation, such as `ticketing.createTicket`. */
  readonly operation: string;
  /** HTTP status, or null when there was no answer. */
  readonly status: number | null;
  /** The number that the body named as its code, or null. */
  readonly wireCode: number | null;
  /** Milliseconds after which the service asks to be called again, or null when it named none. */
  readonly retryAfter: number | null;
  /** The `x-request-id` of the answer, or null. */
  readonly requestId: string | null;
  /**
   * True when the service may have performed the operation in spite of the failure: after a
   * timeout, a broken answer, one that is not JSON, or a 5xx. False when nothing was written, and
   * after an answer that rejects the call (RFC 9110): any other status, 501, or 503 with
   * Retry-After. Default false.
   */
  readonly sent?: boolean;
}

/**
 * A failed call of one of the five interfaces, whatever the shape of the service's error. The
 * message names the operation, quotes the service, and never contains a secret or a token.
 *
 * @example
 * try {
 *   await clients.ticketing.createTicket(ticket);
 * } catch (error) {
 *   if (!isCallError(error) || error.code !== "call-rate-limited") throw error;
 *   await sleep(error.retryAfter ?? 1000);
 * }
 */
export class CallError extends AfterwordError implements CallFailure {
  readonly operation: string;
  readonly status: number | null;
  readonly wireCode: number | null;
  readonly retryAfter: number | null;
  readonly requestId: string | null;
  readonly sent: boolean;

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
    this.sent = failure.sent ?? false;
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

/**
 * Returns the status that a failure stands for. An error in a 2xx answer stands for the status in its
 * body, else for 422. Null for an answer that cannot be used, or for none.
 */
export function findMeantStatus({
  code,
  status,
  wireCode,
}: Pick<CallFailure, "status" | "wireCode"> & { readonly code?: string }): number | null {
  if (code === "call-answer-invalid") return null;
  if (status === null || status >= 300) return status;
  return wireCode !== null && wireCode >= 400 && wireCode < 600 ? wireCode : 422;
}

/** Creates the error of a call that was not made. */
export function createUnsentError(code: CallErrorCode, operation: string, why: string): CallError {
  const nothing = { status: null, wireCode: null, retryAfter: null, requestId: null };
  return new CallError(code, `${operation}: ${why}`, { operation, ...nothing });
}

/** Creates the error of a successful answer that cannot be used, though the operation may be done. */
export function createUnusableAnswerError(
  operation: string,
  why: string,
  { status, requestId = null }: { status: number | null; requestId?: string | null },
): CallError {
  const failure = { operation, status, wireCode: null, retryAfter: null, requestId, sent: true };
  return new CallError("call-answer-invalid", `${operation}: the answer ${why}`, failure);
}
