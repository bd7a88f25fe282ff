import {
  isCallError,
  findMeantStatus,
  createUnusableAnswerError,
} from "../../api/call/call-error.ts";
import { FetchFailure, type HttpAnswer, type HttpCall } from "../../api/call/http-call.ts";

/**
 * The result of a call to another service. `refused` is a definite no (a 4xx that will not change
 * by asking again). `failed` with `sent: false`: nothing was created. `failed` with `sent: true`:
 * it may have been.
 */
export type Answered<Value> =
  | { readonly kind: "ok"; readonly value: Value }
  | { readonly kind: "refused"; readonly status: number; readonly problem: string }
  | { readonly kind: "failed"; readonly sent: boolean; readonly problem: string };

/** Sends a call once, in `deadline` ms, no redirects or retries: services may ignore keys. */
export type SendCall = (call: HttpCall, deadline: number) => Promise<HttpAnswer>;

/**
 * Makes a call, and says whether something may have been created in spite of a failure: as
 * {@link CallError.sent} has it, and never by a call that `creates` nothing. Never rejects.
 * Problems name the operation and the status, and nothing that the service wrote.
 */
export async function toAnswered<Value>(
  creates: boolean,
  call: () => Promise<Value>,
): Promise<Answered<Value>> {
  try {
    return { kind: "ok", value: await call() };
  } catch (error) {
    return failureOf(error, creates);
  }
}

/** Reads an answer with a reader that returns null for an unknown shape. */
export function readBy<Value>(
  operation: string,
  value: unknown,
  reader: (value: unknown) => Value | null,
): Value {
  const found = reader(value);
  if (found !== null) return found;
  throw createUnusableAnswerError(operation, "lacks what it should hold", { status: null });
}

/** Converts the value of a successful answer, and keeps the others. */
export function mapAnswered<From, To>(
  answer: Answered<From>,
  reader: (value: From) => To,
): Answered<To> {
  return answer.kind === "ok" ? { kind: "ok", value: reader(answer.value) } : answer;
}

/** True when the service says that there is no such record. */
export function isMissing(answer: Answered<unknown>): boolean {
  return answer.kind === "refused" && (answer.status === 404 || answer.status === 410);
}

function failureOf(error: unknown, creates: boolean): Exclude<Answered<never>, { kind: "ok" }> {
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
  const isRefused = (status < 500 || status === 501) && !turnedAway.has(status);
  return isRefused ? { kind: "refused", status, problem } : { kind: "failed", sent, problem };
}

/** Refused before anything was done (RFC 9110). */
const turnedAway: ReadonlySet<number> = new Set([408, 425, 429]);
