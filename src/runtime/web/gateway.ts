import type { Config } from "../../config/config.ts";
import type { ConversationStore } from "../../conversation/memory.ts";
import { AfterwordError } from "../../errors.ts";
import { readAdminToken } from "../../gateway/admin.ts";
import type { CreateCallers } from "../../gateway/callers/port.ts";
import type { Core, Escalations } from "../../gateway/core.ts";
import { createGatewayApp, type Gateway } from "../../gateway/gateway.ts";
import type { Platform } from "../../gateway/platform.ts";
import { createWebExchange } from "./web-exchange.ts";
import { createWebPlatform } from "./web-platform.ts";

export interface GatewayOptions {
  /** From loadConfig, or compiled at build time. */
  readonly config: Config;
  /**
   * Texts of at least 16 characters: the first signs the routes put into `apis`, all verify. Keep
   * them over restarts and the same on every node, because clients keep `apis` for long.
   */
  readonly routeKeys: readonly string[];
  /**
   * At least 16 characters. Without one the admin routes do not exist: there is no socket here to
   * tell who asks.
   */
  readonly adminToken?: string;
  /** The kill switch: no text is edited; routes keep working. */
  readonly disabled?: boolean;
  /** Where conversations are remembered. Default: in this process. */
  readonly store?: ConversationStore;
  /** What takes the place of the Fetch API's own: transport, clock, log and so on. */
  readonly platform?: Partial<Platform>;
  readonly version?: string;
  /** What /_afterword/version tells besides. */
  readonly versionDetails?: () => Readonly<Record<string, unknown>>;
}

/**
 * The gateway over `Request` and `Response` with its parts, for runtimes that swap configurations.
 *
 * @param callers who may use credentials of ours; without it `callers` has no effect, and nothing
 *   of it is loaded
 * @param escalations who hands conversations over; without it `escalation` has no effect
 * @throws AfterwordError `route-keys-missing`; `argument-invalid` for a short `adminToken`
 */
export function createWebGateway(
  options: GatewayOptions,
  callers?: CreateCallers,
  escalations?: (core: Core) => Escalations,
): Gateway {
  const keys = options.routeKeys.map((key) => new TextEncoder().encode(key));
  if (keys.length === 0 || keys.some((key) => key.length < 16)) {
    throw new AfterwordError(
      "route-keys-missing",
      "createGateway: routeKeys needs at least one text of 16 characters or more",
    );
  }
  return createGatewayApp({
    config: options.config,
    platform: createWebPlatform(options.platform),
    routeKeys: keys,
    version: options.version ?? "",
    admin: { token: readAdminToken(options.adminToken), opensLoopback: false },
    exchangeOf: createWebExchange,
    ...(callers === undefined ? {} : { callers }),
    ...(escalations === undefined ? {} : { escalations }),
    ...(options.store === undefined ? {} : { store: options.store }),
    ...(options.disabled === undefined ? {} : { disabled: options.disabled }),
    ...(options.versionDetails && { versionDetails: options.versionDetails }),
  });
}
