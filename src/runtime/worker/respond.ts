import type { Gateway } from "../../gateway/gateway.ts";
import { rawHeadersOf } from "../web/field-lists.ts";
import { createWebExchange, splitAddress } from "../web/web-exchange.ts";

/**
 * Answers a request: what stands behind a product, which is nearly all there is, before a router is
 * asked.
 */
export function respond(
  gateway: Gateway,
  request: Request,
  bindings: unknown,
): Response | Promise<Response> {
  const address = splitAddress(request.url);
  const headers = rawHeadersOf(request.headers);
  const classified = gateway.glance(request.method, address.target, headers);
  if (classified === null) return gateway.app.fetch(request, bindings);
  const { exchange, response } = createWebExchange(request, { headers, address });
  gateway.answer(exchange, classified);
  return response;
}
