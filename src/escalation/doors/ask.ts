import { readErrorBody, saysError } from "../../api/error-body.ts";
import type { Answered } from "../outside.ts";
import type { Outside, OutsideAnswer, OutsideCall } from "./call.ts";

/** A service and the credentials for it. */
export interface Link {
  readonly outside: Outside;
  readonly base: string;
  /** name, value, … on every call. */
  readonly headers: readonly string[];
  /** Milliseconds for one call. */
  readonly deadline: number;
}

export interface Question {
  /** Named in problems, such as `chat.createChat`. */
  readonly name: string;
  readonly method: OutsideCall["method"];
  readonly path: string;
  readonly headers?: readonly string[];
  /** Sent as JSON. */
  readonly json?: object;
  /** Sent as they are, with their content type. */
  readonly bytes?: { readonly type: string; readonly content: Uint8Array };
  /** True when an answer that was lost may have changed something over there. */
  readonly creates: boolean;
  /** True: an answer of success needs no body. */
  readonly silent?: boolean;
}

/**
 * Asks, and reads the answer as JSON. Never rejects. Whether something may have been created in
 * spite of a failure (`sent`):
 *
 * | what came back                                        | `sent`                                                |
 * | ----------------------------------------------------- | ----------------------------------------------------- |
 * | no connection, nothing written                        | false                                                 |
 * | silence, a broken answer, one that is not JSON        | true                                                  |
 * | 408, 425, 429; 503 with Retry-After                   | false: turned away before anything was done (RFC 9110) |
 * | any other 5xx                                         | true                                                  |
 *
 * A call that creates nothing is never `sent`. A body that says it is an error counts as one at any
 * status, with the status that its code names (README.md of the reference, row 31).
 */
export async function ask(link: Link, question: Question): Promise<Answered<unknown>> {
  const { name, method, path, creates } = question;
  // An id that is empty or made of dots would ask for something else than it says.
  if (/\/\.{0,2}(?:\/|$)/.test(path.split("?", 1)[0] ?? "")) {
    return { kind: "refused", status: 404, problem: `${name}: there is no such id` };
  }
  const answer = await link.outside({
    method,
    base: link.base,
    path,
    headers: [...link.headers, ...(question.headers ?? []), ...typeOf(question)],
    body: bodyOf(question),
    deadline: link.deadline,
  });
  if (answer.kind === "failed") {
    return {
      kind: "failed",
      sent: creates && answer.sent,
      problem: `${name}: ${answer.problem}`,
    };
  }
  return read(question, answer);
}

/** A question that changes nothing. */
export function getting(name: string, path: string): Question {
  return { name, method: "GET", path: `/v1${path}`, creates: false };
}

/** Asks, and reads with a reader as {@link reading} does. */
export async function askFor<Value>(
  link: Link,
  question: Question,
  reader: (value: unknown) => Value | null,
): Promise<Answered<Value>> {
  return reading(await ask(link, question), question, reader);
}

/** The same answer, with what one of success holds read. */
export function mapped<From, To>(
  answer: Answered<From>,
  reader: (value: From) => To,
): Answered<To> {
  return answer.kind === "ok" ? { kind: "ok", value: reader(answer.value) } : answer;
}

/** A part of a path or a query. */
export function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** What an answer of success holds, by a reader that gives null for a shape it does not know. */
export function reading<Value>(
  answer: Answered<unknown>,
  { name, creates }: Pick<Question, "name" | "creates">,
  reader: (value: unknown) => Value | null,
): Answered<Value> {
  if (answer.kind !== "ok") return answer;
  const value = reader(answer.value);
  if (value !== null) return { kind: "ok", value };
  return {
    kind: "failed",
    sent: creates,
    problem: `${name}: the answer lacks what it should hold`,
  };
}

const json = ["Content-Type", "application/json"];

function typeOf({ json: value, bytes }: Question): readonly string[] {
  if (bytes !== undefined) return ["Content-Type", bytes.type];
  return value === undefined ? [] : json;
}

function bodyOf({ json: value, bytes }: Question): Uint8Array | null {
  if (bytes !== undefined) return bytes.content;
  return value === undefined ? null : new TextEncoder().encode(JSON.stringify(value));
}

function read(
  question: Question,
  answer: OutsideAnswer & { readonly kind: "answer" },
): Answered<unknown> {
  const { name, creates, silent = false } = question;
  const value = parse(answer.body);
  const success = answer.status >= 200 && answer.status < 300;
  if (success && !saysError(value)) {
    if (value !== undefined || silent) return { kind: "ok", value: value ?? null };
    return { kind: "failed", sent: creates, problem: `${name}: the answer is not JSON` };
  }
  const status = success ? codeIn(value) : answer.status;
  const problem = `${name}: answered ${status}`;
  if (turnedAway.has(status) || (status === 503 && answer.retryAfter)) {
    return { kind: "failed", sent: false, problem };
  }
  // Not implemented is as definite as any 4xx.
  if (status >= 500 && status !== 501) return { kind: "failed", sent: creates, problem };
  return { kind: "refused", status, problem };
}

const turnedAway: ReadonlySet<number> = new Set([408, 425, 429]);

/** The status that an error in an answer of success means. */
function codeIn(value: unknown): number {
  const code = readErrorBody(value)?.code ?? 0;
  return code >= 400 && code < 600 ? code : 422;
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
