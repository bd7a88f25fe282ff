import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  Config,
  InstanceConfig,
  LimitsConfig,
  UpstreamConfig,
} from "../../src/config/config.ts";
import type { LogLevel } from "../../src/gateway/exchange/platform.ts";
import { type Running, serve } from "../../src/runtime/node/serve.ts";
import {
  type ScriptedUpstream,
  type ScriptedUpstreamOptions,
  startScriptedUpstream,
} from "../../src/testing/index.ts";
import { config, instance, tables } from "../fixtures/config.ts";

export interface LogLine {
  readonly level: LogLevel;
  readonly event: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface Bench {
  readonly upstream: ScriptedUpstream;
  readonly running: Running;
  readonly port: number;
  readonly url: string;
  readonly logs: readonly LogLine[];
  /** The metrics text. */
  metrics(): string;
  close(): Promise<void>;
}

export interface BenchOptions extends ScriptedUpstreamOptions {
  readonly upstreamConfig?: Partial<UpstreamConfig>;
  readonly instance?: Partial<InstanceConfig>;
  readonly config?: Partial<Config>;
  readonly limits?: Partial<LimitsConfig>;
  readonly env?: Record<string, string>;
  /** Uses the keys and state in another bench's directory. */
  readonly data?: string;
  /** No base is configured: the chatbot is discovered. */
  readonly discover?: boolean;
  readonly host?: string;
}

/** Texts of the test gateway, which no engine would use. */
export const texts = {
  en: { "no-results": "Nothing found.", welcome: "Welcome!", "related-title": "See also:" },
  fr: { "no-results": "Rien trouvé.", welcome: "Bienvenue !", "related-title": "Voir aussi :" },
};

/** A real gateway on a real port, in front of an upstream whose answers the test sets. */
export async function startBench(options: BenchOptions = {}): Promise<Bench> {
  const upstream = await startScriptedUpstream(options);
  const data = options.data ?? (await mkdtemp(join(tmpdir(), "afterword-test-")));
  const base = config(tables(texts));
  const addresses: UpstreamConfig = {
    auth: upstream.origin,
    chat: null,
    apis: options.discover === true ? {} : { chatbot: `${upstream.origin}/prod/chatbot` },
    allow: [],
    keyHeader: "x-vendor-key",
    // So long that none of them passes on a busy machine: a test that hangs is ended by its own
    // limit.
    timeouts: { connect: 60_000, headers: 60_000, total: 60_000, idle: 60_000 },
    ...options.upstreamConfig,
  };
  const logs: LogLine[] = [];
  const removeData = async (): Promise<void> => {
    if (options.data === undefined) await rm(data, { recursive: true, force: true });
  };
  const running = await serve({
    config: {
      ...base,
      data,
      upstream: addresses,
      instances: [instance({ upstream: addresses, ...options.instance })],
      limits: { ...base.limits, ...options.limits },
      ...options.config,
    },
    host: options.host ?? "127.0.0.1",
    port: 0,
    env: options.env ?? {},
    version: "test",
    log: (level, event, fields = {}) => void logs.push({ level, event, fields }),
  }).catch(async (error: unknown) => {
    await upstream.close();
    await removeData();
    throw error;
  });
  return {
    upstream,
    running,
    port: running.port,
    url: running.url,
    logs,
    metrics: () => running.gateway.metrics.text(),
    async close() {
      await Promise.all([running.close(), upstream.close()]);
      await removeData();
    },
  };
}

/** Runs a test with a bench, and closes it in any case. */
export async function withBench(
  options: BenchOptions,
  test: (bench: Bench) => Promise<void>,
): Promise<void> {
  const bench = await startBench(options);
  try {
    await test(bench);
  } finally {
    await bench.close();
  }
}

/** A request as bytes, with the length of its body. */
export function rawPost(
  target: string,
  body: string | Uint8Array,
  headers: readonly string[] = [],
): Uint8Array {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const lines = [
    `POST ${target} HTTP/1.1`,
    "Host: gateway.test",
    ...headers,
    `Content-Length: ${bytes.length}`,
    "",
    "",
  ];
  return Buffer.concat([Buffer.from(lines.join("\r\n"), "latin1"), bytes]);
}

/** An answer of the engine with one flagged answer. */
export function flagged(
  flag: string,
  text = "Sorry, we could not find any answers to your question.",
): string {
  return JSON.stringify({
    answers: [{ type: "answer", message: text, messageList: [text], flags: [flag], options: null }],
  });
}

export const json: readonly string[] = ["Content-Type", "application/json"];
