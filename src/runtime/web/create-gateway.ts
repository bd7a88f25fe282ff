import type { Hono } from "hono";
import type { Config } from "../../config/config.ts";
import { AfterwordError } from "../../errors.ts";
import { withCallers } from "../../gateway/callers/create-callers.ts";
import { loadJwtCheck } from "../../gateway/callers/signed-tokens.ts";
import { createWebGateway, type GatewayOptions } from "./gateway.ts";

/**
 * The gateway as a Hono app over `Request` and `Response`, for any runtime. Faithful in everything
 * that these two can carry; the case and order of header fields need `serve()` of `afterword/node`,
 * and so do `escalation` and `insights`.
 *
 * @throws AfterwordError `route-keys-missing`; `config-invalid` for an instance that hands
 *   conversations over, and for `insights`
 * @example
 * const app = createGateway({ config, routeKeys: ["a text of at least sixteen characters"] });
 * const health = await app.request("/_afterword/health");
 */
export function createGateway(options: GatewayOptions): Hono {
  refuseEscalation(options.config);
  refuseInsights(options.config);
  return createWebGateway(options, { callers: withCallers(loadJwtCheck) }).app;
}

/**
 * Escalations that wait for a person or ticket need storage and a clock; a request-only app has
 * neither.
 */
function refuseEscalation({ instances }: Config): void {
  const handing = instances.filter(({ escalation }) => escalation.mode !== "off");
  const [first] = handing;
  if (first === undefined) return;
  throw new AfterwordError(
    "config-invalid",
    `createGateway: ${joinNames(handing)} would hand conversations over (escalation.mode: ${first.escalation.mode}), which needs a process that keeps them and looks after them: use serve() of afterword/node or deploy the worker, or set escalation.mode to off`,
  );
}

/** Counts need a store, and a process that writes into it after the answer. */
function refuseInsights({ insights }: Config): void {
  if (insights === null) return;
  throw new AfterwordError(
    "config-invalid",
    "createGateway: the configuration has `insights`, which need a process that keeps what it counts: use serve() of afterword/node or deploy the worker, or give it { ...config, insights: null } to count nothing",
  );
}

function joinNames(instances: Config["instances"]): string {
  const names = instances.map(({ name }) => name).join(", ");
  return instances.length === 1 ? `instance ${names}` : `instances ${names}`;
}
