import { isMainThread, type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { Config } from "../../../config/config.ts";
import type { Diagnostic } from "../../../config/diagnostic.ts";
import type { LoadOptions } from "../../../config/load.ts";
import type { Started } from "./restart-needed.ts";

/**
 * This module, as a worker's first: the thread in which a configuration is loaded while the gateway
 * goes on.
 */
export const configWorker: URL = new URL(import.meta.url);

/** What the worker is started with. */
export interface ConfigWorkerData {
  readonly afterwordConfig: string;
  readonly options: LoadOptions;
  readonly started: Started;
}

/** What a load found; the worker sends one for every message it gets. */
export type ConfigReply =
  | {
      /** Null: there is an error among the diagnostics. */
      readonly config: Config | null;
      readonly diagnostics: readonly Diagnostic[];
      /** Files and directories that were looked at. */
      readonly sources: readonly string[];
    }
  | { readonly failed: string };

if (!isMainThread && parentPort !== null && isOurs(workerData)) serveLoads(parentPort, workerData);

function serveLoads(port: MessagePort, data: ConfigWorkerData): void {
  const reply = (message: ConfigReply): void => port.postMessage(message);
  port.on("message", () => {
    load(data).then(reply, (error: unknown) => reply({ failed: detailOf(error) }));
  });
}

async function load({ afterwordConfig, options, started }: ConfigWorkerData): Promise<ConfigReply> {
  // The thread that only needs this module's address does without the parsers.
  const [{ checkTls }, { createReporter }, { loadAll }, { reportRestartNeeded }] =
    await Promise.all([
      import("../../../config/check-tls.ts"),
      import("../../../config/diagnostic.ts"),
      import("../../../config/load.ts"),
      import("./restart-needed.ts"),
    ]);
  const { config, diagnostics, file, sources } = await loadAll(afterwordConfig, options);
  if (config === null || file === null) return { config: null, diagnostics, sources };
  const reporter = createReporter();
  reportRestartNeeded(started, config, file, reporter);
  await checkTls(config, file, reporter);
  return {
    config: reporter.failed() ? null : config,
    diagnostics: [...diagnostics, ...reporter.diagnostics()],
    sources,
  };
}

function detailOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The thread may be somebody else's worker that merely imports this module. */
function isOurs(data: unknown): data is ConfigWorkerData {
  return typeof data === "object" && data !== null && "afterwordConfig" in data;
}
