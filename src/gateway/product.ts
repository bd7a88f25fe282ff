import { countGate } from "./exchange/accounting.ts";
import type { Core, GatewayRequest, Transform } from "./core.ts";
import { type Resolved, resolve } from "./upstream/destination.ts";
import { refuse } from "./exchange/errors.ts";
import type { Exchange } from "./exchange/exchange.ts";
import { forward, type Route } from "./upstream/forward.ts";
import { clientHeaders } from "./upstream/forwarded-headers.ts";
import { fieldOf, membersOf } from "./exchange/headers.ts";
import { messageTransform } from "./message/message.ts";
import {
  historyTransform,
  ratingTransform,
  startTransform,
  variablesTransform,
} from "./message/conversation.ts";
import { type ChatbotOperation, operationOf, productOf } from "./exchange/target.ts";

/** Everything behind a product's base: the conversation is read and rewritten, the rest passes. */
export async function product(core: Core, request: GatewayRequest): Promise<void> {
  const { callers, escalations } = core;
  const { exchange, instance, snapshot } = request;
  if (callers !== null && snapshot.config.callers.length > 0) {
    if (await callers.take(core, request)) return;
  }
  // What only we understand is not for the upstream's preflight to allow.
  if (exchange.method === "OPTIONS" && asksForOurHeaders(exchange)) return allowPreflight(exchange);
  const resolved = await resolve(core, request);
  if (resolved.kind !== "to") {
    if (resolved.kind === "none") {
      const route = productOf(request.target) || "unknown";
      core.recent.note(request, route, resolved.status, null, null);
    }
    return answerUnresolved(request, resolved);
  }
  const { destination } = resolved;
  const operation = operationAt(request, resolved.product, destination.rest);
  const route = routeOf(core, request, resolved.product, operation);
  if (operation !== "message" || instance === null || !escalations?.takes(instance, snapshot)) {
    return forward(core, request, destination, route);
  }
  return escalations.message(request, instance, (entered, extend) => {
    if (extend === null) return forward(core, entered, destination, route);
    const transform = (question: Uint8Array): Transform =>
      extend(route.transform?.(question) ?? null);
    return forward(core, entered, destination, { ...route, transform });
  });
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

function operationAt(request: GatewayRequest, product: string, rest: string): ChatbotOperation {
  if (product !== "chatbot") return "other";
  if (request.target.kind === "product") return request.target.operation;
  const path = rest.split("?", 1)[0] ?? rest;
  return operationOf(request.exchange.method, path);
}

function routeOf(
  core: Core,
  request: GatewayRequest,
  product: string,
  operation: ChatbotOperation,
): Route {
  const name = operation === "other" || operation === "events" ? product : operation;
  return {
    // Signed segments name products too, of any key: metrics keep to the known ones.
    name: knownRoutes.has(name) ? name : "other",
    reserved: false,
    bounded: operation === "message" || operation === "start",
    transform: transformOf(core, request, operation),
  };
}

const knownRoutes: ReadonlySet<string> = new Set(
  "message start history variables chatbot knowledge ticketing chat".split(" "),
);

function transformOf(
  core: Core,
  request: GatewayRequest,
  operation: ChatbotOperation,
): Route["transform"] {
  const { instance } = request;
  if (operation === "other") return null;
  if (instance === null) {
    if (operation === "message") countGate(core, operation, "no-instance");
    return null;
  }
  switch (operation) {
    case "events":
      return core.escalations === null || instance.escalation.mode === "off"
        ? null
        : (body) => ratingTransform(core, request, instance, body);
    case "start":
      return (body) => startTransform(core, request, instance, body);
    case "variables":
      return instance.variables.length === 0
        ? null
        : (body) => variablesTransform(core, request, instance, body);
    case "history":
      return core.disabled || instance.history !== "shown"
        ? null
        : () => historyTransform(core, request, instance);
    case "message":
      if (!core.disabled) return (body) => messageTransform(core, request, instance, body);
      countGate(core, operation, "disabled");
      return null;
  }
}

function asksForOurHeaders(exchange: Exchange): boolean {
  const asked = membersOf(fieldOf(exchange.headers, "access-control-request-headers"));
  return asked.some((name) => name.toLowerCase().startsWith("x-afterword-"));
}

/** Answers a preflight, which only permits asking: the upstream's CORS fields decide on reading. */
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
