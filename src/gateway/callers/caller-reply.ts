import type { RawHeaders } from "../../http/types.ts";
import type { Reply } from "../exchange/exchange.ts";
import { account } from "../exchange/accounting.ts";
import type { Core } from "../core.ts";
import type { GatewayRequest } from "../exchange/request.ts";
import { sendError, type OwnStatus } from "../exchange/errors.ts";

/** A caller's answer. The upstream's CORS and cookies stay here; the caller's page may read it. */
export function wrapCallerReply(reply: Reply, origin: string | null): Reply {
  const addFields = (headers: RawHeaders): RawHeaders => [
    ...filterKept(headers),
    ...(isCacheable(headers) ? ["Cache-Control", "private"] : []),
    ...createCorsFields(origin),
  ];
  return {
    send: (status, reason, headers, body) => reply.send(status, reason, addFields(headers), body),
    head: (status, reason, headers) => reply.head(status, reason, addFields(headers)),
    write: (chunk) => reply.write(chunk),
    end: (trailers) => reply.end(trailers),
    abort: () => reply.abort(),
    onDrain: (callback) => reply.onDrain(callback),
    onGone: (callback) => reply.onGone(callback),
    get started() {
      return reply.started;
    },
  };
}

/** Lets this origin's page read an answer: the origin itself, never `*`, no browser credentials. */
export function createCorsFields(origin: string | null): string[] {
  const vary = "Origin, X-Afterword-Caller, X-Afterword-Caller-Key";
  if (origin === null) return ["Vary", vary];
  return [
    "Access-Control-Allow-Origin",
    origin,
    "Access-Control-Expose-Headers",
    "Retry-After",
    "Vary",
    vary,
  ];
}

function filterKept(headers: RawHeaders): string[] {
  return headers.filter((_, index) => {
    const name = (headers[index - (index % 2)] ?? "").toLowerCase();
    return !name.startsWith("access-control-") && !staysHere.has(name);
  });
}

const staysHere: ReadonlySet<string> = new Set(["set-cookie", "set-cookie2", "www-authenticate"]);

/** Answers silent on caching could be kept by a cache in between, and reach others. */
function isCacheable(headers: RawHeaders): boolean {
  return !headers.some((name, index) => index % 2 === 0 && name.toLowerCase() === "cache-control");
}

export interface CallerRefusal {
  readonly status: OwnStatus;
  readonly message: string;
  /** The fields for browsers, and those of this answer. Nothing else is added. */
  readonly fields: RawHeaders;
}

/** Answers a request that is not forwarded. An unread body ends the connection. */
export function answerRefusal(
  core: Core,
  arrival: GatewayRequest,
  route: string,
  { status, message, fields }: CallerRefusal,
): void {
  const { exchange } = arrival;
  const closing = status === 413 ? ["Connection", "close"] : [];
  sendError(exchange, status, message, [...fields, ...closing]);
  account(core, arrival, route, status);
}
