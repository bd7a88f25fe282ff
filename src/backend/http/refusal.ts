import type { Hono } from "hono";
import { errorBodyOf } from "../../api/call/error-body.ts";
import type { ExplainedReason, RefusalReason } from "../../api/chat/reasons.ts";

/** Why an operation was refused. Thrown in a transaction it rolls back; gives the status. */
export class Refusal extends Error {
  readonly status: number;
  readonly extra: Readonly<Record<string, unknown>>;

  readonly headers: Readonly<Record<string, string>>;
  /** The reason that a page says in its reader's language; null if it has none of its own. */
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

/** A refusal that a page explains: `params` fill its sentence, `message` says the same in English. */
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

/** Shortens a caller's text for messages, and leaves nothing in it that is not printable. */
export function toPrintable(text: string): string {
  const printable = text.replaceAll(/[^\x20-\x7e]/g, "?");
  return printable.length > 60 ? `${printable.slice(0, 60)}…` : printable;
}

/**
 * An error of this backend, in the shape that the clients of its product read: the path of the
 * request begins with it. `extra` adds members beside it. The chat, which answers for itself, has
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
 * Why no route of `app` answers a request: 405 with `Allow` for a path that takes other methods
 * (RFC 9110, 15.5.6), else 404.
 */
export function refusalAt(app: Hono, path: string): Refusal {
  // Middleware is registered for ALL, and does not tell which methods a path takes.
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

/** Missing, wrong or expired credentials; authentication clients read the top-level `message`. */
export function answerUnauthorized(path: string): Response {
  return createErrorAnswer(path, 401, "Unauthorized", { message: "Unauthorized" });
}

/** A valid token and a valid key that do not belong together, or do not allow this. */
export function answerForbidden(path: string, message = "Forbidden"): Response {
  return createErrorAnswer(path, 403, message, { message });
}

/**
 * The pair of code and message on which clients start a new conversation and send their message
 * again. Nothing else may answer 400 on the message route: some clients drop their session on any
 * 400.
 */
export function answerSessionExpired(): Response {
  return createErrorAnswer("/chatbot", 400, "Session expired");
}

/** Over the payload limit of 10 MB. */
export function describeTooLarge(limit: number): string {
  return `The body is larger than ${limit} bytes.`;
}
