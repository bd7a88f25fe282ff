import type { Config } from "../../config/config.ts";
import { type Client, unknownClient } from "../../http/client-address.ts";
import { AfterwordError, isAfterwordError } from "../../errors.ts";
import type { CreateCallers } from "../../gateway/core.ts";
import { type LabelledToken, readLabelledTokens } from "../../gateway/exchange/admin.ts";
import { createConsole } from "../../gateway/console/console.ts";
import { encodeErrorBody } from "../../gateway/exchange/errors.ts";
import { answerNotFound } from "../../gateway/own-routes.ts";
import { readKillSwitch } from "../../gateway/kill-switch.ts";
import type { Logger, LogLevel, Platform } from "../../gateway/exchange/platform.ts";
import { pause } from "../../wait.ts";
import { createFetchTransport } from "../web/fetch-transport.ts";
import { createWebGateway } from "../web/gateway.ts";
import { createWebPlatform } from "../web/web-platform.ts";
import { type Bindings, createServiceFetch, fillBindings } from "./bindings.ts";
import { createWords } from "./compiled.ts";
import { type ConversationStub, createObjectStore } from "./conversation-store.ts";
import type { EdgeEscalations } from "./edge-escalations.ts";
import type { EdgeInsights } from "./edge-insights.ts";
import type { InsightsStub } from "./insights-object.ts";
import type { EscalationStub } from "./object-rows.ts";
import { createKvTexts } from "./kv-texts.ts";
import { createOverrides } from "./overrides.ts";
import type { ExecutionContext, Fetcher, ObjectNamespace, TextNamespace } from "./platform.ts";
import { countDiscoveries } from "./discovery-tracker.ts";

export interface Worker {
  fetch(request: Request, bindings: WorkerBindings, context: ExecutionContext): Promise<Response>;
}

/**
 * Creates the gateway as a Cloudflare Worker. Until its secrets are set, it answers 503 and names
 * what is missing.
 *
 * @param config without its secrets
 * @param version of Afterword
 */
export function createWorker(config: Config, version: string, parts: WorkerParts = {}): Worker {
  let opened: OpenedWorker | string | null = null;
  return {
    async fetch(request, bindings, context) {
      // Bindings are the same for all requests of an isolate, but known only with the first.
      opened ??= open(bindings);
      return typeof opened === "string"
        ? answerUnusable(opened)
        : opened.answer(request, bindings, context);
    },
  };

  /** Returns the worker, or the reason why it cannot start. */
  function open(bindings: WorkerBindings): OpenedWorker | string {
    try {
      return openWorker(config, version, bindings, parts);
    } catch (error) {
      if (!isAfterwordError(error)) throw error;
      // oxlint-disable-next-line no-console -- a worker has no other output
      console.error(JSON.stringify({ level: "error", event: error.code, detail: error.message }));
      return error.message;
    }
  }
}

/** Optional parts. A worker without them is smaller. */
export interface WorkerParts {
  /** Creates the callers that may use the instance's credentials. */
  readonly callers?: CreateCallers;
  /** Hands conversations over. */
  readonly escalations?: EdgeEscalations;
  /** Counts lines and what readers do next. */
  readonly insights?: EdgeInsights;
}

/** Secrets, switches and stores of a deployed worker. */
export interface WorkerBindings extends Bindings {
  /** As for the Node gateway, but required: `wrangler secret put AFTERWORD_ROUTE_KEYS`. */
  readonly AFTERWORD_ROUTE_KEYS?: string;
  readonly AFTERWORD_ADMIN_TOKEN?: string;
  readonly AFTERWORD_ADMIN_TOKENS?: string;
  readonly AFTERWORD_DISABLE?: string;
  readonly AFTERWORD_LOG?: string;
  /** Hosts that are reached through service bindings: `api.example.com=VENDOR`. */
  readonly AFTERWORD_SERVICES?: string;
  /** Texts pushed by `afterword overrides`. Absent for the texts of the deployment. */
  readonly AFTERWORD_TEXTS?: TextNamespace;
  /** Seconds between two checks for newly pushed texts, in each isolate. Default 30. */
  readonly AFTERWORD_TEXTS_SECONDS?: string;
  /**
   * The deployment's static assets, with readers' words by language. If it is absent, there are
   * only English ones.
   */
  readonly AFTERWORD_ASSETS?: Fetcher;
  /** Durable Objects of class Conversation. Without them, each isolate has its own memory. */
  readonly AFTERWORD_CONVERSATIONS?: ObjectNamespace<ConversationStub & EscalationStub>;
  /** Durable Objects of class Insights; `insights` needs them. */
  readonly AFTERWORD_INSIGHTS?: ObjectNamespace<InsightsStub>;
}

export interface OpenedWorker {
  answer(request: Request, bindings: WorkerBindings, context: ExecutionContext): Promise<Response>;
  /** Does the due work of escalations, with the current texts. */
  round(): Promise<void>;
}

/** @throws AfterwordError `route-keys-missing` or `config-invalid` */
export function openWorker(
  deployed: Config,
  version: string,
  env: WorkerBindings,
  { callers, escalations, insights }: WorkerParts = {},
): OpenedWorker {
  const routeKeys = keysOf(env.AFTERWORD_ROUTE_KEYS ?? "");
  const config = fillBindings(deployed, env);
  const { platform, discoveries } = createWorkerPlatform(env);
  const labelled = readLabelledTokens(env.AFTERWORD_ADMIN_TOKENS);
  const tokens = (): readonly LabelledToken[] => labelled;
  const send = async (request: Request): Promise<Response> => gateway.app.fetch(request, env);
  checkBindings(config, env, platform);
  const { AFTERWORD_CONVERSATIONS: conversations, AFTERWORD_TEXTS: texts } = env;
  const counts = config.insights === null ? undefined : env.AFTERWORD_INSIGHTS;
  const overrides = texts
    ? createOverrides(texts, config, platform, (next) => gateway.swap(next), secondsOf(env))
    : null;
  const gateway = createWebGateway(
    {
      config,
      version,
      routeKeys,
      platform,
      disabled: readKillSwitch(env.AFTERWORD_DISABLE),
      ...(env.AFTERWORD_ADMIN_TOKEN ? { adminToken: env.AFTERWORD_ADMIN_TOKEN } : {}),
      ...(conversations && { store: createObjectStore(conversations, countDamaged) }),
      ...(texts && { versionDetails: () => ({ overrides: overrides?.state() }) }),
    },
    {
      ...(callers && { callers }),
      console(core, info) {
        const readCurrent = (): Config => core.snapshot().config;
        const files =
          texts && overrides
            ? createKvTexts({ store: texts, overrides, config: readCurrent, platform })
            : null;
        return {
          ...createConsole({ core, info, tokens, files, send, page: null }),
          docs: async ({ exchange }) => answerNotFound(exchange),
          start: null,
        };
      },
      clientOf: findClient,
      ...(conversations &&
        escalations && { escalations: escalations(conversations, countDamaged) }),
      ...(counts &&
        insights && {
          insights: insights(counts, { log: platform.log, metrics: () => gateway.metrics }),
        }),
    },
  );
  let first = true;

  return {
    async round() {
      const looking = overrides?.refresh() ?? null;
      if (looking !== null) await Promise.race([looking, pause(firstWait)]);
      await gateway.core.escalations?.runRound();
    },
    async answer(request, bindings, context) {
      const looking = overrides?.refresh() ?? null;
      if (looking !== null) {
        // An isolate's first answer waits briefly for the current texts; later ones never wait.
        context.waitUntil(looking);
        if (first) await Promise.race([looking, pause(firstWait)]);
      }
      first = false;
      const response = await gateway.app.fetch(request, bindings);
      const shared = discoveries.settled();
      if (shared !== null) context.waitUntil(shared);
      return response;
    },
  };

  function countDamaged(): void {
    gateway.metrics.count("afterword_memory_failures_total", "decode");
  }
}

function findClient({ headers }: Request): Client {
  return { ...unknownClient, address: headers.get("cf-connecting-ip") ?? "" };
}

function createWorkerPlatform(env: WorkerBindings) {
  const fetch = createServiceFetch(env.AFTERWORD_SERVICES ?? "", env, (url, init) =>
    globalThis.fetch(url, init),
  );
  const discoveries = countDiscoveries(createFetchTransport({ fetch, decodes: decoded }));
  const logger = createWorkerLog(env.AFTERWORD_LOG ?? "");
  const { AFTERWORD_ASSETS: assets } = env;
  const platform = createWebPlatform({
    transport: discoveries.transport,
    wordsOf: assets ? createWords(assets, { now: Date.now, ...logger }) : async () => null,
    ...logger,
  });
  return { platform, discoveries };
}

/**
 * @throws AfterwordError `config-invalid` without the bindings that escalations or insights need
 */
function checkBindings(config: Config, env: WorkerBindings, { log }: Pick<Platform, "log">): void {
  if (config.insights !== null && env.AFTERWORD_INSIGHTS === undefined) {
    throw new AfterwordError(
      "config-invalid",
      "the configuration has `insights`, and there is no Durable Object to keep counts in: bind AFTERWORD_INSIGHTS in wrangler.toml",
    );
  }
  if (config.instances.every(({ escalation }) => escalation.mode === "off")) return;
  if (env.AFTERWORD_CONVERSATIONS === undefined) {
    throw new AfterwordError(
      "config-invalid",
      "the configuration hands conversations over, and there are no Durable Objects to keep that in: bind AFTERWORD_CONVERSATIONS in wrangler.toml",
    );
  }
  if (env.AFTERWORD_ASSETS === undefined) {
    log("error", "words-missing", { language: "*", detail: withoutAssets });
  }
}

function answerUnusable(message: string): Response {
  return new Response(new Uint8Array(encodeErrorBody(503, `Afterword cannot start: ${message}`)), {
    status: 503,
    headers: { "content-type": "application/json", "cache-control": "no-store" },
  });
}

const withoutAssets =
  "there is no binding AFTERWORD_ASSETS: outside English, nobody who types a wish for a person is understood, and yes and no only in English; see [assets] in wrangler.toml";

/** The codings that workerd's `fetch` decodes; it passes others on unchanged. */
const decoded: readonly string[] = ["gzip", "br"];

/** In milliseconds. */
const firstWait = 250;

function secondsOf({ AFTERWORD_TEXTS_SECONDS: text = "" }: WorkerBindings): number | undefined {
  return /^\d+$/.test(text) ? Number(text) * 1000 : undefined;
}

function keysOf(list: string): readonly string[] {
  const keys = list
    .split(",")
    .map((key) => key.trim())
    .filter((key) => key !== "");
  const wrong =
    keys.length === 0
      ? "AFTERWORD_ROUTE_KEYS is not set"
      : keys.some((key) => key.length < 16)
        ? "AFTERWORD_ROUTE_KEYS has a key of less than 16 characters"
        : null;
  if (wrong === null) return keys;
  throw new AfterwordError(
    "route-keys-missing",
    `${wrong}: put a random text of 16 characters or more there, the same for all deployments, with \`npx wrangler secret put AFTERWORD_ROUTE_KEYS\``,
  );
}

const ranks: Readonly<Record<string, number>> = { silent: 0, error: 1, warn: 2, info: 3, debug: 4 };

/**
 * One JSON object per line, as Workers Logs index them. The runtime adds the time.
 *
 * @param threshold as AFTERWORD_LOG; anything unknown is `info`
 */
function createWorkerLog(threshold: string): {
  readonly log: Logger;
  readonly logs: (level: LogLevel) => boolean;
} {
  const most = ranks[threshold] ?? 3;
  const logs = (level: LogLevel): boolean => (ranks[level] ?? 0) <= most;
  return {
    logs,
    log(level, event, fields) {
      // oxlint-disable-next-line no-console -- a worker has no other output
      if (logs(level)) console[level](JSON.stringify({ level, event, ...fields }));
    },
  };
}
