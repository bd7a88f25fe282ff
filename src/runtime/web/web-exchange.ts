import { unknownClient } from "../../client-address.ts";
import type { Exchange } from "../../gateway/exchange.ts";
import { fieldOf } from "../../gateway/headers.ts";
import { rawHeadersOf } from "./field-lists.ts";
import { createWebReply } from "./web-reply.ts";
import { createWebRequestBody } from "./web-request-body.ts";

export interface WebExchange {
  readonly exchange: Exchange;
  /** What was written to `exchange.reply`. Resolves with the head, always; never rejects. */
  readonly response: Promise<Response>;
}

/**
 * A Fetch API request as the gateway wants it, and the response that comes of it. Hono apps,
 * Workers and Bun meet the gateway here.
 *
 * What a `Request` has already lost stays lost: header names come in lower case, sorted and joined
 * (`Set-Cookie` apart), and dot segments of the path are resolved. Trailers are dropped on the way out.
 *
 * `response` is 502 when the reply was aborted before its head, and 499 when the client went away
 * before (nobody reads it; it keeps a handler from waiting for ever). A body that breaks off later
 * is an errored stream.
 *
 * @example
 * const { exchange, response } = createWebExchange(new
 * Request("http://gateway.example/v1/apis?a=1")); exchange.target; // "/v1/apis?a=1"
 * exchange.reply.send(204, "No Content", [], null); (await response).status; // 204
 */
export function createWebExchange(request: Request): WebExchange {
  const { method, signal } = request;
  const { scheme, authority, target } = splitAddress(request.url);
  const fields = rawHeadersOf(request.headers);
  // A Request made in the process has no Host; its URL says what it would have been.
  const hosted = authority === "" || fieldOf(fields, "host") !== null;
  const headers = hosted ? fields : ["host", authority, ...fields];
  const length = lengthOf(fieldOf(fields, "content-length"));
  // Told by the length where there is one: to ask for its stream makes one, which costs more than a
  // short body's bytes.
  const declared = length !== null && length > 0 && method !== "GET" && method !== "HEAD";
  const hasBody = declared || request.body !== null;
  const { reply, response } = createWebReply(method, signal);
  return {
    exchange: {
      method,
      target,
      headers,
      body: hasBody ? createWebRequestBody(request, length, signal) : null,
      peer: null,
      client: unknownClient,
      scheme,
      reply,
    },
    response,
  };
}

/**
 * Cut, not parsed: an empty query (`/path?`) would not survive `URL`'s properties. The fragment is
 * never sent.
 */
function splitAddress(url: string) {
  const parts = /^([a-z][a-z\d+.-]*):\/\/([^/?#]*)([^#]*)/i.exec(url);
  const target = parts?.[3] ?? "";
  return {
    scheme: parts?.[1]?.toLowerCase() === "https" ? ("https" as const) : ("http" as const),
    authority: (parts?.[2] ?? "").replace(/^[^@]*@/, ""),
    target: target.startsWith("/") ? target : `/${target}`,
  };
}

function lengthOf(value: string | null): number | null {
  if (value === null || !/^\d+$/.test(value)) return null;
  const length = Number(value);
  return Number.isSafeInteger(length) ? length : null;
}
