import { account, overloaded, refuseLostBody } from "../accounting.ts";
import type { GatewayRequest, Core, Destination } from "../core.ts";
import { retrySoon } from "../errors.ts";
import type { Exchange } from "../exchange.ts";
import { forwardFrom, type Route } from "../forward.ts";
import { publicRoot } from "../public-address.ts";
import { type CallerBody, callerBody } from "./caller-body.ts";
import { callerHeaders } from "./caller-headers.ts";
import { callerReply, corsFields } from "./caller-reply.ts";
import type { Admitted } from "./admitted.ts";
import { credentialed } from "./credentialed.ts";
import { credentialsFor, reportRefused } from "./credentials-for.ts";
import { answerRefusal, type Refusal } from "./refusal.ts";

/**
 * Sends a caller's request with the credentials of its instance. The body is read whole first, so
 * that it can go twice.
 */
export async function answerCaller(
  core: Core,
  arrival: GatewayRequest,
  admitted: Admitted,
): Promise<void> {
  const { operation, origin } = admitted;
  const refuse = (refusal: Refusal): void =>
    answerRefusal(core, arrival, operation.product, {
      ...refusal,
      fields: [...corsFields(origin), ...refusal.fields],
    });
  const body = await bodyOf(core, arrival, admitted, refuse);
  if (body === null) return;
  const place = await core.admission.enter(false, arrival.exchange.client.share);
  if (place === null) {
    core.metrics.count("afterword_overload_total");
    return refuse({ status: 503, message: overloaded, fields: retrySoon });
  }
  try {
    const prepared = await prepare(core, arrival, admitted, body.bytes, refuse);
    if (prepared === null) return;
    await forwardFrom(place, core, prepared.request, prepared.to, prepared.route, null);
  } finally {
    place.leave();
  }
}

/** Null: the answer is given already. */
async function bodyOf(
  core: Core,
  arrival: GatewayRequest,
  { caller, operation }: Admitted,
  refuse: (refusal: Refusal) => void,
): Promise<Extract<CallerBody, { kind: "whole" }> | null> {
  const { exchange, snapshot } = arrival;
  const body = await callerBody(
    exchange,
    operation,
    caller.media,
    snapshot.config.limits.requestBytes,
  );
  if (body.kind === "whole") return body;
  if (body.kind === "lost") {
    account(
      core,
      arrival,
      operation.product,
      refuseLostBody(core, exchange, operation.product, body.error),
    );
    return null;
  }
  core.metrics.count("afterword_callers_total", { caller: caller.name, outcome: "media" });
  refuse({ ...body, fields: [] });
  return null;
}

/** Null: the answer is given already. */
async function prepare(
  core: Core,
  arrival: GatewayRequest,
  admitted: Admitted,
  body: Uint8Array | null,
  refuse: (refusal: Refusal) => void,
): Promise<Prepared | null> {
  const { instance, operation, rest, origin } = admitted;
  const { exchange } = arrival;
  const found = await credentialsFor(core, arrival, admitted);
  if (found.kind === "none") {
    refuse({ ...found, fields: [] });
    return null;
  }
  const route = (): string =>
    `${publicRoot(arrival.snapshot.config, exchange, core.trustsPeer, prefixOf(arrival))}/${operation.product}`;
  const to: Destination = { base: found.base, trusted: found.trusted, rest, route };
  const derived: Exchange = {
    method: exchange.method,
    target: exchange.target,
    headers: callerHeaders(exchange.headers),
    body: null,
    peer: exchange.peer,
    client: exchange.client,
    ...(exchange.scheme === undefined ? {} : { scheme: exchange.scheme }),
    reply: callerReply(exchange.reply, origin),
  };
  const transport = credentialed({
    transport: core.platform.transport,
    body,
    presented: found.presented,
    renew: found.renew,
    refused: () => reportRefused(core, admitted, 401),
    relays401: operation.name === "chat.loginAgent",
  });
  return {
    request: { ...arrival, exchange: derived, instance },
    to,
    route: {
      name: operation.product,
      reserved: false,
      bounded: false,
      transform: null,
      transport,
    },
  };
}

interface Prepared {
  readonly request: GatewayRequest;
  readonly to: Destination;
  readonly route: Route;
}

function prefixOf({ target }: GatewayRequest): string {
  return target.kind === "product" ? target.prefix : "";
}
