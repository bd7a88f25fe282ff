import {
  isCallError,
  findMeantStatus,
  createUnusableAnswerError,
} from "../../api/call/call-error.ts";
import { FetchFailure, type HttpAnswer, type HttpCall } from "../../api/call/http-call.ts";

/**
 * The result of a call to another service. `refused` is final: the same call would be refused again.
 * After `failed`, a record was certainly not created if `sent` is false, and may have been created
 * if it is true.
 */
export type CallResult<Value> =
  | { readonly kind: "ok"; readonly value: Value }
  | { readonly kind: "refused"; readonly status: number; readonly problem: string }
  | { readonly kind: "failed"; readonly sent: boolean; readonly problem: string };

/**
 * Sends a call once, without redirects or retries, because services may ignore idempotency keys.
 * `deadline` is in milliseconds.
 */
export type SendCall = (call: HttpCall, deadline: number) => Promise<HttpAnswer>;

/**
 * Makes a call, and returns its failure instead of rejecting. Problems name the operation and the
 * status, and nothing that the service wrote.
 *
 * @param creates true if the call creates a record, so that a failure may leave one behind
 */
export async function settleCall<Value>(
  creates: boolean,
  call: () => Promise<Value>,
): Promise<CallResult<Value>> {
  try {
    return { kind: "ok", value: await call() };
  } catch (error) {
    return failureOf(error, creates);
  }
}

/** Reads an answer, and throws if the reader returns null, which means an unknown shape. */
export function readOrThrow<Value>(
  operation: string,
  value: unknown,
  reader: (value: unknown) => Value | null,
): Value {
  const found = reader(value);
  if (found !== null) return found;
  throw createUnusableAnswerError(operation, "lacks what it should hold", { status: null });
}

/** Converts the value of a successful call. Failures stay as they are. */
export function mapResult<From, To>(
  answer: CallResult<From>,
  reader: (value: From) => To,
): CallResult<To> {
  return answer.kind === "ok" ? { kind: "ok", value: reader(answer.value) } : answer;
}

/** True when the service says that there is no such record. */
export function isMissing(answer: CallResult<unknown>): boolean {
  return answer.kind === "refused" && (answer.status === 404 || answer.status === 410);
}

function failureOf(error: unknown, creates: boolean): Exclude<CallResult<never>, { kind: "ok" }> {
  if (!isCallError(error)) {
    return { kind: "failed", sent: false, problem: "the request cannot be made" };
  }
  const { operation, code } = error;
  // A login creates nothing.
  const sent = creates && error.sent && !operation.startsWith("auth.");
  if (code === "call-answer-invalid") return { kind: "failed", sent, problem: error.message };
  const status = findMeantStatus(error);
  if (status === null) {
    const { cause } = error;
    if (code === "call-unreachable" || code === "call-timeout") {
      const why = cause instanceof FetchFailure ? cause.message : "no answer";
      return { kind: "failed", sent, problem: `${operation}: ${why}` };
    }
    // An id that no record can have, or a service that discovery does not name.
    return { kind: "refused", status: 404, problem: `${operation}: there is no such address` };
  }
  const problem = `${operation}: answered ${status}`;
  const isRefused = (status < 500 || status === 501) && !notProcessed.has(status);
  return isRefused ? { kind: "refused", status, problem } : { kind: "failed", sent, problem };
}

/** Statuses of a service that did not process the request, and may process a later one (RFC 9110). */
const notProcessed: ReadonlySet<number> = new Set([408, 425, 429]);
