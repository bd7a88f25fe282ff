import type { RawHeaders, Reply } from "../exchange.ts";
import { account } from "../accounting.ts";
import type { GatewayRequest, Core } from "../core.ts";
import { sendError, type OwnStatus } from "../errors.ts";

/**
 * The place where a caller's answer goes. What the upstream says to browsers is said to us, who are
 * none: its CORS fields and cookies stay here, and the caller's own page may read the answer.
 */
export function callerReply(reply: Reply, origin: string | null): Reply {
  const fields = (headers: RawHeaders): RawHeaders => [
    ...kept(headers),
    ...(isCacheable(headers) ? ["Cache-Control", "private"] : []),
    ...corsFields(origin),
  ];
  return {
    send: (status, reason, headers, body) => reply.send(status, reason, fields(headers), body),
    head: (status, reason, headers) => reply.head(status, reason, fields(headers)),
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

/**
 * What lets a page of this origin read an answer: the origin itself, never `*`, and no credentials
 * of the browser's.
 */
export function corsFields(origin: string | null): string[] {
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

function kept(headers: RawHeaders): string[] {
  return headers.filter((_, index) => {
    const name = (headers[index - (index % 2)] ?? "").toLowerCase();
    return !name.startsWith("access-control-") && !staysHere.has(name);
  });
}

const staysHere: ReadonlySet<string> = new Set(["set-cookie", "set-cookie2", "www-authenticate"]);

/**
 * An answer that says nothing of caches could be kept by one between, and given to whoever asks
 * next.
 */
function isCacheable(headers: RawHeaders): boolean {
  return !headers.some((name, index) => index % 2 === 0 && name.toLowerCase() === "cache-control");
}

export interface CallerRefusal {
  readonly status: OwnStatus;
  readonly message: string;
  /** What it says to browsers, and whatever else it needs. Nothing is added. */
  readonly fields: RawHeaders;
}

/** Answers what goes no further. A body that nobody has read yet ends the connection. */
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
