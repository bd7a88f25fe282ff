import type { Hono } from "hono";
import { errorBodyOf } from "../../api/call/error-body.ts";
import type { ExplainedReason, RefusalReason } from "../../api/chat/reasons.ts";

/** The error of a refused operation. If it is thrown in a transaction, the transaction is rolled back. */
export class Refusal extends Error {
  /** The status of the answer. */
  readonly status: number;
  /** Further members of the answer's body. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** Further header fields of the answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** The reason that pages explain in their user's language; null if they show the message. */
  readonly why: ExplainedReason | null;

  constructor(
    status: number,
    message: string,
    extra: Readonly<Record<string, unknown>> = {},
    headers: Readonly<Record<string, string>> = {},
    why: ExplainedReason | null = null,
  ) {
    super(message);
    this.status = status;
    this.extra = extra;
    this.headers = headers;
    this.why = why;
  }
}

/** Creates a refusal that pages explain. `params` fill their sentence; `message` says it in English. */
export function refuseFor(
  status: number,
  reason: RefusalReason,
  message: string,
  params: ExplainedReason["params"] = {},
): Refusal {
  return new Refusal(status, message, {}, {}, { reason, params });
}

export function refuseNotFound(what: string): Refusal {
  return new Refusal(404, `There is no ${what}.`);
}

/** Shortens a caller's text for messages, and replaces everything but printable ASCII. */
export function toPrintable(text: string): string {
  const printable = text.replaceAll(/[^\x20-\x7e]/g, "?");
  return printable.length > 60 ? `${printable.slice(0, 60)}…` : printable;
}

/**
 * Creates an error of this backend in the shape that the product's clients read. The product is the
 * first segment of the request's path. `extra` adds members to the body. The chat has its own
 * `createChatError`.
 */
export function createErrorAnswer(
  path: string,
  status: number,
  message: string,
  extra: Readonly<Record<string, unknown>> = {},
): Response {
  const [, product = ""] = path.split("/", 2);
  return Response.json(
    { ...extra, ...errorBodyOf(product, status, message) },
    { status, headers: { "cache-control": "no-store" } },
  );
}

/**
 * Creates the refusal of a request that no route of `app` answers: 405 with `Allow` for a path that
 * takes other methods (RFC 9110, 15.5.6), otherwise 404.
 */
export function refusalAt(app: Hono, path: string): Refusal {
  // Middleware is registered for ALL, which does not mean that a path takes all methods.
  const known = new Set(app.routes.map(({ method }) => method).filter((one) => one !== "ALL"));
  const taken = [...known].filter((method) =>
    app.router.match(method, path)[0].some(([[, route]]) => route.method === method),
  );
  if (taken.length === 0) return new Refusal(404, "There is nothing here.");
  const methods = taken.flatMap((one) => (one === "GET" ? ["GET", "HEAD"] : one));
  const allow = methods.toSorted().join(", ");
  return new Refusal(405, `This path takes ${allow}.`, {}, { allow });
}

/** Creates the answer of a refusal that a handler threw. */
export function createRefusalAnswer(path: string, refusal: Refusal): Response {
  const answer = createErrorAnswer(path, refusal.status, refusal.message, refusal.extra);
  for (const [name, value] of Object.entries(refusal.headers)) answer.headers.set(name, value);
  return answer;
}

/**
 * Answers missing, wrong or expired credentials. Clients of authentication read the top-level
 * `message`.
 */
export function answerUnauthorized(path: string): Response {
  return createErrorAnswer(path, 401, "Unauthorized", { message: "Unauthorized" });
}

/** Answers valid credentials that do not belong together, or do not allow the operation. */
export function answerForbidden(path: string, message = "Forbidden"): Response {
  return createErrorAnswer(path, 403, message, { message });
}

/**
 * Answers with the code and message after which clients start a new conversation and send their
 * message again. No other error of the message route may have the status 400, because some clients
 * drop their session on any 400.
 */
export function answerSessionExpired(): Response {
  return createErrorAnswer("/chatbot", 400, "Session expired");
}

/** Says that a body is larger than `limit` bytes. */
export function describeTooLarge(limit: number): string {
  return `The body is larger than ${limit} bytes.`;
}
