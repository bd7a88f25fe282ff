import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { CALLER_OPERATIONS } from "../../src/config/caller-operations.ts";
import type { CallerConfig, Config, InstanceConfig } from "../../src/config/config.ts";
import { withCallers } from "../../src/gateway/callers/create-callers.ts";
import { loadJwtCheck } from "../../src/gateway/callers/signed-tokens.ts";
import type { Platform } from "../../src/gateway/exchange/platform.ts";
import { serve } from "../../src/runtime/node/serve.ts";
import { createWebGateway } from "../../src/runtime/web/gateway.ts";
import {
  fieldValues,
  rawRequest,
  type RecordedRequest,
  type ScriptedAnswer,
  type ScriptedUpstream,
  startScriptedUpstream,
} from "../../src/testing/index.ts";
import { config, instance, tables } from "../fixtures/config.ts";
import type { LogLine } from "./harness.ts";

/** Values that the gateway may send only to the upstream. */
export const secrets = {
  apiKey: "key-of-the-instance",
  secret: "s3cret-of-the-instance",
  chatSecret: "ch4t-s3cret-of-the-app",
  key: "a-key-of-a-caller-0123456789",
  tokens: "t0ken-of-the-gateway",
};

export interface Ask {
  readonly method?: string;
  /** Name, value, name, value, … */
  readonly headers?: readonly string[];
  readonly body?: string | Uint8Array;
}

export interface ClientAnswer {
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly string[];
  readonly text: string;
  field(name: string): string | null;
}

export interface CallersBench {
  readonly upstream: ScriptedUpstream;
  readonly logs: readonly LogLine[];
  readonly port: number;
  ask(target: string, ask?: Ask): Promise<ClientAnswer>;
  /** The requests that reached a product, without logins and discovery. */
  products(): readonly RecordedRequest[];
  logins(): number;
  metrics(): string;
  swap(more: Partial<Config>): void;
  close(): Promise<void>;
}

export interface CallersOptions {
  readonly callers?: readonly CallerConfig[];
  /** Returns null for the usual answer. */
  readonly answer?: (request: RecordedRequest) => ScriptedAnswer | null | Promise<ScriptedAnswer>;
  readonly config?: Partial<Config>;
  readonly instance?: Partial<InstanceConfig>;
  readonly upstream?: Partial<InstanceConfig["upstream"]>;
  readonly more?: readonly InstanceConfig[];
  readonly env?: Record<string, string>;
  readonly platform?: Partial<Platform>;
}

export const runtimes = ["node", "web"] as const;
export type Runtime = (typeof runtimes)[number];

/** A caller of the instance `shop` with these permissions. */
export function caller(
  operations: readonly string[],
  more: Partial<CallerConfig> = {},
): CallerConfig {
  return {
    name: "crm",
    instance: "shop",
    origins: [],
    jwt: null,
    keys: [secrets.key],
    operations: operations.map((name) => {
      const found = CALLER_OPERATIONS.find((operation) => operation.name === name);
      if (found === undefined) throw new Error(name);
      return found;
    }),
    rate: { calls: 1000, milliseconds: 60_000 },
    perClient: null,
    media: { bytes: 7_340_032, types: [] },
    ...more,
  };
}

/** The header that identifies the caller of {@link caller}. */
export const shown: readonly string[] = ["X-Afterword-Caller-Key", secrets.key];
export const json: readonly string[] = ["Content-Type", "application/json"];

/** The gateways that {@link startCallers} started, until the end of the test that started them. */
export async function openCallers(
  runtime: Runtime,
  options: CallersOptions = {},
): Promise<CallersBench> {
  const bench = await startCallers(runtime, options);
  onTestFinished(() => bench.close());
  return bench;
}

/**
 * A gateway with callers on a runtime, in front of an upstream with a login, discovery and three
 * products.
 */
export async function startCallers(
  runtime: Runtime,
  options: CallersOptions = {},
): Promise<CallersBench> {
  let issued = 0;
  const upstream: ScriptedUpstream = await startScriptedUpstream({
    async handler(request) {
      return (await options.answer?.(request)) ?? usual(request);
    },
  });
  function usual({ target }: RecordedRequest): ScriptedAnswer {
    if (target === "/v1/auth" || target === "/v1/refreshToken") {
      const token = { accessToken: `${secrets.tokens}-${++issued}`, expires_in: 1200 };
      return { headers: json, body: JSON.stringify(token) };
    }
    if (target === "/v1/apis") {
      const apis = { ticketing: `${upstream.origin}/t`, knowledge: `${upstream.origin}/k` };
      return { headers: json, body: JSON.stringify({ apis }) };
    }
    return { headers: json, body: '{"uuid":7}' };
  }
  const addresses = {
    auth: upstream.origin,
    chat: `${upstream.origin}/c`,
    apis: {},
    allow: [],
    keyHeader: "x-vendor-key",
    timeouts: { connect: 60_000, headers: 60_000, total: 60_000, idle: 60_000 },
    ...options.upstream,
  };
  const data = await mkdtemp(join(tmpdir(), "afterword-callers-"));
  const credentials = {
    apiKey: secrets.apiKey,
    secret: secrets.secret,
    chatApp: "app-of-the-instance",
    chatSecret: secrets.chatSecret,
    room: null,
  };
  const base = config(tables({ en: {} }), {
    data,
    upstream: addresses,
    instances: [
      instance({ upstream: addresses, credentials, ...options.instance }),
      ...(options.more ?? []),
    ],
    callers: options.callers ?? [caller(["ticketing.createTicket"])],
    ...options.config,
  });
  const logs: LogLine[] = [];
  const log: Platform["log"] = (level, event, fields = {}) =>
    void logs.push({ level, event, fields });
  const running =
    runtime === "node" ? await onNode(base, options, log) : onTheWeb(base, options, log);
  return {
    upstream,
    logs,
    port: running.port,
    ask: running.ask,
    products: () => upstream.requests.filter(({ target }) => !target.startsWith("/v1/")),
    logins: () => upstream.requests.filter(({ target }) => target === "/v1/auth").length,
    metrics: running.metrics,
    swap: (more) => running.swap({ ...base, ...more }),
    async close() {
      await Promise.all([running.close(), upstream.close()]);
      await rm(data, { recursive: true, force: true });
    },
  };
}

type BenchGateway = Pick<CallersBench, "ask" | "metrics" | "port" | "close"> & {
  swap(config: Config): void;
};

async function onNode(
  base: Config,
  options: CallersOptions,
  log: Platform["log"],
): Promise<BenchGateway> {
  const running = await serve({
    config: base,
    host: "127.0.0.1",
    port: 0,
    env: options.env ?? {},
    log,
  });
  return {
    port: running.port,
    metrics: () => running.gateway.metrics.text(),
    swap: (next) => running.swap(next),
    close: () => running.close(),
    async ask(target, { method = "GET", headers = [], body } = {}) {
      const bytes = bodyBytes(body);
      const lines = [`${method} ${target} HTTP/1.1`, "Host: gateway.test"];
      for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`);
      if (bytes !== null) lines.push(`Content-Length: ${bytes.length}`);
      const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
      const answer = await rawRequest(running.port, Buffer.concat([head, bytes ?? Buffer.of()]));
      const fields = [...answer.headers, ...answer.trailers];
      return toClientAnswer(answer, fields, Buffer.from(answer.body).toString("utf8"));
    },
  };
}

function onTheWeb(base: Config, options: CallersOptions, log: Platform["log"]): BenchGateway {
  const gateway = createWebGateway(
    {
      config: base,
      routeKeys: ["a text of at least sixteen characters"],
      disabled: options.env?.["AFTERWORD_DISABLE"] === "1",
      platform: { log, ...options.platform },
    },
    { callers: withCallers(loadJwtCheck) },
  );
  return {
    port: 0,
    metrics: () => gateway.metrics.text(),
    swap: (next) => gateway.swap(next),
    close: () => Promise.resolve(),
    async ask(target, { method = "GET", headers = [], body } = {}) {
      const fields = new Headers();
      for (let i = 0; i + 1 < headers.length; i += 2) {
        fields.append(headers[i] ?? "", headers[i + 1] ?? "");
      }
      const bytes = bodyBytes(body);
      const answer = await gateway.app.request(`http://gateway.test${target}`, {
        method,
        headers: fields,
        ...(bytes === null ? {} : { body: Uint8Array.from(bytes) }),
      });
      const reason = answer.statusText;
      return toClientAnswer(
        { status: answer.status, reason },
        [...answer.headers].flat(),
        await answer.text(),
      );
    },
  };
}

function bodyBytes(body: Ask["body"]): Uint8Array | null {
  if (body === undefined) return null;
  return typeof body === "string" ? new TextEncoder().encode(body) : body;
}

function toClientAnswer(
  { status, reason }: Pick<ClientAnswer, "status" | "reason">,
  headers: readonly string[],
  text: string,
): ClientAnswer {
  return {
    status,
    reason,
    headers,
    text,
    field: (name) => {
      const values = fieldValues(headers, name);
      return values.length === 0 ? null : values.join(", ");
    },
  };
}

/** Returns a request's field with this name, or null. */
export function carried(request: RecordedRequest | undefined, name: string): string | null {
  const values = request === undefined ? [] : fieldValues(request.headers, name);
  return values.length === 0 ? null : values.join(", ");
}
