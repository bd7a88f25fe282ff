import type { Failure, HttpRequest, RawHeaders } from "../../http/types.ts";
import { refuseLoop } from "../exchange/accounting.ts";
import type { Place } from "../exchange/admission.ts";
import { type Base, joinPath, describePermissionCure } from "./base.ts";
import type { GatewayRequest } from "../exchange/request.ts";
import { findDestination } from "./destination.ts";
import { refuse, retrySoon } from "../exchange/errors.ts";
import type { RequestHead } from "../exchange/exchange.ts";
import { fieldOf, joinedFieldOf } from "../exchange/headers.ts";
import { createUpstreamHeaders } from "./forwarded-headers.ts";
import type { UpstreamCore } from "./route.ts";
import { isConversation } from "../exchange/target.ts";

/** A permitted upgrade: its destination, and a stream's place held until `over`. */
export interface Upgrade {
  readonly request: Pick<
    HttpRequest,
    "origin" | "path" | "headers" | "trusted" | "timeouts" | "client"
  >;
  /** Ends the accounting. After an error, the client is answered first. */
  over(error: Failure | null): void;
}

/**
 * True when a request asks for a WebSocket at an address where an upstream may have one. Everything
 * else that asks for an upgrade is served as if it had not asked (RFC 9110 section 7.8): because
 * the contents of a tunnel are not examined, and another protocol (h2c) would let a client request
 * any path on any host.
 */
export function mayUpgrade(
  { method, headers }: RequestHead,
  { target, upstream }: Pick<GatewayRequest, "target" | "upstream">,
): boolean {
  if (method !== "GET" || !asksForWebSocket(headers)) return false;
  if (target.kind !== "signed" && target.kind !== "product") return false;
  // Neither the product of a signed target nor the end of its base is known yet. No other product
  // has such a path.
  if (isConversation(target.rest) || isConversation(target.rest.replace(/^\/[^/?]*/, ""))) {
    return false;
  }
  // The chat's event stream is the only socket of the embedded backend.
  return !upstream.auth.startsWith("embedded:") || /\/v1\/events\/?(?:\?|$)/.test(target.rest);
}

/** RFC 6455 section 4.1: one `Upgrade: websocket` and a key. */
function asksForWebSocket(headers: RawHeaders): boolean {
  const protocol = joinedFieldOf(headers, "upgrade");
  return (
    protocol?.trim().toLowerCase() === "websocket" && fieldOf(headers, "sec-websocket-key") !== null
  );
}

/** Finds where an upgrade goes. Null if the client has its answer already. */
export async function prepareUpgrade(
  core: UpstreamCore,
  request: GatewayRequest,
): Promise<Upgrade | null> {
  const { exchange } = request;
  if (refuseLoop(core, exchange)) return null;
  const place = await core.admission.enter(false, exchange.client.share);
  if (place === null || !place.becomeStream()) {
    place?.leave();
    core.metrics.count("afterword_overload_total");
    refuse(exchange, 503, "Too many streams are open. Try again later.", retrySoon);
    return null;
  }
  const destination = await findDestination(core, request);
  if (destination === null) {
    place.leave();
    return null;
  }
  const { base, rest, trusted } = destination;
  return {
    request: {
      origin: base.origin,
      path: joinPath(base, rest),
      headers: createUpstreamHeaders(exchange.headers, base.host, core.via),
      trusted,
      timeouts: request.upstream.timeouts,
      client: exchange.client.address,
    },
    over: (error) => finish(core, request, base, place, error),
  };
}

function finish(
  core: UpstreamCore,
  request: GatewayRequest,
  base: Base,
  place: Place,
  error: Failure | null,
): void {
  place.leave();
  const status = error === null ? "1xx" : "5xx";
  core.metrics.count("afterword_requests_total", "upgrade", status);
  if (error === null) return;
  core.metrics.count("afterword_upstream_failures_total", error.kind);
  core.platform.log("warn", "upstream-failed", {
    route: "upgrade",
    kind: error.kind,
    detail: error.detail,
    ...(error.kind === "refused" && { cure: describePermissionCure(base) }),
  });
  if (error.kind === "timeout")
    refuse(request.exchange, 504, "The conversation service did not answer in time.");
  else refuse(request.exchange, 502, "The conversation service could not be reached.");
}
