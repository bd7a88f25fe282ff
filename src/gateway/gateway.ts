import { toHex } from "../json/bytes.ts";
import { type Context, Hono } from "hono";
import type { Config } from "../config/config.ts";
import { type ConversationStore, createMemoryStore } from "../conversation/memory.ts";
import { AfterwordError } from "../errors.ts";
import {
  answerFault,
  createRecent,
  createUpstreamState,
  refuseLoop,
} from "./exchange/accounting.ts";
import type { AdminRule } from "./exchange/admin.ts";
import { Admission } from "./exchange/admission.ts";
import { authenticate } from "./upstream/authentication.ts";
import { reportRefusedBase } from "./upstream/destination.ts";
import type { Console, Core, CreateCallers, Escalations } from "./core.ts";
import type { GatewayRequest, Snapshot } from "./exchange/request.ts";
import { createRefusedCredentials } from "./exchange/refused-credentials.ts";
import { createDiscovery } from "./upstream/discovery.ts";
import { refuse } from "./exchange/errors.ts";
import type { Exchange, RequestHead } from "./exchange/exchange.ts";
import type { Insights } from "../insights/facts.ts";
import { createMetrics, type Metrics } from "./exchange/metrics.ts";
import { addOwnRoutes, type GatewayEnv, answerNotFound, type AppInfo } from "./own-routes.ts";
import type { Platform } from "./exchange/platform.ts";
import { answerProduct } from "./product.ts";
import { createRecall } from "./message/recall.ts";
import { createSignedRoutes } from "./upstream/signed-routes.ts";
import { createSnapshot } from "./snapshot.ts";
import { mayUpgrade } from "./upstream/upgrade.ts";
import { classify, productOf, routePath } from "./exchange/target.ts";

export interface GatewayParts {
  readonly config: Config;
  readonly platform: Platform;
  /** At least one key of at least 16 bytes; the first signs, all verify. */
  readonly routeKeys: readonly Uint8Array[];
  /**
   * Turns Hono requests into exchanges. Absent if the platform calls {@link Gateway.answer} itself.
   */
  readonly exchangeOf?: (request: Request) => FetchExchange;
  readonly version: string;
  readonly admin: AdminRule;
  readonly store?: ConversationStore;
  /** Creates the callers that may use server-side credentials. Default: `callers` has no effect. */
  readonly callers?: CreateCallers;
  /** Hands conversations over. Default: `escalation` has no effect. */
  readonly escalations?: (core: Core) => Escalations;
  /** Counts what readers ran into. Default: nothing is counted. */
  readonly insights?: Insights | null;
  /** The owner's page and its API. Default: there is none. */
  readonly console?: (core: Core, info: AppInfo) => Console;
  /** AFTERWORD_DISABLE: no text is edited. */
  readonly disabled?: boolean;
  /** Combines the metrics of all processes that share the port. Default: only this one's. */
  readonly metricsOfAll?: (own: () => string) => Promise<string>;
  /** Further details of /_afterword/ready; `everything` for clients that may read metrics. */
  readonly details?: (everything: boolean) => Readonly<Record<string, unknown>>;
  /** Further details of /_afterword/version. */
  readonly versionDetails?: () => Readonly<Record<string, unknown>>;
}

export interface FetchExchange {
  readonly exchange: Exchange;
  /** Settles when the answer has begun. */
  readonly response: Response | Promise<Response>;
}

export interface Gateway {
  /** {@link handle} as a middleware, then the gateway's own pages and operations as routes. */
  readonly app: Hono;
  readonly metrics: Metrics;
  /** Swaps the whole configuration; requests under way finish with the one they began with. */
  swap(config: Config): void;
  drain(): void;
  /** Classifies and matches a request. */
  arrive(exchange: Exchange): GatewayRequest;
  mayUpgrade(head: RequestHead): boolean;
  /**
   * Answers a request. Returns false for the gateway's own pages and operations, and leaves these
   * requests unanswered.
   */
  handle(exchange: Exchange): boolean;
  /** Calls {@link handle}, then {@link app}, for a platform whose requests are exchanges. */
  answer(exchange: Exchange): void;
  readonly core: Core;
}

/** The gateway in front of the vendor. */
export function createGatewayApp(parts: GatewayParts): Gateway {
  const { platform } = parts;
  let snapshot: Snapshot = createSnapshot(parts.config, platform);
  let draining = false;
  const core = createCore(parts, () => snapshot);
  if (core.disabled) platform.log("warn", "disabled", { by: "AFTERWORD_DISABLE" });
  const info = describeProcess(parts, core, () => draining);
  const app = createApp(parts, core);
  addOwnRoutes(
    app,
    Object.assign(core, { console: parts.console?.(core, info) ?? null }),
    info,
    run,
  );

  return {
    app,
    core,
    metrics: core.metrics,
    swap(config) {
      snapshot = createSnapshot(config, platform);
    },
    drain() {
      draining = true;
    },
    arrive: (exchange) => arrive(core, exchange),
    mayUpgrade: (head) => mayUpgrade(head, match(snapshot, head)),
    handle: (exchange) => answerRequest(core, arrive(core, exchange)),
    answer(exchange) {
      const request = arrive(core, exchange);
      if (answerRequest(core, request)) return;
      const path = routePath(exchange.target, request.snapshot.prefixes);
      const { method } = exchange;
      run(core, request, async () => void (await app.request(path, { method }, { exchange })));
    },
  };
}

function describeProcess(parts: GatewayParts, core: Core, draining: () => boolean): AppInfo {
  const disabled = core.disabled ? { disabled: true } : {};
  return {
    version: parts.version,
    admin: parts.admin,
    draining,
    versionDetails: () => ({ ...disabled, ...parts.versionDetails?.() }),
    details: (everything) => ({
      ...disabled,
      upstream: core.upstreamState.read(),
      ...parts.details?.(everything),
    }),
  };
}

/** Creates the app, with the gateway as a middleware before the routes. */
function createApp({ exchangeOf }: GatewayParts, core: Core): Hono {
  const app = new Hono({
    getPath(request, { env } = {}) {
      const target = exchangeOf === undefined ? exchangeIn(env).target : request.url;
      return routePath(target, core.snapshot().prefixes);
    },
  });
  app.use(async function gateway(c: Context<GatewayEnv>, next) {
    const { exchange, response } = exchangeOf?.(c.req.raw) ?? {
      exchange: exchangeIn(c.env),
      response: new Response(null),
    };
    const request = arrive(core, exchange);
    if (answerRequest(core, request)) return response;
    c.set("request", request);
    c.set("response", response);
    return next();
  });
  return app;
}

/** Classifies and matches a request, which keeps the present snapshot until it is answered. */
function arrive(core: Core, exchange: Exchange): GatewayRequest {
  const { target, snapshot, instance, upstream } = match(core.snapshot(), exchange);
  return { exchange, target, snapshot, instance, upstream, started: core.platform.clock() };
}

function match(
  snapshot: Snapshot,
  head: RequestHead,
): Omit<GatewayRequest, "exchange" | "started"> {
  const target = classify(head.method, head.target, head.headers, snapshot.prefixes);
  const instance = snapshot.findInstance(head);
  return { target, snapshot, instance, upstream: instance?.upstream ?? snapshot.config.upstream };
}

/**
 * False if the request is for one of the gateway's own pages or operations, and was not answered.
 */
function answerRequest(core: Core, request: GatewayRequest): boolean {
  const { exchange, target } = request;
  switch (target.kind) {
    case "refused":
      core.metrics.count("afterword_targets_refused_total", target.reason);
      core.recent.note(request, "refused", 404, null, null);
      answerNotFound(exchange);
      return true;
    case "unknown":
      core.recent.note(request, "unknown", 404, null, null);
      answerNotFound(exchange);
      return true;
    case "server-options":
      exchange.reply.send(204, "No Content", ["Allow", allowed], null);
      return true;
    case "auth":
      if (!refuseRequest(core, request)) run(core, request, () => authenticate(core, request));
      return true;
    case "product":
    case "signed":
      if (!refuseRequest(core, request)) run(core, request, () => answerProduct(core, request));
      return true;
    case "own":
    case "home":
      return refuseRequest(core, request);
  }
}

/** Starts the work for a request. An error is answered, and never reaches the caller. */
function run(core: Core, request: GatewayRequest, work: () => void | Promise<void>): void {
  const { exchange, target } = request;
  const answerGatewayFault = (error: unknown): void =>
    answerFault(core, exchange, productOf(target) || target.kind, error);
  try {
    const working = work();
    if (working instanceof Promise) working.catch(answerGatewayFault);
  } catch (error) {
    answerGatewayFault(error);
  }
}

/** Refuses TRACE, and requests that have passed this gateway before. */
function refuseRequest(core: Core, { exchange, target }: GatewayRequest): boolean {
  if (exchange.method === "TRACE") {
    const message = "TRACE is not answered here.";
    refuse(exchange, 405, message, ["Allow", allowed], productOf(target));
    return true;
  }
  return refuseLoop(core, exchange, productOf(target));
}

const allowed = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

/** The exchange of a platform that has its own. */
function exchangeIn(env: unknown): Exchange {
  if (hasExchange(env)) return env.exchange;
  throw new AfterwordError("internal", "the app was not called by the gateway's answer()");
}

function hasExchange(env: unknown): env is { readonly exchange: Exchange } {
  return typeof env === "object" && env !== null && "exchange" in env;
}

function createCore(parts: GatewayParts, snapshot: () => Snapshot): Core {
  const { platform } = parts;
  const metrics = createMetrics();
  const id = toHex(platform.random(8));
  const pseudonym = `afterword-${id}`;
  const admission = new Admission(
    () => snapshot().config.limits,
    () => metrics.count("afterword_clients_limited_total"),
  );
  const store = parts.store ?? createMemoryStore(() => platform.now());
  metrics.gauge("afterword_in_flight", "Exchanges under way.", () => admission.inFlight);
  metrics.gauge("afterword_queued", "Exchanges waiting for a place.", () => admission.queued);
  metrics.gauge("afterword_streams", "Long-lived answers and tunnels.", () => admission.streams);
  const core: Core = {
    platform,
    metrics,
    logsRequests: platform.logs?.("debug") !== false,
    metricsText: () => parts.metricsOfAll?.(() => metrics.text()) ?? metrics.text(),
    admission,
    discovery: createDiscovery(platform, `1.1 ${pseudonym}`, (base) =>
      reportRefusedBase(core, base),
    ),
    routes: createSignedRoutes(parts.routeKeys),
    recall: createRecall(store, platform, metrics),
    pseudonym,
    via: `1.1 ${pseudonym}`,
    disabled: parts.disabled ?? false,
    admin: parts.admin,
    refusedCredentials: createRefusedCredentials({
      log: platform.log,
      clock: () => platform.clock(),
      count: (kind) => metrics.count("afterword_credentials_refused_total", kind),
      audit(action, details) {
        // The log has it already.
        void core.console?.note?.(action, details).catch(() => undefined);
      },
    }),
    upstreamState: createUpstreamState(() => platform.now()),
    recent: createRecent(() => platform.clock()),
    callers: parts.callers?.(platform) ?? null,
    insights: parts.insights ?? null,
    escalations: null,
    console: null,
    snapshot,
  };
  // Escalations are made last, because they work with all the rest.
  return parts.escalations === undefined
    ? core
    : Object.assign(core, { escalations: parts.escalations(core) });
}
