import type { Config } from "../../config/config.ts";
import { AfterwordError } from "../../errors.ts";
import { readAdminToken } from "../../gateway/admin.ts";
import { createClaimsOf } from "../../gateway/callers/claims-of.ts";
import { withCallers } from "../../gateway/callers/create-callers.ts";
import { loadJwtCheck } from "../../gateway/callers/load-jwt-check.ts";
import { createEscalations } from "../../gateway/escalation/escalations.ts";
import { together } from "../../gateway/escalation/together.ts";
import type { Exchange } from "../../gateway/exchange.ts";
import { createGatewayApp, type Gateway } from "../../gateway/gateway.ts";
import { readKillSwitch } from "../../gateway/kill-switch.ts";
import type { Logger } from "../../gateway/platform.ts";
import { loadRouteKeys } from "../node/keys.ts";
import { createLogger, parseLogThreshold } from "../node/log.ts";
import { createNodePlatform } from "../node/platform.ts";
import { openState } from "../node/state/open-state.ts";
import { loadLlhttp, type Llhttp } from "../../http/llhttp.ts";
import { serveExchanges, type Served } from "./server/server.ts";
import { type BunListen, bunSockets } from "./sockets.ts";
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
 * Runs the gateway on Bun: its sockets, with HTTP of our own on both sides of them. What is kept of
 * a message stands in docs/runtimes.md. No embedded upstream, no TLS, no upgrades and no shared
 * state: for these there is Node.
 *
 * @throws AfterwordError `config-invalid`, `data-directory-unusable`, `listen-failed`
 */
export async function serveOnBun(options: BunServeOptions): Promise<RunningOnBun> {
  const { config, env } = options;
  refuseWhatIsNotHere(config);
  const token = readAdminToken(env["AFTERWORD_ADMIN_TOKEN"]);
  const disabled = readKillSwitch(env["AFTERWORD_DISABLE"]);
  const logger = createLogger({ threshold: parseLogThreshold(env["AFTERWORD_LOG"]) });
  const log = options.log ?? logger.log;
  const routeKeys = await loadRouteKeys(env["AFTERWORD_ROUTE_KEYS"], config.data);
  const state = await openState({ config, now: () => Date.now(), log, damaged: () => undefined });
  const llhttp = loadLlhttp();
  const transport = createBunTransport(env, llhttp);
  const gateway = createGatewayApp({
    config,
    platform: createNodePlatform({ transport, log, logs: logger.logs }),
    routeKeys,
    version: options.version ?? "",
    // Without a token the admin routes do not exist.
    admin: { token, opensLoopback: false },
    disabled,
    store: state,
    callers: withCallers(loadJwtCheck),
    escalations: createEscalations({
      store: state.escalations,
      together,
      claimsOf: createClaimsOf(loadJwtCheck),
    }),
    exchangeOf: (c) => ({ exchange: exchangeIn(c.env), response: () => answeredBeside }),
    rawTarget: (_request, bindings) => exchangeIn(bindings),
  });
  const server = open(options, log, llhttp, (exchange) => answer(gateway, exchange, log));
  gateway.core.escalations?.start();
  log("info", "listening", { host: server.hostname, port: server.port, snapshot: config.hash });
  return {
    url: `http://${server.hostname.includes(":") ? `[${server.hostname}]` : server.hostname}:${server.port}`,
    async close() {
      gateway.drain();
      const handedOver = gateway.core.escalations?.stop();
      await server.stop(config.upstream.timeouts.total + 2000);
      await handedOver;
      await state.close();
      await logger.flush();
    },
  };
}

/** What stands behind a product needs no router, nor a `Request` for it. */
function answer(gateway: Gateway, exchange: Exchange, log: Logger): void {
  const classified = gateway.glance(exchange.method, exchange.target, exchange.headers);
  if (classified !== null) {
    gateway.answer(exchange, classified);
    return;
  }
  // The router goes by what was classified; it is given a request because it wants one.
  Promise.resolve(gateway.app.fetch(new Request("http://gateway.invalid/"), { exchange })).catch(
    (error: unknown) => {
      exchange.reply.abort();
      logFault(log, error);
    },
  );
}

function exchangeIn(bindings: unknown): Exchange {
  if (isBindings(bindings)) return bindings.exchange;
  throw new AfterwordError("internal", "not called by the server on Bun");
}

function isBindings(value: unknown): value is { readonly exchange: Exchange } {
  return typeof value === "object" && value !== null && "exchange" in value;
}

/** What Hono is given for an answer that goes out through its exchange. */
const answeredBeside = new Response(null);

function logFault(log: Logger, error: unknown): void {
  log("error", "internal-error", { route: "server", detail: String(error) });
}

function open(
  options: BunServeOptions,
  log: Logger,
  llhttp: Llhttp,
  serve: (exchange: Exchange) => void,
): Served {
  const { config } = options;
  const hostname = options.host ?? config.listen.host;
  const port = options.port ?? config.listen.port;
  const listen: BunListen | undefined = bunSockets()?.listen;
  if (listen === undefined) {
    throw new AfterwordError(
      "listen-failed",
      "this is not Bun: use `npm start`, or `bun src/runtime/bun/main.ts`",
    );
  }
  try {
    const failed = (error: unknown): void => logFault(log, error);
    return serveExchanges(listen, { hostname, port }, serve, failed, llhttp);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AfterwordError("listen-failed", `${hostname}:${port} cannot be listened on: ${why}`, {
      cause,
    });
  }
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
