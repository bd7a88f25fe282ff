import type { Config } from "../../config/config.ts";
import { AfterwordError } from "../../errors.ts";
import { createClaimsOf } from "../../gateway/callers/claims-of.ts";
import { withCallers } from "../../gateway/callers/create-callers.ts";
import { loadJwtCheck } from "../../gateway/callers/load-jwt-check.ts";
import { createEscalations } from "../../gateway/escalation/escalations.ts";
import { together } from "../../gateway/escalation/together.ts";
import type { Gateway } from "../../gateway/gateway.ts";
import type { Logger } from "../../gateway/platform.ts";
import { loadRouteKeys } from "../node/keys.ts";
import { createLogger, parseLogThreshold } from "../node/log.ts";
import { openState } from "../node/state/open-state.ts";
import { rawHeadersOf } from "../web/field-lists.ts";
import { createWebGateway } from "../web/gateway.ts";
import { createWebPlatform } from "../web/web-platform.ts";
import { BunExchange, targetOf } from "./exchange.ts";
import { createBunTransport } from "./transport.ts";

export interface BunServeOptions {
  /** From loadConfig. */
  readonly config: Config;
  /** Default: `config.listen.host`. */
  readonly host?: string;
  /** Default: `config.listen.port`. 0 takes a free one. */
  readonly port?: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Default: JSON lines on standard error, as AFTERWORD_LOG says. */
  readonly log?: Logger;
  readonly version?: string;
}

export interface RunningOnBun {
  readonly url: string;
  /** Finishes what is under way, at most `total` + 2 s, then ends everything. */
  close(): Promise<void>;
}

/**
 * Runs the gateway on Bun: its server, its sockets, and its `fetch`, which can be told to leave content codings alone. What
 * is kept of header fields stands in docs/runtimes.md. No embedded upstream and no shared state: for these there is Node.
 *
 * @throws AfterwordError `config-invalid`, `data-directory-unusable`, `listen-failed`
 */
export async function serveOnBun(options: BunServeOptions): Promise<RunningOnBun> {
  const { config, env } = options;
  refuseWhatIsNotHere(config);
  const logger = createLogger({ threshold: parseLogThreshold(env["AFTERWORD_LOG"]) });
  const log = options.log ?? logger.log;
  const routeKeys = await loadRouteKeys(env["AFTERWORD_ROUTE_KEYS"], config.data);
  const state = await openState({ config, now: () => Date.now(), log, damaged: () => undefined });
  const gateway = createWebGateway(
    {
      config,
      routeKeys: routeKeys.map((key) => new TextDecoder().decode(key)),
      version: options.version ?? "",
      disabled: env["AFTERWORD_DISABLE"] === "1",
      ...(env["AFTERWORD_ADMIN_TOKEN"] ? { adminToken: env["AFTERWORD_ADMIN_TOKEN"] } : {}),
      store: state,
      platform: createWebPlatform({ transport: createBunTransport(env), log, logs: logger.logs }),
    },
    withCallers(loadJwtCheck),
    createEscalations({
      store: state.escalations,
      together,
      claimsOf: createClaimsOf(loadJwtCheck),
    }),
  );
  const server = listen(options, answerWith(gateway));
  gateway.core.escalations?.start();
  log("info", "listening", { host: server.hostname, port: server.port, snapshot: config.hash });
  return {
    url: `http://${server.hostname.includes(":") ? `[${server.hostname}]` : server.hostname}:${server.port}`,
    async close() {
      gateway.drain();
      const handedOver = gateway.core.escalations?.stop();
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, config.upstream.timeouts.total + 2000);
      await Promise.race([server.stop(), late]);
      clearTimeout(timer);
      await server.stop(true);
      await handedOver;
      await state.close();
      await logger.flush();
    },
  };
}

/** What stands behind a product is answered before an exchange, a router and a promise are made of a `Request` for the app. */
function answerWith(gateway: Gateway): (request: Request) => Response | Promise<Response> {
  return (request) => {
    const target = targetOf(request.url);
    const headers = rawHeadersOf(request.headers);
    const classified = request.headers.has("host")
      ? gateway.glance(request.method, target, headers)
      : null;
    if (classified === null) return gateway.app.fetch(request);
    const exchange = new BunExchange(request, target, headers);
    gateway.answer(exchange, classified);
    return exchange.reply.response();
  };
}

/** As much of Bun as is used. */
interface BunServer {
  readonly hostname: string;
  readonly port: number;
  stop(closeConnections?: boolean): Promise<void>;
}

interface Bun {
  serve(options: {
    readonly hostname: string;
    readonly port: number;
    readonly idleTimeout: number;
    readonly maxRequestBodySize: number;
    readonly fetch: (request: Request) => Response | Promise<Response>;
  }): BunServer;
}

/** The longest that Bun knows, in seconds: event streams may be silent. */
const idleTimeout = 255;

function listen(
  options: BunServeOptions,
  fetch: (request: Request) => Response | Promise<Response>,
): BunServer {
  const { config } = options;
  const hostname = options.host ?? config.listen.host;
  const port = options.port ?? config.listen.port;
  const bun: unknown = Reflect.get(globalThis, "Bun");
  if (!isBun(bun)) {
    throw new AfterwordError(
      "listen-failed",
      "this is not Bun: use `npm start`, or `bun src/runtime/bun/main.ts`",
    );
  }
  try {
    // One byte more than is allowed, so that it is the gateway that says no, in its own form.
    const maxRequestBodySize = Math.max(config.limits.requestBytes + 1, 134_217_728);
    return bun.serve({ hostname, port, idleTimeout, maxRequestBodySize, fetch });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AfterwordError("listen-failed", `${hostname}:${port} cannot be listened on: ${why}`, {
      cause,
    });
  }
}

function isBun(value: unknown): value is Bun {
  return typeof value === "object" && value !== null && "serve" in value;
}

function refuseWhatIsNotHere({ upstream, instances, listen, state }: Config): void {
  const embedded = [upstream, ...instances.map((instance) => instance.upstream)].some(({ auth }) =>
    auth.startsWith("embedded:"),
  );
  const missing = embedded
    ? "`upstream: embedded`"
    : listen.tls !== null
      ? "`listen.tls`"
      : state.store !== "memory"
        ? `\`state.store: ${state.store.replace(/:.*/s, "")}\``
        : null;
  if (missing === null) return;
  throw new AfterwordError(
    "config-invalid",
    `${missing} is not to be had on Bun: run this configuration on Node (npm start)`,
  );
}
