import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { type ByteBudget, createByteBudget } from "../../http/shares.ts";
import type { Config } from "../../config/config.ts";
import { readPackageVersion } from "../../config/load/package-root.ts";
import { readTlsPair, type TlsPair } from "../../config/load/tls-pair.ts";
import { usesEmbedded } from "../../config/load/embedded.ts";
import type { Transport } from "../../gateway/exchange/transport.ts";
import { AfterwordError } from "../../errors.ts";
import { createClaimsOf, loadJwtCheck } from "../../gateway/callers/signed-tokens.ts";
import { withCallers } from "../../gateway/callers/create-callers.ts";
import { createEscalations } from "../../gateway/escalation/escalations.ts";
import { exposureOf } from "../../config/exposure.ts";
import { createGatewayApp, type Gateway, type GatewayParts } from "../../gateway/gateway.ts";
import { readKillSwitch } from "../../gateway/kill-switch.ts";
import type { Logger } from "../../gateway/exchange/platform.ts";
import type { Metrics } from "../../gateway/exchange/metrics.ts";
import type { OpenInsights } from "../../insights/open-insights.ts";
import { createLazyConsole } from "./console/lazy-console.ts";
import type { Embedded } from "./embedded.ts";
import {
  decideAdminAccess,
  createLabelledTokens,
  makeAdminToken,
} from "./credentials/admin-token.ts";
import { NodeExchange, createTrustedPeers } from "./server/exchange.ts";
import { loadKeys, ROUTE_KEYS } from "./credentials/keys.ts";
import { createListener, type Listener, urlOf } from "./server/listener.ts";
import { createLogger, parseLogThreshold } from "./log.ts";
import { createNodePlatform } from "./platform.ts";
import { createFileFollower } from "./file-follower.ts";
import type { ReloadOutcome, ReloadSource } from "./reload/reload.ts";
import { startedWith, withKept } from "./reload/restart-needed.ts";
import { openState } from "./state/open-state.ts";
import type { StateStore } from "./state/state-store.ts";
import { combineTransports, createNodeTransport } from "./transport.ts";
import { combineTunnels, createTunnels } from "./server/tunnel.ts";
import { createUpgrades } from "./server/upgrades.ts";
import { createWebExchange } from "../web/gateway.ts";
import type { WorkerGroup } from "./workers/worker-group.ts";

export interface ServeOptions {
  /** From loadConfig. */
  readonly config: Config;
  /** Default: `config.listen.host`. */
  readonly host?: string;
  /** Default: `config.listen.port`. 0 takes a free one. */
  readonly port?: number;
  /** Default: the process's environment. docs/operations.md lists what it reads. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default: JSON lines on standard error, as AFTERWORD_LOG says. */
  readonly log?: Logger;
  /** Shown at /_afterword/version. Default: that of this package. */
  readonly version?: string;
  /** Watches the files of `config`, and takes changes over whole or not at all. Default false. */
  readonly reload?: ReloadSource;
  /** The file of `config`, if another process of the group follows it. */
  readonly file?: string;
  /** The other processes at the same port. Default: there are none. */
  readonly group?: WorkerGroup;
}

export interface Running {
  readonly host: string;
  readonly port: number;
  /** The address where a client on this machine reaches the gateway. */
  readonly url: string;
  readonly gateway: Gateway;
  /** Token of the admin routes; null if AFTERWORD_ADMIN_TOKEN is set, or if there is no admin. */
  readonly adminToken: string | null;
  /** Swaps the configuration; `listen`, `state`, `data` and embedded backend stay as started. */
  swap(config: Config): void;
  /** Reads the files again; resolves when decided, or at once without `reload`. Never rejects. */
  reload(): Promise<void>;
  /** Takes over the decision of the process of the group that follows the files. */
  follow(outcome: ReloadOutcome): void;
  /** Finishes running work within `total` + 2 s, then ends everything. */
  close(): Promise<void>;
}

/**
 * Runs the gateway on Node's HTTP server: answers byte for byte as the upstream gave them. With
 * `upstream: embedded` the backend runs in this process and nothing else listens.
 *
 * @throws AfterwordError `argument-invalid`, `listen-failed`, `data-directory-unusable`,
 *   `demo-credentials-exposed`, `content-invalid`, `config-invalid`
 * @example
 * const running = await serve({ config: await loadConfig("config/afterword.yaml"), port: 0 });
 * await fetch(`${running.url}/_afterword/health`);
 * await running.close();
 */
export async function serve(options: ServeOptions): Promise<Running> {
  const settings = readSettings(options);
  const { config, env, host, log, access } = settings;
  // A part that has to be closed is added here when it is opened; the last is closed first.
  const parts = new AsyncDisposableStack();
  parts.defer(() => settings.flush());
  try {
    const tls = await readTls(config);
    const routeKeys = await loadKeys(ROUTE_KEYS, env, config.data);
    const damaged = (): void => gateway.metrics.count("afterword_memory_failures_total", "decode");
    const state = await openState({ config, now: Date.now, log, damaged });
    parts.defer(() => state.close());
    const bodies = createByteBudget(() => gateway.core.snapshot().config.limits.heldBytes);
    const embedded = await openEmbeddedPart(settings, bodies);
    if (embedded !== null) parts.defer(() => embedded.close());
    const insights = await openInsightsPart(settings, parts, embedded, () => gateway.metrics);
    const network = createNodeTransport({ env });
    parts.defer(() => network.close());
    const lazy = createLazyConsole(() => ({
      tokens: settings.tokens,
      env,
      data: config.data,
      backend: embedded?.backend.contents ?? null,
      source: files.source,
      send: sendTo(gateway),
    }));
    parts.defer(() => lazy.close());
    const gateway = createServedGateway(settings, {
      transport: combineTransports(embedded?.transport ?? null, network),
      config: embedded?.config ?? config,
      routeKeys,
      state,
      console: lazy.console,
      insights,
      details: (everything) => ({
        ...(options.group && { workers: options.group.status() }),
        ...files.details(everything),
        ...(embedded && { content: embedded.backend.contentState(everything) }),
      }),
    });
    embedded?.backend.reportTo(gateway.core.refusedCredentials, gateway.metrics);
    const held = (): number => bodies.held;
    gateway.metrics.gauge("afterword_held_bytes", "Bytes of request bodies in memory.", held);
    const swap = createSwap(gateway, config, embedded);
    const files = createFileFollower({ ...options, env, log, metrics: gateway.metrics, swap });
    parts.defer(() => files.close());
    const listener = createGatewayListener(settings, { gateway, bodies, embedded, tls });
    await files.start();
    await insights?.begun;
    const address = await listener.listen(options.port ?? config.listen.port, host);
    gateway.core.escalations?.start();
    reportStart(settings, address);
    const drainTime = config.upstream.timeouts.total + 2000;
    return {
      host: address.address,
      port: address.port,
      url: urlOf(address, tls === null ? "http" : "https"),
      gateway,
      adminToken: access.made,
      swap,
      reload: () => files.reload(),
      follow: (outcome) => files.follow(outcome),
      async close() {
        gateway.drain();
        // Readers of event streams reconnect, to this process's successor or to another one.
        const handedOver = gateway.core.escalations?.stop();
        const drained = listener.drain(drainTime);
        embedded?.backend.endStreams();
        const { broken } = await drained;
        await handedOver;
        log("info", "stopped", { broken });
        await parts.disposeAsync();
      },
    };
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}

/** Reads the settings that several parts are made with. */
function readSettings(options: ServeOptions) {
  const { config, group, env = process.env, version = readPackageVersion() } = options;
  const host = options.host ?? config.listen.host;
  const threshold = parseLogThreshold(env["AFTERWORD_LOG"]);
  const logger = createLogger({ threshold, ...(group && { fields: { worker: group.worker } }) });
  const log = options.log ?? logger.log;
  const disabled = readKillSwitch(env["AFTERWORD_DISABLE"]);
  const exposed = exposureOf({ ...config.listen, host });
  const access = decideAdminAccess(
    env["AFTERWORD_ADMIN_TOKEN"],
    exposed !== null,
    group?.adminToken ?? makeAdminToken(),
  );
  const tokens = createLabelledTokens(env, log);
  return {
    config,
    env,
    version,
    host,
    log,
    disabled,
    exposed,
    access,
    tokens,
    group,
    ...(options.log === undefined && { logs: logger.logs }),
    flush: () => logger.flush(),
    trustsPeer: createTrustedPeers(config.listen.trustProxies),
    hasConsole: (): boolean => access.rule.token !== null || tokens().length > 0,
  };
}

type Settings = ReturnType<typeof readSettings>;

/** Loaded only if it is used, because it needs a database. */
async function openEmbeddedPart(settings: Settings, bodies: ByteBudget): Promise<Embedded | null> {
  if (!usesEmbedded(settings.config)) return null;
  const { openEmbedded } = await import("./embedded.ts");
  return openEmbedded({ ...settings, bodies });
}

/** If the configuration has no `insights`, none of it is loaded. */
async function openInsightsPart(
  { config, log }: Settings,
  parts: AsyncDisposableStack,
  embedded: Embedded | null,
  metrics: () => Metrics,
): Promise<OpenInsights | null> {
  if (config.insights === null) return null;
  const { openServedInsights } = await import("./insights.ts");
  const backend = embedded?.backend.questions ?? null;
  const opened = openServedInsights(config.insights, { config, backend, log, metrics });
  parts.defer(() => opened.close());
  const { webhook } = config.insights;
  if (webhook !== null) {
    const { keepSummarizing } = await import("./weekly-summary.ts");
    parts.defer(keepSummarizing({ webhook, open: opened.database, now: Date.now, log }));
  }
  return opened;
}

function createServedGateway(
  { log, logs, version, access, disabled, group }: Settings,
  parts: Pick<GatewayParts, "config" | "routeKeys" | "console" | "details" | "insights"> & {
    readonly transport: Transport;
    readonly state: StateStore;
  },
): Gateway {
  const { transport, state, ...rest } = parts;
  return createGatewayApp({
    ...rest,
    platform: createNodePlatform({ transport, log, ...(logs && { logs }) }),
    version,
    admin: access.rule,
    store: state,
    callers: withCallers(loadJwtCheck),
    escalations: createEscalations({
      store: state.escalations,
      claimsOf: createClaimsOf(loadJwtCheck),
    }),
    disabled,
    ...(group && { metricsOfAll: (own) => group.metricsOfAll(own) }),
  });
}

/** Puts configurations in force, with what the process and its backend keep from their start. */
function createSwap(gateway: Gateway, config: Config, embedded: Embedded | null): Running["swap"] {
  const started = startedWith(config);
  let kept = config;
  const put = (): void => gateway.swap(embedded?.adapt(kept) ?? kept);
  embedded?.watchAccess(put);
  return (next) => {
    kept = withKept(next, started);
    put();
  };
}

function createGatewayListener(
  { env, log, trustsPeer }: Settings,
  {
    gateway,
    bodies,
    embedded,
    tls,
  }: {
    readonly gateway: Gateway;
    readonly bodies: ByteBudget;
    readonly embedded: Embedded | null;
    readonly tls: TlsPair | null;
  },
): Listener {
  const serveRequest: RequestListener = (incoming, outgoing) =>
    gateway.answer(new NodeExchange(incoming, outgoing, bodies, trustsPeer));
  return createListener(serveRequest, {
    ...(tls === null ? {} : { tls }),
    upgrade: createUpgrades(
      () => gateway,
      combineTunnels(embedded?.tunnel ?? null, createTunnels({ env })),
      trustsPeer,
    ),
    onError: (error) =>
      log("error", "internal-error", { route: "listener", detail: String(error) }),
  });
}

/** Sends the console's own requests through the gateway, as a client would. */
function sendTo(gateway: Gateway): (request: Request) => Promise<Response> {
  return (request) => {
    const { exchange, response } = createWebExchange(request);
    gateway.answer(exchange);
    return response;
  };
}

function reportStart({ log, config, access, exposed }: Settings, address: AddressInfo): void {
  const { address: host, port } = address;
  log("info", "listening", { host, port, snapshot: config.hash });
  if (access.rule.token === null) log("info", "no-admin", { because: exposed ?? "" });
}

/** @throws AfterwordError `listen-failed` */
async function readTls({ listen: { tls } }: Config): Promise<TlsPair | null> {
  if (tls === null) return null;
  const pair = await readTlsPair(tls);
  if ("fault" in pair) throw new AfterwordError("listen-failed", pair.fault);
  return pair;
}
