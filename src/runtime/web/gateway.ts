import type { Context, Hono } from "hono";
import type { Config } from "../../config/config.ts";
import type { ConversationStore } from "../../conversation/memory.ts";
import { AfterwordError } from "../../errors.ts";
import { createGatewayApp } from "../../gateway/gateway.ts";
import type { Platform } from "../../gateway/platform.ts";
import { createWebExchange, splitAddress } from "./web-exchange.ts";
import { createWebPlatform } from "./web-platform.ts";

export interface GatewayOptions {
  /** From loadConfig, or compiled at build time. */
  readonly config: Config;
  /**
   * Texts of at least 16 characters: the first signs the routes put into `apis`, all verify. Keep them over restarts and
   * the same on every node, because clients keep `apis` for long.
   */
  readonly routeKeys: readonly string[];
  /** Without a token the admin routes do not exist: there is no socket here to tell who asks. */
  readonly adminToken?: string;
  /** The kill switch: no text is edited; routes keep working. */
  readonly disabled?: boolean;
  /** Where conversations are remembered. Default: in this process. */
  readonly store?: ConversationStore;
  /** What takes the place of the Fetch API's own: transport, clock, log and so on. */
  readonly platform?: Partial<Platform>;
  readonly version?: string;
}

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
  const keys = options.routeKeys.map((key) => new TextEncoder().encode(key));
  if (keys.length === 0 || keys.some((key) => key.length < 16)) {
    throw new AfterwordError(
      "route-keys-missing",
      "createGateway: routeKeys needs at least one text of 16 characters or more",
    );
  }
  const { app } = createGatewayApp({
    config: options.config,
    platform: createWebPlatform(options.platform),
    routeKeys: keys,
    version: options.version ?? "",
    admin: { token: options.adminToken ?? null, loopbackOnly: false },
    exchangeOf: connectionOf,
    rawTarget: rawTargetOf,
    ...(options.store === undefined ? {} : { store: options.store }),
    ...(options.disabled === undefined ? {} : { disabled: options.disabled }),
  });
  return app;
}

function connectionOf(c: Context) {
  const { exchange, response } = createWebExchange(c.req.raw);
  return { exchange, response: () => response };
}

function rawTargetOf(request: Request) {
  const headers = [...request.headers].flat();
  return { method: request.method, target: splitAddress(request.url).target, headers };
}
