import type { HttpRequest, Timeouts } from "../../http/types.ts";
import { AfterwordError } from "../../errors.ts";
import {
  account,
  answerFault,
  readIds,
  refuseLostBody,
  refuseOverload,
} from "../exchange/accounting.ts";
import type { Place } from "../exchange/admission.ts";
import { refuse } from "../exchange/errors.ts";
import { createClientGoneError, type PeekedBody } from "../exchange/exchange.ts";
import { fieldOf } from "../exchange/headers.ts";
import type { GatewayRequest } from "../exchange/request.ts";
import { joinPath, describePermissionCure } from "./base.ts";
import { codingOf, readPlainBody } from "./gates.ts";
import { filterReadableCodings, createUpstreamHeaders } from "./forwarded-headers.ts";
import { hostOf } from "./public-address.ts";
import { relay } from "./relay.ts";
import type { RelayOutcome, Route, UpstreamCore } from "./route.ts";

/** Bytes of a request body that are read before it is sent, on routes that look into it. */
export const readAhead: number = 64 * 1024;

/** Limit of a request body that is decoded for reading, in decoded bytes. */
export const decodedLimit: number = 256 * 1024;

/**
 * Forwards a request along its route: reads the beginning of its body, waits for a place, sends it
 * and relays the answer. The body comes first, so that one that never arrives takes no place.
 *
 * @param admitted the place of a request that was admitted before its body was read
 */
export async function forward(
  core: UpstreamCore,
  request: GatewayRequest,
  route: Route,
  admitted: Place | null = null,
): Promise<void> {
  const { exchange, snapshot } = request;
  const { name } = route;
  const isRead = route.transform !== null || route.answered !== undefined;
  const { requestBytes } = snapshot.config.limits;
  if ((exchange.body?.length ?? 0) > requestBytes) {
    const message = `The request body is larger than ${requestBytes} bytes.`;
    refuse(exchange, 413, message, ["Connection", "close"], name);
    return account(core, request, name, 413);
  }
  let body: PeekedBody | null;
  try {
    // A chunked body that nobody looks into is streamed, so its first byte is enough.
    const isStreamed = exchange.body?.length === null && !isRead;
    body = exchange.body === null ? null : await exchange.body.peek(isStreamed ? 1 : readAhead);
  } catch (error) {
    return account(core, request, name, refuseLostBody(core, exchange, name, error));
  }
  let isGone = false;
  exchange.reply.onGone(() => (isGone = true));
  const place = admitted ?? (await core.admission.enter(route.reserved, exchange.client.share));
  if (place === null) {
    refuseOverload(core, exchange, name);
    return account(core, request, name, 503);
  }
  try {
    if (isGone) {
      return account(
        core,
        request,
        name,
        refuseLostBody(core, exchange, name, createClientGoneError()),
      );
    }
    const sent = createUpstreamRequest(core, request, route, body);
    const sentAt = core.platform.clock();
    const isCoded = isRead && codingOf(exchange.headers) !== "";
    const question = isCoded ? await decodeQuestion(core, request, body) : (body?.bytes ?? noBytes);
    const outcome = await relay(core, request, route, place, sent, question);
    countOutcome(core, request, route, outcome, sentAt);
    account(core, request, name, outcome.status, outcome.upstreamTime, outcome.decided);
    route.answered?.(outcome, question);
  } catch (error) {
    answerFault(core, exchange, name, error);
  } finally {
    place.leave();
  }
}

/** Decodes a whole body, so that it can be looked into; empty if it is incomplete or damaged. */
async function decodeQuestion(
  { platform }: UpstreamCore,
  { exchange: { headers } }: GatewayRequest,
  body: PeekedBody | null,
): Promise<Uint8Array> {
  const isWhole = body !== null && body.rest === null;
  return (isWhole && (await readPlainBody(platform, headers, body.bytes, decodedLimit))) || noBytes;
}

function createUpstreamRequest(
  core: UpstreamCore,
  request: GatewayRequest,
  route: Route,
  body: PeekedBody | null,
): HttpRequest {
  const { exchange, snapshot } = request;
  const { base, rest, trusted } = route.to;
  const embedded = base.origin.startsWith("embedded:");
  // Against DNS rebinding, the embedded backend checks the host that the client asked for.
  const host = (embedded && hostOf(exchange)) || base.host;
  const headers = createUpstreamHeaders(exchange.headers, host, core.via);
  return {
    origin: base.origin,
    method: exchange.method,
    path: joinPath(base, rest),
    headers: route.transform === null ? headers : filterReadableCodings(headers),
    body:
      body === null
        ? route.transform && noBytes
        : body.rest === null
          ? body.bytes
          : limitChunks(chainChunks(body.bytes, body.rest), snapshot.config.limits.requestBytes),
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

/** Ends a body in chunks with an error once it passes the limit. */
async function* limitChunks(
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

/** Yields the part of a body that was read, and then the rest. */
async function* chainChunks(
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

/** Counts how the exchange with the upstream ended, and logs what went wrong there. */
function countOutcome(
  core: UpstreamCore,
  request: GatewayRequest,
  { name, to }: Route,
  { upstreamTime, failure }: RelayOutcome,
  sentAt: number,
): void {
  const { metrics, upstreamState, platform } = core;
  if (upstreamTime !== null) metrics.overhead(platform.clock() - request.started - upstreamTime);
  if (failure === null) return upstreamState.noteAnswer();
  const { kind, detail } = failure;
  upstreamState.noteFailure(kind);
  metrics.count("afterword_upstream_failures_total", kind);
  if (kind === "cancelled") return;
  platform.log("warn", "upstream-failed", {
    route: name,
    kind,
    detail,
    after: Math.round(platform.clock() - sentAt),
    ...(kind === "refused" && { cure: describePermissionCure(to.base) }),
    ...readIds(request),
  });
}

const noBytes = new Uint8Array(0);
