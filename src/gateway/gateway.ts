import { type Context, Hono } from "hono";
import type { Config, InstanceConfig } from "../config/config.ts";
import type { ConversationStore } from "../conversation/memory.ts";
import { createMemoryStore } from "../conversation/memory-store.ts";
import { answerFault } from "./accounting.ts";
import type { AdminRule } from "./admin.ts";
import { createAdmission } from "./admission.ts";
import { authenticate, reportRefused } from "./authentication.ts";
import type { CreateCallers } from "./callers/port.ts";
import type { Arrival, Core, Escalations, Snapshot } from "./core.ts";
import { createDiscovery } from "./discovery.ts";
import { refuse } from "./errors.ts";
import type { Exchange, RawHeaders } from "./exchange.ts";
import { joinedFieldOf } from "./headers.ts";
import { home } from "./home.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { admin, health, notFound, ready, type Standing, version } from "./own-routes.ts";
import type { Platform } from "./platform.ts";
import { product } from "./products.ts";
import type { TrustsPeer } from "./public-address.ts";
import { createRecall } from "./recall.ts";
import { createSignedRoutes } from "./signed-routes.ts";
import { createSnapshot } from "./snapshot.ts";
import { createTallies } from "./tallies.ts";
import { productOf } from "./target.ts";
import type { Target } from "./target.ts";
import { createUpstreamState } from "./upstream-state.ts";

export interface GatewayParts {
  readonly config: Config;
  readonly platform: Platform;
  /** At least one key of at least 16 bytes; the first signs, all verify. */
  readonly routeKeys: readonly Uint8Array[];
  /**
   * How the platform hands over one request, and what Hono is given back once the answer is under
   * way.
   */
  readonly exchangeOf: (c: Context) => Connection;
  /** The raw request-target of a request, before anybody parsed it. */
  readonly rawTarget: (request: Request, env: unknown) => RawTarget;
  readonly version: string;
  readonly admin: AdminRule;
  readonly store?: ConversationStore;
  readonly trustsPeer?: TrustsPeer;
  /** Who may use credentials of ours. Default: nobody, and `callers` has no effect. */
  readonly callers?: CreateCallers;
  /** Who hands conversations over. Default: nobody, and `escalation` has no effect. */
  readonly escalations?: (core: Core) => Escalations;
  /** AFTERWORD_DISABLE: no text is edited. */
  readonly disabled?: boolean;
  /**
   * Makes of this process's metrics those of all that share its port. Default: there are no others.
   */
  readonly metricsOfAll?: (own: () => string) => Promise<string>;
  /** What /_afterword/ready tells besides; everything when the asker may read metrics. */
  readonly details?: (everything: boolean) => Readonly<Record<string, unknown>>;
  /** What /_afterword/version tells besides. */
  readonly versionDetails?: () => Readonly<Record<string, unknown>>;
}

export interface Connection {
  readonly exchange: Exchange;
  /** Settles when the answer is under way. */
  readonly response: () => Response | Promise<Response>;
}

export interface RawTarget {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly string[];
}

export interface Gateway {
  readonly app: Hono;
  readonly metrics: Metrics;
  /** Swaps the whole configuration; requests under way finish with the one they began with. */
  swap(config: Config): void;
  drain(): void;
  /** Classifies and matches a request that does not come through Hono: an upgrade. */
  arrive(exchange: Exchange): Arrival;
  /**
   * Where a request that needs no router goes: everything behind a product, which is nearly all
   * there is. Null: it is for the app. What comes of it goes to {@link answer}, at once.
   */
  glance(method: string, target: string, headers: RawHeaders): Classified | null;
  /** Answers a request that {@link glance} knew, exactly as the app would. */
  answer(exchange: Exchange, classified: Classified): void;
  readonly core: Core;
}

/**
 * The Hono app in front of the vendor. Its router goes by what the raw target was classified as,
 * never by a decoded path.
 */
export function createGatewayApp(parts: GatewayParts): Gateway {
  const { platform } = parts;
  let snapshot: Snapshot = createSnapshot(parts.config, platform);
  let draining = false;
  const core = createCore(parts, () => snapshot);
  const disabled = core.disabled ? { disabled: true } : {};
  if (core.disabled) platform.log("warn", "disabled", { by: "AFTERWORD_DISABLE" });
  const standing: Standing = {
    version: parts.version,
    admin: parts.admin,
    draining: () => draining,
    versionDetails: () => ({ ...disabled, ...parts.versionDetails?.() }),
    details: (everything) => ({
      ...disabled,
      upstream: core.upstreamState.read(),
      ...parts.details?.(everything),
    }),
  };
  // Hono calls the handler right after getPath, in one go: one place is enough, and no table holds
  // on to requests.
  let seen: { readonly request: Request; readonly classified: Classified } | null = null;

  const app = new Hono({
    getPath(request, options) {
      const { method, target, headers } = parts.rawTarget(request, options?.env);
      const classified = classifyNow(method, target, headers);
      seen = { request, classified };
      return routeOf(classified.target);
    },
  });

  app.all(
    "/health",
    handler((arrival) => health(arrival)),
  );
  app.all(
    "/ready",
    handler((arrival) => ready(arrival, standing)),
  );
  app.all(
    "/version",
    handler((arrival) => version(arrival, standing)),
  );
  app.all("/own/:name", handler(ownOrAdmin));
  app.all(
    "/authentication",
    handler((arrival) => guarded(arrival, authenticate)),
  );
  app.all("/product", handler(behindProduct));
  app.all(
    "/home",
    handler((arrival) => guarded(arrival, home)),
  );
  app.all(
    "/server-options",
    handler(({ exchange }) => exchange.reply.send(204, "No Content", ["Allow", allowed], null)),
  );
  app.all("/refused/:reason", handler(refuseTarget));
  // Not a route: with two that match, Hono composes them for every request.
  app.notFound(handler(({ exchange }) => notFound(exchange)));

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
    arrive,
    glance(method, target, headers) {
      const classified = classifyNow(method, target, headers);
      const { kind } = classified.target;
      return kind === "product" || kind === "signed" ? classified : null;
    },
    answer(exchange, classified) {
      run(behindProduct, arrive(exchange, classified));
    },
  };

  function handler(work: Work) {
    return async function afterword(c: Context): Promise<Response> {
      const { exchange, response } = parts.exchangeOf(c);
      const arrival = arrive(exchange, seen?.request === c.req.raw ? seen.classified : undefined);
      seen = null;
      run(work, arrival);
      // The answer may start long before the exchange is over: Hono waits for its start only.
      return response();
    };
  }

  async function ownOrAdmin(arrival: Arrival): Promise<void> {
    const name = ownName(arrival.target);
    const { escalations } = core;
    if (escalations !== null && name.includes("/") && (await escalations.own(arrival, name)))
      return;
    return admin(core, arrival, standing, name);
  }

  function behindProduct(arrival: Arrival): void | Promise<void> {
    return guarded(arrival, product);
  }

  /** Nothing that goes wrong in here reaches whoever called. */
  function run(work: Work, arrival: Arrival): void {
    try {
      const waiting = work(arrival);
      if (waiting instanceof Promise) waiting.catch((error: unknown) => fault(arrival, error));
    } catch (error) {
      fault(arrival, error);
    }
  }

  function fault({ exchange, target }: Arrival, error: unknown): void {
    answerFault(core, exchange, routeOf(target), error);
  }

  function classifyNow(method: string, target: string, headers: RawHeaders): Classified {
    return { target: snapshot.classify(method, target, headers), snapshot };
  }

  // A request keeps the snapshot it was classified under, whatever is swapped meanwhile.
  function arrive(exchange: Exchange, classified?: Classified): Arrival {
    const { target, snapshot: entered } =
      classified ?? classifyNow(exchange.method, exchange.target, exchange.headers);
    const instance: InstanceConfig | null = entered.findInstance(exchange);
    const upstream = instance?.upstream ?? entered.config.upstream;
    return { exchange, target, snapshot: entered, instance, upstream, started: platform.clock() };
  }

  function guarded(
    arrival: Arrival,
    work: (core: Core, arrival: Arrival) => void | Promise<void>,
  ): void | Promise<void> {
    const { exchange, target } = arrival;
    if (exchange.method === "TRACE") {
      const message = "TRACE is not answered here.";
      return refuse(exchange, 405, message, ["Allow", allowed], productOf(target));
    }
    if (joinedFieldOf(exchange.headers, "via")?.includes(core.pseudonym) === true) {
      core.metrics.count("afterword_loops_total");
      const message =
        "This request has already passed this gateway: the upstream points back here.";
      return refuse(exchange, 502, message, [], productOf(target));
    }
    return work(core, arrival);
  }

  function refuseTarget({ exchange, target }: Arrival): void {
    const reason = target.kind === "refused" ? target.reason : "malformed";
    core.metrics.count("afterword_targets_refused_total", { reason });
    notFound(exchange);
  }
}

/** A request's target, and the configuration under which it was classified. */
export interface Classified {
  readonly target: Target;
  readonly snapshot: Snapshot;
}

type Work = (arrival: Arrival) => void | Promise<void>;

const allowed = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

function createCore(parts: GatewayParts, snapshot: () => Snapshot): Core {
  const { platform } = parts;
  const metrics = createMetrics();
  const id = [...platform.random(8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const pseudonym = `afterword-${id}`;
  const admission = createAdmission(
    () => snapshot().config.limits,
    undefined,
    () => metrics.count("afterword_clients_limited_total"),
  );
  const store = parts.store ?? createMemoryStore(() => platform.now());
  metrics.gauge("afterword_in_flight", "Exchanges under way.", () => admission.inFlight);
  metrics.gauge("afterword_queued", "Exchanges waiting for a place.", () => admission.queued);
  metrics.gauge("afterword_streams", "Long-lived answers and tunnels.", () => admission.streams);
  const core: Core = {
    platform,
    metrics,
    metricsText: () => parts.metricsOfAll?.(() => metrics.text()) ?? metrics.text(),
    tallies: createTallies(metrics),
    admission,
    discovery: createDiscovery(platform, `1.1 ${pseudonym}`, (base) => reportRefused(core, base)),
    routes: createSignedRoutes(parts.routeKeys),
    recall: createRecall(store, platform, metrics),
    trustsPeer: parts.trustsPeer ?? (() => false),
    pseudonym,
    via: `1.1 ${pseudonym}`,
    disabled: parts.disabled ?? false,
    admin: parts.admin,
    upstreamState: createUpstreamState(() => platform.now()),
    callers: parts.callers?.(platform) ?? null,
    escalations: null,
    snapshot,
  };
  // What hands over works with all the rest.
  return parts.escalations === undefined
    ? core
    : Object.assign(core, { escalations: parts.escalations(core) });
}

/** Names of our own for what a target was classified as: the only paths that Hono's router sees. */
function routeOf(target: Target): string {
  switch (target.kind) {
    case "auth":
      return "/authentication";
    case "product":
    case "signed":
      return "/product";
    case "own":
      return publicNames.has(target.name) ? `/${target.name}` : "/own/admin";
    case "refused":
      return `/refused/${target.reason}`;
    case "home":
      return "/home";
    case "server-options":
      return "/server-options";
    case "unknown":
      return "/unknown";
  }
}

const publicNames: ReadonlySet<string> = new Set(["health", "ready", "version"]);

function ownName(target: Target): string {
  return target.kind === "own" ? target.name : "";
}
