import type { Timeouts } from "../../http/types.ts";
import { AfterwordError } from "../../errors.ts";
import {
  account,
  answerFault,
  countGate,
  ids,
  refuseLostBody,
  refuseOverload,
  reportFault,
} from "../exchange/accounting.ts";
import type { Place } from "../exchange/admission.ts";
import { joinPath, permissionCure } from "./base.ts";
import type { Core, Destination, GatewayRequest, Transform } from "../core.ts";
import { refuse } from "../exchange/errors.ts";
import { clientGone, type PeekedBody, type RequestBody } from "../exchange/exchange.ts";
import { readableCodings, upstreamHeaders } from "./forwarded-headers.ts";
import { fieldOf } from "../exchange/headers.ts";
import { hostOf } from "./public-address.ts";
import { type Outcome, relay } from "./relay.ts";
import type { Transport, UpstreamRequest } from "../exchange/transport.ts";

/** How one route forwards. */
export interface Route {
  /** In metrics and logs. */
  readonly name: string;
  /** May take the places that are reserved for authentication. */
  readonly reserved: boolean;
  /** Ends the exchange after `timeouts.total`; else only silence (`idle`) does. */
  readonly bounded: boolean;
  /** What becomes of the answer; gets the first bytes of the request. Null: it passes. */
  readonly transform: ((body: Uint8Array) => Transform) | null;
  /** Carries this request in the place of the platform's. */
  readonly transport?: Transport;
}

/** How much of a request body is kept for reading on routes that look into it, in bytes. */
export const readAhead: number = 64 * 1024;

/**
 * Forwards one request as its route wants it: its body is read, or its beginning, then it waits for
 * a place, then it is sent. In this order a body that does not come takes no place.
 *
 * @param admitted a place that was taken before, for a request without its body
 */
export function forward(
  core: Core,
  request: GatewayRequest,
  to: Destination,
  route: Route,
  admitted: Place | null = null,
): Promise<void> {
  // Promises only where something is waited for: each costs every message.
  return new Promise((resolve) => {
    new Forwarding(core, request, to, route, resolve).start(admitted);
  });
}

/** One request on its way to the upstream. */
class Forwarding {
  readonly #core: Core;
  readonly #request: GatewayRequest;
  readonly #to: Destination;
  readonly #route: Route;
  readonly #done: () => void;
  #gone = false;

  constructor(
    core: Core,
    request: GatewayRequest,
    to: Destination,
    route: Route,
    done: () => void,
  ) {
    this.#core = core;
    this.#request = request;
    this.#to = to;
    this.#route = route;
    this.#done = done;
  }

  start(admitted: Place | null): void {
    const { exchange, snapshot } = this.#request;
    const { body } = exchange;
    const most = snapshot.config.limits.requestBytes;
    if ((body?.length ?? 0) > most) {
      const message = `The request body is larger than ${most} bytes.`;
      refuse(exchange, 413, message, ["Connection", "close"], this.#route.name);
      this.#over(413);
    } else if (body === null) this.#enter(null, admitted);
    else {
      startOf(body, this.#route).then(
        (start) => this.#enter(start, admitted),
        (error: unknown) => this.#lost(error),
      );
    }
  }

  #enter(body: PeekedBody | null, admitted: Place | null): void {
    const { exchange } = this.#request;
    const { admission } = this.#core;
    const { reserved } = this.#route;
    exchange.reply.onGone(() => (this.#gone = true));
    const place = admitted ?? admission.enterNow(reserved, exchange.client.share);
    if (place !== null) return this.#send(body, place);
    void admission
      .enter(reserved, exchange.client.share)
      .then((entered) => (entered === null ? this.#refusePlace() : this.#send(body, entered)));
  }

  #refusePlace(): void {
    refuseOverload(this.#core, this.#request.exchange, this.#route.name);
    this.#over(503);
  }

  #send(body: PeekedBody | null, place: Place): void {
    const core = this.#core;
    const request = this.#request;
    const to = this.#to;
    const route = this.#route;
    try {
      if (this.#gone) throw clientGone();
      const transform = transformOf(core, route, body?.bytes ?? noBytes);
      const sent = upstreamRequest(core, request, to, route, transform !== null, body);
      const sentAt = core.platform.clock();
      const { exchange } = request;
      const relayed = { exchange, to, route: route.name, transform, place, sentAt };
      relay(core, route.transport ?? core.platform.transport, sent, relayed, (outcome) => {
        place.leave();
        this.#ended(outcome, sentAt);
      });
    } catch (error) {
      place.leave();
      if (this.#gone) return this.#lost(error);
      this.#fault(error);
    }
  }

  #ended(outcome: Outcome, sentAt: number): void {
    try {
      record(this.#core, this.#request, this.#to, this.#route, outcome, sentAt);
      this.#over(outcome.status, outcome);
    } catch (error) {
      this.#fault(error);
    }
  }

  #fault(error: unknown): void {
    answerFault(this.#core, this.#request.exchange, this.#route.name, error);
    this.#done();
  }

  #lost(error: unknown): void {
    this.#over(refuseLostBody(this.#core, this.#request.exchange, this.#route.name, error));
  }

  #over(status: number, outcome?: Outcome): void {
    const { name } = this.#route;
    account(this.#core, this.#request, name, status, outcome?.upstreamTime, outcome?.decided);
    this.#done();
  }
}

function startOf(body: RequestBody, { transform }: Route): Promise<PeekedBody> {
  // In chunks, where nobody looks at it, it goes on as it comes: then its first byte is enough.
  return body.peek(body.length === null && transform === null ? 1 : readAhead);
}

/** What we cannot look at goes its way as it is. */
function transformOf(core: Core, { name, transform }: Route, body: Uint8Array): Transform | null {
  try {
    return transform === null ? null : transform(body);
  } catch (error) {
    reportFault(core, name, error);
    countGate(core, name, "error");
    return null;
  }
}

function upstreamRequest(
  core: Core,
  request: GatewayRequest,
  { base, rest, trusted }: Destination,
  route: Route,
  isRead: boolean,
  body: PeekedBody | null,
): UpstreamRequest {
  const { exchange, snapshot } = request;
  const embedded = base.origin.startsWith("embedded:");
  // The embedded backend judges by the host that the client asked for (DNS rebinding).
  const host = (embedded && hostOf(exchange)) || base.host;
  const headers = upstreamHeaders(exchange.headers, host, core.via);
  return {
    origin: base.origin,
    method: exchange.method,
    path: joinPath(base, rest),
    headers: isRead ? readableCodings(headers) : headers,
    body:
      body === null
        ? route.transform && noBytes
        : body.rest === null
          ? body.bytes
          : limited(chained(body.bytes, body.rest), snapshot.config.limits.requestBytes),
    timeouts: timeoutsOf(request, route),
    trusted,
    client: embedded ? exchange.client.address : null,
  };
}

function timeoutsOf({ exchange, upstream }: GatewayRequest, { bounded }: Route): Timeouts {
  const { timeouts } = upstream;
  if (bounded) return timeouts;
  const accept = fieldOf(exchange.headers, "accept");
  const events = accept !== null && /\btext\/event-stream\b/i.test(accept);
  // Between two events there may be silence of any length; TCP keep-alive notices a dead peer.
  return events ? { ...timeouts, headers: 0, total: 0, idle: 0 } : { ...timeouts, total: 0 };
}

/** A body in chunks ends at the limit, before it is buffered anywhere. */
async function* limited(
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > limit) {
      const message = "the request body is larger than limits.requestBytes";
      throw new AfterwordError("body-too-large", message);
    }
    yield chunk;
  }
}

/** What was read of a body, and what follows it. */
export async function* chained(
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

function record(
  core: Core,
  request: GatewayRequest,
  to: Destination,
  route: Route,
  { upstreamTime, failure }: Outcome,
  sentAt: number,
): void {
  const { metrics, upstreamState, platform } = core;
  if (upstreamTime !== null) metrics.overhead(platform.clock() - request.started - upstreamTime);
  if (failure === null) upstreamState.noteAnswer();
  else {
    upstreamState.noteFailure(failure.kind);
    metrics.count("afterword_upstream_failures_total", failure.kind);
    if (failure.kind !== "cancelled") {
      const after = Math.round(platform.clock() - sentAt);
      const { kind, detail } = failure;
      platform.log("warn", "upstream-failed", {
        route: route.name,
        kind,
        detail,
        after,
        ...(kind === "refused" && { cure: permissionCure(to.base) }),
        ...ids(request),
      });
    }
  }
}

const noBytes = new Uint8Array(0);
