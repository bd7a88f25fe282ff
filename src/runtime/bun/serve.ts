import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { loadConfig } from "../../config/load/load.ts";
import { packageRoot } from "../../config/load/package-root.ts";
import { addressBehind, type Client } from "../../client-address.ts";
import { AfterwordError, isAfterwordError } from "../../errors.ts";
import { createClaimsOf, loadJwtCheck } from "../../gateway/callers/signed-tokens.ts";
import { withCallers } from "../../gateway/callers/create-callers.ts";
import { errorBody } from "../../gateway/errors.ts";
import { exposureOf } from "../../gateway/exposure.ts";
import { createEscalations } from "../../gateway/escalation/escalations.ts";
import { readKillSwitch } from "../../gateway/kill-switch.ts";
import type { Logger } from "../../gateway/platform.ts";
import type { Transport } from "../../gateway/upstream/transport.ts";
import { loadKeys, ROUTE_KEYS } from "../node/keys.ts";
import { adminAccess, announcement, labelledTokens, makeAdminToken } from "../node/admin-token.ts";
import { createTrustedPeers } from "../node/exchange.ts";
import { finishWriting, lazyConsole } from "../node/console/lazy-console.ts";
import { type Reloader, type ReloadSource, startReload } from "../node/reload/reload.ts";
import type { ReloadState } from "../node/reload/reload-record.ts";
import { startedWith, withKept } from "../node/reload/restart-needed.ts";
import { createLogger, parseLogThreshold } from "../node/log.ts";
import { openState } from "../node/state/open-state.ts";
import { createFetchTransport } from "../web/fetch-transport.ts";
import { createWebGateway } from "../web/gateway.ts";

export interface BunServeOptions {
  /** From loadConfig. */
  readonly config: Config;
  /** Default: `config.listen.host`. */
  readonly host?: string;
  /** Default: `config.listen.port`. 0 takes a free one. */
  readonly port?: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Watches the files of `config`, as on Node. Default: they are read once. */
  readonly reload?: ReloadSource;
  /** Default: JSON lines on standard error, as AFTERWORD_LOG says. */
  readonly log?: Logger;
  readonly version?: string;
}

export interface RunningOnBun {
  readonly url: string;
  /** Token of the admin routes; null: AFTERWORD_ADMIN_TOKEN, or none as others reach the server. */
  readonly adminToken: string | null;
  /** Finishes what is under way, at most `total` + 2 s, then ends everything. */
  close(): Promise<void>;
}

/**
 * Runs the gateway under `Bun.serve`: the same app over `Request` and `Response` as on Workers.
 * What is kept of a message stands in docs/runtimes.md. No embedded upstream, no TLS, no upgrades
 * and no shared state: for these there is Node.
 *
 * @throws AfterwordError `config-invalid`, `data-directory-unusable`, `listen-failed`
 */
export async function serveOnBun(options: BunServeOptions): Promise<RunningOnBun> {
  const { config, env } = options;
  refuseWhatIsNotHere(config);
  const logger = createLogger({ threshold: parseLogThreshold(env["AFTERWORD_LOG"]) });
  const log = options.log ?? logger.log;
  const disabled = readKillSwitch(env["AFTERWORD_DISABLE"]);
  const routeKeys = await loadKeys(ROUTE_KEYS, env, config.data);
  const host = options.host ?? config.listen.host;
  const exposed = exposureOf({ ...config.listen, host });
  const access = adminAccess(env["AFTERWORD_ADMIN_TOKEN"], exposed !== null, makeAdminToken());
  const tokens = labelledTokens(env, log);
  const trusts = createTrustedPeers(config.listen.trustProxies);
  const state = await openState({ config, now: () => Date.now(), log, damaged: () => undefined });
  const lazy = lazyConsole(() => ({
    tokens,
    env,
    data: config.data,
    source: options.reload === undefined ? null : { files: options.reload, look },
    send: async (request) => gateway.app.fetch(request),
  }));
  const gateway = createWebGateway(
    {
      config,
      routeKeys: routeKeys.map((key) => new TextDecoder().decode(key)),
      platform: { transport: createBunTransport(), log, logs: logger.logs },
      version: options.version ?? "",
      disabled,
      store: state,
      ...(access.rule.token !== null && { adminToken: access.rule.token }),
    },
    {
      callers: withCallers(loadJwtCheck),
      escalations: createEscalations({
        store: state.escalations,
        claimsOf: createClaimsOf(loadJwtCheck),
      }),
      console: lazy.console,
      details: (everything) => ({ ...(reloader && { reload: reloader.state(everything) }) }),
      clientOf,
    },
  );
  const started = startedWith(config);
  const reloader = options.reload === undefined ? null : await keepTo(options.reload);
  const server = listen(options, log, (request) => gateway.app.fetch(request));
  gateway.core.escalations?.start();
  const { hostname, port } = server;
  log("info", "listening", { host: hostname, port, snapshot: config.hash });
  return {
    url: `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`,
    adminToken: access.made,
    async close() {
      gateway.drain();
      const handedOver = gateway.core.escalations?.stop();
      const cut = setTimeout(() => server.stop(true), config.upstream.timeouts.total + 2000);
      await server.stop(false);
      clearTimeout(cut);
      await handedOver;
      await reloader?.close();
      await lazy.close();
      await state.close();
      await logger.flush();
    },
  };

  /** Read when somebody asks for it: only the console does, for every request. */
  function clientOf(request: Request): Client {
    const { headers } = request;
    return {
      get address() {
        const peer = server.requestIP(request)?.address ?? "";
        return addressBehind(peer, headers.get("x-forwarded-for"), trusts);
      },
      share: null,
    };
  }

  async function keepTo(source: ReloadSource): Promise<Reloader> {
    const left = await finishWriting(source.file, config.data);
    const { metrics } = gateway;
    const take = (next: Config): void => gateway.swap(withKept(next, started));
    const reload = startReload({ env, ...source, config, take, log, metrics, now: Date.now });
    if (left > 0) {
      log("warn", "publication-finished", { count: left });
      await reload.reload();
    }
    return reload;
  }

  async function look(): Promise<ReloadState | null> {
    await reloader?.reload();
    return reloader?.state(true) ?? null;
  }
}

/** Carries requests by Bun's `fetch`, undecoded, untimed. It repeats broken GETs, never POSTs. */
export function createBunTransport(): Transport {
  return createFetchTransport({
    decodes: false,
    fetch: (url, init) => fetch(url, withBunOptions(init)),
  });
}

function withBunOptions(init: RequestInit): RequestInit {
  const given = { ...init, decompress: false, timeout: false };
  return given;
}

/** As much of Bun as is used. */
interface Bun {
  serve(options: {
    readonly hostname: string;
    readonly port: number;
    /** Seconds without a byte, at most 255. */
    readonly idleTimeout: number;
    /** In bytes. */
    readonly maxRequestBodySize: number;
    readonly development: false;
    fetch(request: Request): Response | Promise<Response>;
    error(error: unknown): Response;
  }): BunServer;
}

interface BunServer {
  readonly hostname: string;
  readonly port: number;
  /**
   * Resolves when all requests are answered.
   *
   * @param closeConnections also those that are under way
   */
  stop(closeConnections: boolean): Promise<void>;
  /** Null once the request is answered. */
  requestIP(request: Request): { readonly address: string } | null;
}

function isBun(value: unknown): value is Bun {
  return typeof value === "object" && value !== null && "serve" in value;
}

/** @throws AfterwordError `listen-failed` */
function listen(
  { config, ...options }: BunServeOptions,
  log: Logger,
  answer: (request: Request) => Response | Promise<Response>,
): BunServer {
  const hostname = options.host ?? config.listen.host;
  const port = options.port ?? config.listen.port;
  const bun: unknown = Reflect.get(globalThis, "Bun");
  if (!isBun(bun)) {
    throw new AfterwordError(
      "listen-failed",
      "this is not Bun: use `npm start`, or `bun src/runtime/bun/serve.ts`",
    );
  }
  try {
    return bun.serve({
      hostname,
      port,
      // `upstream.timeouts` end a silent answer earlier.
      idleTimeout: 255,
      // The gateway's own `limits.requestBytes` refuses longer ones, in its own words.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      development: false,
      fetch: answer,
      error(error) {
        log("error", "internal-error", { route: "server", detail: String(error) });
        const headers = { "content-type": "application/json" };
        return new Response(new Uint8Array(errorBody(500, "Internal error.")), {
          status: 500,
          headers,
        });
      },
    });
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

/** Of our own package.json. */
async function ownVersion(): Promise<string> {
  const text = await readFile(join(packageRoot(), "package.json"), "utf8");
  const { version }: { readonly version: string } = JSON.parse(text);
  return version;
}

/** `npm run start:bun` */
async function main(): Promise<void> {
  const { env } = process;
  const file = env["AFTERWORD_CONFIG"] || "config/examples/edge.yaml";
  const loadedAt = Date.now();
  const running = await serveOnBun({
    config: await loadConfig(file),
    env,
    reload: { file, loadedAt },
    version: await ownVersion(),
    ...(env["HOST"] && { host: env["HOST"] }),
    ...(env["PORT"] && { port: Number(env["PORT"]) }),
  });
  process.stdout.write(announcement(running.url, running.adminToken));
  const stop = (): void => {
    // A second signal ends the process at once.
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, stop);
    void running.close().then(() => process.exit(0));
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stop);
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    if (!isAfterwordError(error)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
}
