import type { InstanceConfig } from "../config/config.ts";
import type { Gate } from "../direct-answers/types.ts";
import type { Core } from "./core.ts";
import { countGate, reportFault } from "./exchange/accounting.ts";
import type { GatewayRequest } from "./exchange/request.ts";
import { type ChatbotOperation, operationOf } from "./exchange/target.ts";
import {
  createHistoryTransform,
  createObserver,
  rememberStart,
  rememberVariables,
} from "./message/conversation.ts";
import { countAnswered, countRating } from "./message/insights.ts";
import { createMessageTransform } from "./message/message.ts";
import { findDestination } from "./upstream/destination.ts";
import { forward } from "./upstream/forward.ts";
import { allowPreflight, asksForOurHeaders } from "./upstream/preflight.ts";
import type { Transform } from "./upstream/route.ts";

/** Answers a request to a product. Conversations are read and rewritten, all else is passed on. */
export async function answerProduct(core: Core, request: GatewayRequest): Promise<void> {
  const { callers } = core;
  const { exchange, snapshot, instance } = request;
  if (callers !== null && snapshot.config.callers.length > 0) {
    if (await callers.take(core, request)) return;
  }
  // The upstream would not allow header fields that only the gateway knows.
  if (exchange.method === "OPTIONS" && asksForOurHeaders(exchange)) return allowPreflight(exchange);
  const destination = await findDestination(core, request);
  if (destination === null) return;
  const { product } = destination;
  const operation = operationAt(request, product, destination.rest);
  const isMessage = operation === "message";
  const chosen = transformOf(core, request, operation);
  const [transform, gate] = typeof chosen === "string" ? [null, chosen] : [chosen, null];
  const { escalations } = core;
  // Escalation may change the request and look at its answer, or answer it itself.
  const message =
    isMessage && instance !== null && escalations?.takes(instance, snapshot) === true
      ? await escalations.answerMessage(request, instance, transform)
      : { request, transform };
  if (message === null) return;
  return forward(core, message.request, {
    name: routeName(product, operation),
    to: destination,
    reserved: false,
    bounded: isMessage || operation === "start",
    transform: message.transform,
    gate,
    ...(isMessage && core.insights !== null && { answered: countAnswered(core, message.request) }),
  });
}

function operationAt(request: GatewayRequest, product: string, rest: string): ChatbotOperation {
  if (product !== "chatbot") return "other";
  if (request.target.kind === "product") return request.target.operation;
  const path = rest.split("?", 1)[0] ?? rest;
  return operationOf(request.exchange.method, path);
}

/** Names a route in metrics. A signed segment may name any product; metrics only have known ones. */
function routeName(product: string, operation: ChatbotOperation): string {
  const name = operation === "other" || operation === "events" ? product : operation;
  return knownRoutes.has(name) ? name : "other";
}

const knownRoutes: ReadonlySet<string> = new Set(
  "message start history variables chatbot knowledge ticketing chat".split(" "),
);

/**
 * Chooses what is done with the answer's body. If it passes unchanged, returns the gate that keeps
 * it from being rewritten, or null.
 */
function transformOf(
  core: Core,
  request: GatewayRequest,
  operation: ChatbotOperation,
): Transform | Gate | null {
  const { instance } = request;
  if (operation === "other") return null;
  if (instance === null) {
    if (operation === "message") countGate(core, operation, "no-instance");
    return null;
  }
  try {
    return createTransform(core, request, instance, operation);
  } catch (error) {
    reportFault(core, operation, error);
    countGate(core, operation, "error");
    return "error";
  }
}

function createTransform(
  core: Core,
  request: GatewayRequest,
  instance: InstanceConfig,
  operation: Exclude<ChatbotOperation, "other">,
): Transform | Gate | null {
  switch (operation) {
    case "events":
      return createRatingObserver(core, request, instance);
    case "start":
      return createObserver((answer, start) =>
        rememberStart(core.recall, request, instance, start, answer),
      );
    case "variables":
      return instance.variables.length === 0
        ? null
        : createObserver((_, variables) =>
            rememberVariables(core.recall, request, instance, variables),
          );
    case "history":
      return core.disabled || instance.history !== "shown"
        ? null
        : createHistoryTransform(core.recall, request, instance);
    case "message":
      if (!core.disabled) return createMessageTransform(core, request, instance);
      countGate(core, operation, "disabled");
      return "disabled";
  }
}

/** Null if nothing counts ratings. */
function createRatingObserver(
  core: Core,
  request: GatewayRequest,
  instance: InstanceConfig,
): Transform | null {
  const escalations = instance.escalation.mode === "off" ? null : core.escalations;
  if (escalations === null && core.insights === null) return null;
  return createObserver((_, rating) => {
    countRating(core, request, instance, rating);
    return escalations?.takeRating(request, instance, rating);
  });
}
