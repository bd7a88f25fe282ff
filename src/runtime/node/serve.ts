import type { RequestListener } from "node:http";
import { setTimeout } from "node:timers/promises";
import { createByteBudget } from "../../http/shares.ts";
import type { Config } from "../../config/config.ts";
import { readTlsPair, type TlsPair } from "../../config/load/tls-pair.ts";
import { usesEmbedded } from "../../config/embedded.ts";
import { AfterwordError } from "../../errors.ts";
import { createClaimsOf, loadJwtCheck } from "../../gateway/callers/signed-tokens.ts";
import { withCallers } from "../../gateway/callers/create-callers.ts";
import { createEscalations } from "../../gateway/escalation/escalations.ts";
import { exposureOf } from "../../config/exposure.ts";
import { createGatewayApp, type Gateway } from "../../gateway/gateway.ts";
import { readKillSwitch } from "../../gateway/kill-switch.ts";
import type { Logger } from "../../gateway/platform.ts";
import { finishWriting, lazyConsole } from "./console/lazy-console.ts";
import type { OpenConsoleParts } from "./open-console.ts";
import { adminAccess, labelledTokens, makeAdminToken } from "./admin-token.ts";
import { createNodeExchange, createTrustedPeers } from "./exchange.ts";
import { loadKeys, ROUTE_KEYS } from "./keys.ts";
import { createListener } from "./listener.ts";
import { createLogger, parseLogThreshold } from "./log.ts";
import { createNodePlatform } from "./platform.ts";
import {
  type Reloader,
  type ReloadOutcome,
  type ReloadParts,
  type ReloadSource,
  startReload,
} from "./reload/reload.ts";
import type { ReloadRecord } from "./reload/reload-record.ts";
import { startedWith, withKept } from "./reload/restart-needed.ts";
import { openState } from "./state/open-state.ts";
import { combineTransports, createNodeTransport } from "./transport.ts";
import { combineTunnels, createTunnels } from "./tunnel.ts";
import { createUpgrades } from "./upgrades.ts";
import { createWebExchange } from "../web/gateway.ts";
import { type WorkerGroup, followReloads } from "./workers/worker-group.ts";

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
  readonly version?: string;
  /** Watches the files of `config`: changes are taken over whole or not at all. Default false. */
  readonly reload?: ReloadSource;
  /** The file of `config`, where another process of the group keeps to it. */
  readonly file?: string;
  /** The other processes at the same port. Default: there are none. */
  readonly group?: WorkerGroup;
}

export interface Running {
  readonly host: string;
  readonly port: number;
  /** Where a client on this machine reaches the gateway. */
  readonly url: string;
  readonly gateway: Gateway;
  /** Token of the admin routes; null: AFTERWORD_ADMIN_TOKEN, or none as others reach the server. */
  readonly adminToken: string | null;
  /** Swaps the configuration; `listen`, `state`, `data` and embedded backend stay as started. */
  swap(config: Config): void;
  /** Reads the files again; resolves when decided, or at once without `reload`. Never rejects. */
  reload(): Promise<void>;
  /** Takes over what the process of the group that keeps to the files has decided. */
  follow(outcome: ReloadOutcome): void;
  /** Finishes what is under way, at most `total` + 2 s, then ends everything. */
  close(): Promise<void>;
}

/**
 * Runs the gateway on Node's HTTP server: answers byte for byte as the upstream gave them. With
 * `upstream: embedded` the backend runs in this process and nothing else listens.
 *
 * @throws AfterwordError `argument-invalid`, `listen-failed`, `data-directory-unusable`,
 *   `demo-credentials-exposed`, `content-invalid`,
 *   `config-invalid`
 * @example
 * const running = await serve({ config: await loadConfig("config/afterword.yaml"), port: 0 });
 * await fetch(`${running.url}/_afterword/health`);
 * await running.close();
 */
export async function serve(options: ServeOptions): Promise<Running> {
  const env = options.env ?? process.env;
  const host = options.host ?? options.config.listen.host;
  const port = options.port ?? options.config.listen.port;
  const { group } = options;
  const threshold = parseLogThreshold(env["AFTERWORD_LOG"]);
  const logger = createLogger({ threshold, ...(group && { fields: { worker: group.worker } }) });
  const log = options.log ?? logger.log;
  const disabled = readKillSwitch(env["AFTERWORD_DISABLE"]);
  const exposed = exposureOf({ ...options.config.listen, host });
  const access = adminAccess(
    env["AFTERWORD_ADMIN_TOKEN"],
    exposed !== null,
    group?.adminToken ?? makeAdminToken(),
  );
  const tokens = labelledTokens(env, log);
  const hasConsole = (): boolean => access.rule.token !== null || tokens().length > 0;
  const tls = await readTls(options.config);
  const routeKeys = await loadKeys(ROUTE_KEYS, env, options.config.data);
  const network = createNodeTransport({ env });
  const state = await openState({
    config: options.config,
    now: () => Date.now(),
    log,
    damaged: () => gateway.metrics.count("afterword_memory_failures_total", "decode"),
  });
  const bodies = createByteBudget(() => gateway.core.snapshot().config.limits.heldBytes);
  const trustsPeer = createTrustedPeers(options.config.listen.trustProxies);
  // Loaded only where it is used: it brings a database with it.
  const embedded = usesEmbedded(options.config)
    ? await import("./embedded.ts")
        .then(({ openEmbedded }) =>
          openEmbedded(options.config, host, env, log, options.version ?? "", bodies, hasConsole),
        )
        .catch(async (error: unknown) => {
          await state.close();
          throw error;
        })
    : null;
  const transport = combineTransports(embedded?.transport ?? null, network);
  const lazy = lazyConsole(() => ({
    tokens,
    env,
    data: options.config.data,
    source: consoleSource(),
    send(request) {
      const { exchange, response } = createWebExchange(request);
      gateway.answer(exchange);
      return response;
    },
  }));
  const gateway = createGatewayApp({
    platform: createNodePlatform({
      transport,
      log,
      ...(options.log === undefined && { logs: logger.logs }),
    }),
    config: embedded?.config ?? options.config,
    routeKeys,
    version: options.version ?? "",
    admin: access.rule,
    store: state,
    callers: withCallers(loadJwtCheck),
    escalations: createEscalations({
      store: state.escalations,
      claimsOf: createClaimsOf(loadJwtCheck),
    }),
    trustsPeer,
    disabled,
    console: lazy.console,
    ...(group && { metricsOfAll: (own) => group.metricsOfAll(own) }),
    details: (everything) => {
      const reloads = reloader ?? followed;
      return {
        ...(group && { workers: group.status() }),
        ...(reloads && { reload: reloads.state(everything) }),
        ...(embedded && { content: embedded.content.state(everything) }),
      };
    },
  });
  embedded?.content.countWith(gateway.metrics);
  embedded?.reportTo(gateway.core.refusedCredentials, gateway.metrics);
  gateway.metrics.gauge(
    "afterword_held_bytes",
    "Bytes of request bodies in memory.",
    () => bodies.held,
  );
  const started = startedWith(options.config);
  let kept = options.config;
  const swap = (config: Config): void => {
    kept = withKept(config, started);
    gateway.swap(embedded?.adapt(kept) ?? kept);
  };
  embedded?.watchAccess(() => gateway.swap(embedded.adapt(kept)));
  let reloader: Reloader | null = null;
  let followed: ReloadRecord | null = null;
  const exchanges = { bodies, trusts: trustsPeer };
  const serveRequest: RequestListener = (incoming, outgoing) =>
    gateway.answer(createNodeExchange(incoming, outgoing, exchanges));
  const listener = createListener(serveRequest, {
    ...(tls === null ? {} : { tls }),
    upgrade: createUpgrades(
      () => gateway,
      combineTunnels(embedded?.tunnel ?? null, createTunnels({ env })),
    ),
    onError: (error) =>
      log("error", "internal-error", { route: "listener", detail: String(error) }),
  });
  try {
    if (options.reload !== undefined) {
      const left = await finishWriting(options.reload.file, options.config.data);
      reloader = startReload(reloadParts(options.reload));
      if (left > 0) {
        log("warn", "publication-finished", { count: left });
        await reloader.reload();
      }
    } else if (group) followed = followReloads(options.config, gateway.metrics);
    const address = await listener.listen(port, host);
    const scheme = tls === null ? "http" : "https";
    gateway.core.escalations?.start();
    log("info", "listening", {
      host: address.address,
      port: address.port,
      snapshot: options.config.hash,
    });
    if (access.rule.token === null) log("info", "no-admin", { because: exposed ?? "" });
    return {
      host: address.address,
      port: address.port,
      url: `${scheme}://${bracketed(reachable(address.address))}:${address.port}`,
      gateway,
      adminToken: access.made,
      swap,
      reload: async () => reloader?.reload(),
      follow,
      close,
    };
  } catch (error) {
    await closeParts();
    throw error;
  }

  async function close(): Promise<void> {
    gateway.drain();
    // Readers who listen come back, to this process's successor or to another one.
    const handedOver = gateway.core.escalations?.stop();
    const drained = listener.drain(options.config.upstream.timeouts.total + 2000);
    embedded?.endStreams();
    const { broken } = await drained;
    await handedOver;
    log("info", "stopped", { broken });
    await closeParts();
  }

  function reloadParts(source: ReloadSource): ReloadParts {
    const { config } = options;
    const { metrics } = gateway;
    const told = group && { decided: (outcome: ReloadOutcome) => group.decided(outcome) };
    return { env, ...source, config, take: swap, log, metrics, now: Date.now, ...told };
  }

  function consoleSource(): OpenConsoleParts["source"] {
    const files = options.reload ?? (options.file === undefined ? null : { file: options.file });
    if (files === null) return null;
    return {
      files,
      async look() {
        // The process that keeps to the files sees them by itself.
        await (reloader?.reload() ?? setTimeout(100));
        return (reloader ?? followed)?.state(true) ?? null;
      },
    };
  }

  function follow(outcome: ReloadOutcome): void {
    if (outcome.kind === "refused") return followed?.refused(outcome.found);
    swap(outcome.config);
    followed?.taken(outcome.config, outcome.found, outcome.milliseconds);
  }

  async function closeParts(): Promise<void> {
    await reloader?.close();
    await lazy.close();
    network.close();
    await embedded?.close();
    await state.close();
    await logger.flush();
  }
}

/** @throws AfterwordError `listen-failed` */
async function readTls({ listen: { tls } }: Config): Promise<TlsPair | null> {
  if (tls === null) return null;
  const pair = await readTlsPair(tls);
  if ("fault" in pair) throw new AfterwordError("listen-failed", pair.fault);
  return pair;
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** An unspecified address is listened on, but not dialled. */
function reachable(address: string): string {
  if (address === "0.0.0.0") return "127.0.0.1";
  return address === "::" ? "::1" : address;
}
