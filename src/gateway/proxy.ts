import { account } from "./accounting.ts";
import type { GatewayRequest, Core, Destination } from "./core.ts";
import { Errand, type Route } from "./errand.ts";
import { refuse } from "./errors.ts";

/**
 * Forwards one request as its route wants it. What goes wrong later than this returns ends the
 * exchange and nothing else.
 */
export function proxy(core: Core, arrival: GatewayRequest, to: Destination, manner: Route): void {
  const { exchange, snapshot } = arrival;
  const limit = snapshot.config.limits.requestBytes;
  if ((exchange.body?.length ?? 0) <= limit) return new Errand(core, arrival, to, manner).start();
  const message = `The request body is larger than ${limit} bytes.`;
  refuse(exchange, 413, message, ["Connection", "close"], manner.route);
  account(core, arrival, manner.route, 413);
}
