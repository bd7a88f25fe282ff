import type { FailureKind, RawHeaders } from "../../http/types.ts";
import { errorBodyOf } from "../../api/call/error-body.ts";
import type { Exchange } from "./exchange.ts";
import { fieldOf } from "./headers.ts";

/** The statuses of the gateway's own errors. 400 is none, because clients take it for an expired session. */
export type OwnStatus = 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 502 | 503 | 504;

const reasons: { readonly [status in OwnStatus]: string } = {
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

/**
 * Answers with a body that caches must not store, or for HEAD without the body.
 *
 * @param fields further header fields
 */
export function sendBody(
  exchange: Exchange,
  status: 200 | OwnStatus,
  type: string,
  body: Uint8Array,
  fields: RawHeaders = [],
): void {
  const headers = ["Content-Type", type, "Content-Length", String(body.length)];
  headers.push("Cache-Control", "no-store", ...fields);
  const reason = status === 200 ? "OK" : reasons[status];
  exchange.reply.send(status, reason, headers, exchange.method === "HEAD" ? null : body);
}

/** The header fields of a 503. */
export const retrySoon: RawHeaders = ["Retry-After", "1"];

const utf8 = new TextEncoder();

/**
 * Encodes `{"errors":[{"code":N,"message":"…"}]}`, with further members for clients of other products.
 *
 * @param product its key in `apis`; empty if it is not known
 */
export function encodeErrorBody(code: number, message: string, product = ""): Uint8Array {
  const errors = [{ code, message }];
  return utf8.encode(JSON.stringify({ ...errorBodyOf(product, code, message), errors }));
}

/** Answers an exchange with an error of the gateway. All pages may read it, since it has no secrets. */
export function refuse(
  exchange: Exchange,
  status: OwnStatus,
  message: string,
  extra: RawHeaders = [],
  product = "",
): void {
  sendError(
    exchange,
    status,
    message,
    [...createCrossOriginFields(exchange.headers), ...extra],
    product,
  );
}

/** Answers an exchange whose upstream failed or, for null, sent an unusable answer. */
export function refuseFailure(
  exchange: Exchange,
  kind: FailureKind | null,
  product: string,
): 413 | 502 | 504 {
  const status = statusOf(kind);
  const fields = status === 413 ? ["Connection", "close"] : [];
  const message = kind === null || kind === "broken" ? unusable : failures[status];
  refuse(exchange, status, message, fields, product);
  return status;
}

function statusOf(kind: FailureKind | null): 413 | 502 | 504 {
  if (kind === "too-large") return 413;
  return kind === "timeout" ? 504 : 502;
}

const unusable = "The conversation service sent no usable answer.";

const failures = {
  413: "The request body is too large.",
  502: "The conversation service could not be reached.",
  504: "The conversation service did not answer in time.",
};

/** Answers like {@link refuse}, but without letting every page read it. */
export function sendError(
  exchange: Exchange,
  status: OwnStatus,
  message: string,
  fields: RawHeaders = [],
  product = "",
): void {
  const body = encodeErrorBody(status, message, product);
  sendBody(exchange, status, "application/json", body, fields);
}

/** Lets the requesting page read an answer without secrets. */
export function createCrossOriginFields(headers: RawHeaders): string[] {
  const origin = fieldOf(headers, "origin");
  return origin === null ? [] : ["Access-Control-Allow-Origin", origin, "Vary", "Origin"];
}
