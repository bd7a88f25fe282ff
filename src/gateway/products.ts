import type { InstanceConfig } from "../config/config.ts";
import { countGate } from "./accounting.ts";
import type { GatewayRequest, Core, Escalations } from "./core.ts";
import { type Resolved, resolve } from "./destination.ts";
import type { Route } from "./errand.ts";
import { refuse } from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import type { Transform } from "./forward.ts";
import { fieldOf, membersOf } from "./headers.ts";
import { historyTransform } from "./history.ts";
import { clientHeaders } from "./hop-by-hop.ts";
import { messageTransform } from "./message.ts";
import { proxy } from "./proxy.ts";
import { ratingTransform, startTransform, variablesTransform } from "./start.ts";
import { type Operation, operationOf, productOf } from "./target.ts";

/** Everything behind a product's base: the conversation is read and rewritten, the rest passes. */
export function product(core: Core, arrival: GatewayRequest): void | Promise<void> {
  const { exchange } = arrival;
  const taken = core.callers?.take(core, arrival) ?? false;
  if (taken !== false) return taken === true ? undefined : taken;
  // What only we understand is not for the upstream's preflight to allow.
  if (exchange.method === "OPTIONS" && asksForOurHeaders(exchange)) return allowPreflight(exchange);
  const resolved = resolve(core, arrival);
  return resolved instanceof Promise
    ? resolved.then((found) => follow(core, arrival, found))
    : follow(core, arrival, resolved);
}

function follow(core: Core, arrival: GatewayRequest, resolved: Resolved): void | Promise<void> {
  if (resolved.kind !== "to") return answerUnresolved(arrival, resolved);
  const operation = operationAt(arrival, resolved.product, resolved.destination.rest);
  const manner = mannerOf(core, arrival, resolved.product, operation);
  const { instance } = arrival;
  if (operation === "message" && instance !== null && escalates(core, arrival, instance)) {
    return core.escalations.message(arrival, instance, (entered, extend) => {
      if (extend === null) return proxy(core, entered, resolved.destination, manner);
      const interest = (request: Uint8Array): Transform =>
        extend(manner.interest?.(request) ?? null);
      return proxy(core, entered, resolved.destination, { ...manner, interest });
    });
  }
  return proxy(core, arrival, resolved.destination, manner);
}

/** Answers for a product that goes nowhere. */
export function answerUnresolved(
  { exchange, target }: GatewayRequest,
  resolved: Exclude<Resolved, { kind: "to" }>,
): void {
  if (resolved.kind === "preflight") allowPreflight(exchange);
  else if (resolved.kind === "none") {
    refuse(exchange, resolved.status, resolved.message, [], productOf(target));
  } else {
    const { head, body } = resolved.answer;
    const headers = clientHeaders(head.status, head.headers).filter((_, i, all) => {
      return all[i - (i % 2)]?.toLowerCase() !== "content-length";
    });
    if (head.status !== 204) headers.push("Content-Length", String(body.length));
    exchange.reply.send(
      head.status,
      head.reason,
      headers,
      exchange.method === "HEAD" ? null : body,
    );
  }
}

function escalates(
  core: Core,
  { snapshot }: GatewayRequest,
  instance: InstanceConfig,
): core is Core & { readonly escalations: Escalations } {
  return core.escalations?.takes(instance, snapshot) ?? false;
}

function operationAt(arrival: GatewayRequest, product: string, rest: string): Operation {
  if (product !== "chatbot") return "other";
  if (arrival.target.kind === "product") return arrival.target.operation;
  const path = rest.split("?", 1)[0] ?? rest;
  return operationOf(arrival.exchange.method, path);
}

function mannerOf(
  core: Core,
  arrival: GatewayRequest,
  product: string,
  operation: Operation,
): Route {
  const interest = interestOf(core, arrival, operation);
  const route = operation === "other" || operation === "events" ? product : operation;
  const bounded = operation === "message" || operation === "start";
  // Products come from signed segments too, where any key may stand: metrics keep to the ones we
  // know.
  return { route: knownRoutes.has(route) ? route : "other", reserved: false, bounded, interest };
}

const knownRoutes: ReadonlySet<string> = new Set(
  "message start history variables chatbot knowledge ticketing chat".split(" "),
);

function interestOf(
  core: Core,
  arrival: GatewayRequest,
  operation: Operation,
): ((request: Uint8Array) => Transform) | null {
  const { instance } = arrival;
  if (operation === "other") return null;
  if (instance === null) {
    if (operation === "message") countGate(core, operation, "no-instance");
    return null;
  }
  if (operation === "events") {
    return core.escalations === null || instance.escalation.mode === "off"
      ? null
      : (request) => ratingTransform(core, arrival, instance, request);
  }
  if (operation === "start") return (request) => startTransform(core, arrival, instance, request);
  if (operation === "variables") {
    return instance.variables.length === 0
      ? null
      : (request) => variablesTransform(core, arrival, instance, request);
  }
  if (core.disabled) {
    if (operation === "message") countGate(core, operation, "disabled");
    return null;
  }
  if (operation === "history") {
    return instance.history === "shown" ? () => historyTransform(core, arrival, instance) : null;
  }
  return (request) => messageTransform(core, arrival, instance, request);
}

function asksForOurHeaders(exchange: Exchange): boolean {
  const asked = membersOf(fieldOf(exchange.headers, "access-control-request-headers"));
  return asked.some((name) => name.toLowerCase().startsWith("x-afterword-"));
}

/**
 * A preflight we answer ourselves: it only lets the browser ask; the upstream's own CORS fields on
 * the real answer decide whether the page may read it.
 */
function allowPreflight(exchange: Exchange): void {
  const { headers, reply } = exchange;
  const out = ["Access-Control-Allow-Origin", fieldOf(headers, "origin") ?? "*"];
  const method = fieldOf(headers, "access-control-request-method");
  const names = withoutSecret(fieldOf(headers, "access-control-request-headers"));
  if (method !== null) out.push("Access-Control-Allow-Methods", method);
  if (names !== null) out.push("Access-Control-Allow-Headers", names);
  out.push("Access-Control-Max-Age", "600", "Vary", "Origin, Access-Control-Request-Headers");
  reply.send(204, "No Content", out, null);
}

/** The chat's secret is for servers (chat.md, 1): no page is told that it may send it. */
function withoutSecret(names: string | null): string | null {
  if (names === null || !/x-hyper-secret/i.test(names)) return names;
  const others = membersOf(names).filter((name) => name.toLowerCase() !== "x-hyper-secret");
  return others.length === 0 ? null : others.join(", ");
}
