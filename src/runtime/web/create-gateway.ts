import type { Hono } from "hono";
import { withCallers } from "../../gateway/callers/create-callers.ts";
import { loadJwtCheck } from "../../gateway/callers/load-jwt-check.ts";
import { createWebGateway, type GatewayOptions } from "./gateway.ts";

/**
 * The gateway as a Hono app over `Request` and `Response`, for any runtime. Faithful in everything that these two can carry;
 * the case and order of header fields need `serve()` of `afterword/node`.
 *
 * @throws AfterwordError `route-keys-missing`
 * @example
 * const app = createGateway({ config, routeKeys: ["a text of at least sixteen characters"] });
 * const health = await app.request("/_afterword/health");
 */
export function createGateway(options: GatewayOptions): Hono {
  return createWebGateway(options, withCallers(loadJwtCheck)).app;
}
