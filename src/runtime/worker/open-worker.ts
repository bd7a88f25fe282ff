import type { Config } from "../../config/config.ts";
import { AfterwordError } from "../../errors.ts";
import type { CreateCallers } from "../../gateway/callers/port.ts";
import { readKillSwitch } from "../../gateway/kill-switch.ts";
import { createFetchTransport } from "../web/fetch-transport.ts";
import { createWebGateway } from "../web/gateway.ts";
import { createWebPlatform } from "../web/web-platform.ts";
import { type Bindings, fillBindings } from "./bindings.ts";
import { type ConversationStub, createObjectStore } from "./conversation-store.ts";
import type { EdgeEscalations } from "./escalation/edge-escalations.ts";
import type { EscalationStub } from "./escalation/object-rows.ts";
import { createWorkerLog } from "./log.ts";
import { createOverrides } from "./overrides.ts";
import type { ExecutionContext, ObjectNamespace, TextNamespace } from "./platform.ts";
import { createServiceFetch } from "./services.ts";
import { countDiscoveries } from "./waiting.ts";

/** Secrets, switches and stores of a deployed worker. */
export interface WorkerBindings extends Bindings {
  /**
   * As in the environment of the Node gateway; required here:
   * `wrangler secret put AFTERWORD_ROUTE_KEYS`.
   */
  readonly AFTERWORD_ROUTE_KEYS?: string;
  readonly AFTERWORD_ADMIN_TOKEN?: string;
  readonly AFTERWORD_DISABLE?: string;
  readonly AFTERWORD_LOG?: string;
  /** Hosts that are reached through service bindings: `api.example.com=VENDOR`. */
  readonly AFTERWORD_SERVICES?: string;
  /** Texts pushed by `afterword overrides`. Absent: those of the deployment. */
  readonly AFTERWORD_TEXTS?: TextNamespace;
  /** How often an isolate looks for others, in seconds. Default 30. */
  readonly AFTERWORD_TEXTS_SECONDS?: string;
  /**
   * Durable Objects of the class Conversation. Absent: an isolate remembers what it was told
   * itself.
   */
  readonly AFTERWORD_CONVERSATIONS?: ObjectNamespace<ConversationStub & EscalationStub>;
}

export interface OpenedWorker {
  answer(request: Request, bindings: WorkerBindings, context: ExecutionContext): Promise<Response>;
  /** Does what is due of escalations, in the texts that are in force. */
  round(): Promise<void>;
}

/** @throws AfterwordError `route-keys-missing` or `config-invalid` */
export function openWorker(
  deployed: Config,
  version: string,
  env: WorkerBindings,
  callers?: CreateCallers,
  escalations?: EdgeEscalations,
): OpenedWorker {
  const routeKeys = keysOf(env.AFTERWORD_ROUTE_KEYS ?? "");
  const config = fillBindings(deployed, env);
  const fetch = createServiceFetch(env.AFTERWORD_SERVICES ?? "", env, (url, init) =>
    globalThis.fetch(url, init),
  );
  const waiting = countDiscoveries(createFetchTransport({ fetch, decodes: decoded }));
  const platform = createWebPlatform({
    transport: waiting.transport,
    ...createWorkerLog(env.AFTERWORD_LOG ?? ""),
  });
  const { AFTERWORD_CONVERSATIONS: conversations, AFTERWORD_TEXTS: texts } = env;
  const handsOver = config.instances.some(({ escalation }) => escalation.mode !== "off");
  if (handsOver && conversations === undefined) {
    throw new AfterwordError(
      "config-invalid",
      "the configuration hands conversations over, and there are no Durable Objects to keep that in: bind AFTERWORD_CONVERSATIONS in wrangler.toml",
    );
  }
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
    callers,
    conversations && escalations?.(conversations, countDamaged),
  );
  const overrides = texts
    ? createOverrides(texts, config, platform, (next) => gateway.swap(next), secondsOf(env))
    : null;
  let first = true;

  return {
    async round() {
      const looking = overrides?.refresh() ?? null;
      if (looking !== null) await Promise.race([looking, pause(firstWait)]);
      await gateway.core.escalations?.round();
    },
    async answer(request, bindings, context) {
      const looking = overrides?.refresh() ?? null;
      if (looking !== null) {
        // The first answer of an isolate waits for the texts in force, but not for long; later ones
        // never wait.
        context.waitUntil(looking);
        if (first) await Promise.race([looking, pause(firstWait)]);
      }
      first = false;
      const response = await gateway.app.fetch(request, bindings);
      const shared = waiting.settled();
      if (shared !== null) context.waitUntil(shared);
      return response;
    },
  };

  function countDamaged(): void {
    gateway.metrics.count("afterword_memory_failures_total", { doing: "decode" });
  }
}

/** What workerd's `fetch` decodes; other codings are left as they come. */
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

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
