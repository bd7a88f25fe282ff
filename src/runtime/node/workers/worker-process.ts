import cluster from "node:cluster";
import type { Config } from "../../../config/config.ts";
import { AfterwordError, isAfterwordError } from "../../../errors.ts";
import type { ReloadOutcome } from "../reload/reload.ts";
import { type Running, serve } from "../serve.ts";
import type { GroupStatus } from "./worker-group.ts";
import { type FromWorker, isToWorker, type PackedOutcome, type ToWorker } from "./messages.ts";
import { createMetricsClient } from "./metrics-round.ts";
import { Deserializer, Serializer } from "node:v8";
import { freezeDeep } from "../../../config/json.ts";

export interface WorkerOptions {
  /** From 1. The first one follows the files for all. */
  readonly worker: number;
  /** The configuration file. */
  readonly file: string;
  readonly host: string | null;
  readonly port: number | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Takes the warnings of the configuration. */
  readonly warn: (line: string) => void;
}

/** Milliseconds after the drain in which a worker closes its database and log. */
const closing = 3000;

/** Runs a gateway that the primary configures and controls. Resolves with the exit code. */
export async function runWorker(options: WorkerOptions): Promise<number> {
  const group = joinGroup(options.worker);
  // A terminal signals the whole group, and the primary decides. SIGTERM may mean this process alone.
  for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => undefined);
  // Both sides close the channel. If this process is late, Node reports its own close as an error.
  cluster.worker?.on("error", () => undefined);
  try {
    const { snapshot, workers, adminToken } = await group.started;
    const loadedAt = snapshot === null ? Date.now() : 0;
    const config = snapshot === null ? await load(options, workers) : unpackConfig(snapshot);
    const { env, host, port, file, worker } = options;
    const running = await serve({
      config,
      env,
      group: { ...group, adminToken },
      ...(worker === 1 ? { reload: { file, loadedAt } } : { file }),
      ...(host === null ? {} : { host }),
      ...(port === null ? {} : { port }),
    });
    if (snapshot === null) {
      const found = { found: [], milliseconds: 0 };
      tell({ kind: "reloaded", outcome: pack({ kind: "taken", config, ...found }) });
    }
    const stopsWithin = config.upstream.timeouts.total + 2000 + closing;
    tell({ kind: "listening", url: running.url, adminToken: running.adminToken, stopsWithin });
    await group.obey(running);
    await running.close();
    return 0;
  } catch (error) {
    if (!isAfterwordError(error)) throw error;
    const exitCode = error.code === "argument-invalid" ? 2 : 1;
    tell({ kind: "failed", message: error.message, exitCode });
    return exitCode;
  } finally {
    cluster.worker?.disconnect();
  }
}

async function load(options: WorkerOptions, workers: number): Promise<Config> {
  // The other workers get this one's configuration, so they need not load the parsers.
  const { loadConfig } = await import("../../../config/load/load.ts");
  const config = await loadConfig(options.file, { env: options.env });
  if (config.state.store === "memory") {
    throw new AfterwordError(
      "config-invalid",
      `${options.file}: with ${workers} workers a conversation is answered by any of them, and with state.store: memory none knows what another was told: set state: { store: file } (or a redis:// address), or use one worker`,
    );
  }
  for (const warning of config.warnings) options.warn(`${warning}\n`);
  return config;
}

type Start = Extract<ToWorker, { kind: "start" }>;

function joinGroup(worker: number) {
  const client = createMetricsClient((ask) => tell({ kind: "metrics-wanted", ask }));
  const early: ToWorker[] = [];
  let status: GroupStatus = { answering: worker, listening: 0, of: 0 };
  let act = (message: ToWorker): void => void early.push(message);
  const { promise: started, resolve: begin } = Promise.withResolvers<Start>();
  process.on("message", (message) => {
    if (!isToWorker(message)) return;
    if (message.kind === "start") begin(message);
    else if (message.kind === "group") {
      status = { answering: worker, listening: message.listening, of: message.of };
    } else if (message.kind === "metrics-summed") client.answered(message.ask, message.text);
    else act(message);
  });

  return {
    worker,
    started,
    status: () => status,
    metricsOfAll: (own: () => string) => client.ask(own),
    decided: (outcome: ReloadOutcome) => tell({ kind: "reloaded", outcome: pack(outcome) }),
    /** Follows the primary's messages. Resolves when this process is to stop. */
    obey: (running: Running) =>
      new Promise<void>((stop) => {
        process.once("SIGTERM", () => stop());
        act = (message) => {
          if (message.kind === "stop") stop();
          else if (message.kind === "reload") void running.reload();
          else if (message.kind === "follow") running.follow(unpack(message.outcome));
          else if (message.kind === "metrics-asked") {
            const text = running.gateway.metrics.text();
            tell({ kind: "metrics", ask: message.ask, text });
          }
        };
        early.splice(0).forEach(act);
      }),
  };
}

function pack(outcome: ReloadOutcome): PackedOutcome {
  if (outcome.kind === "refused") return outcome;
  const { kind, config, found, milliseconds } = outcome;
  return { kind, snapshot: packConfig(config), found, milliseconds };
}

function unpack(outcome: PackedOutcome): ReloadOutcome {
  if (outcome.kind === "refused") return outcome;
  const { kind, snapshot, found, milliseconds } = outcome;
  return { kind, config: unpackConfig(snapshot), found, milliseconds };
}

/** Sends a message to the primary. If it is gone, this process ends as well. */
function tell(message: FromWorker): void {
  process.send?.(message, undefined, undefined, () => undefined);
}

/** A configuration's bytes for another process; `v8.serialize` would copy a buffer per view. */
export function packConfig(config: Config): Uint8Array {
  const serializer = new Serializer();
  serializer.writeHeader();
  serializer.writeValue(config);
  return serializer.releaseBuffer();
}

/** @throws Error when the bytes are not from {@link packConfig} */
export function unpackConfig(bytes: Uint8Array): Config {
  const deserializer = new Deserializer(bytes);
  deserializer.readHeader();
  const config: unknown = deserializer.readValue();
  if (!isConfig(config)) throw new Error("these bytes are no configuration");
  return freezeDeep(config);
}

/** Two fields are enough, since this program wrote the bytes itself. */
function isConfig(value: unknown): value is Config {
  return typeof value === "object" && value !== null && "hash" in value && "instances" in value;
}
