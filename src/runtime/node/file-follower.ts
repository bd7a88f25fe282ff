import type { Config } from "../../config/config.ts";
import type { Metrics } from "../../gateway/exchange/metrics.ts";
import type { Logger } from "../../gateway/exchange/platform.ts";
import { finishWriting } from "./console/lazy-console.ts";
import type { WorkerGroup } from "./workers/worker-group.ts";
import { createReloadRecord, type ReloadRecord, type ReloadState } from "./reload/reload-record.ts";
import {
  type Reloader,
  type ReloadOutcome,
  type ReloadSource,
  startReload,
} from "./reload/reload.ts";
import { pause } from "../../wait.ts";

export interface FileFollowerOptions {
  readonly config: Config;
  /** The files that this process reads again. Default: nothing. */
  readonly reload?: ReloadSource;
  /** The file of `config`, if another process of the group follows it. */
  readonly file?: string;
  readonly group?: WorkerGroup;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly swap: (config: Config) => void;
}

/**
 * Keeps a process in step with its files: it reads them, or is notified by the process that reads
 * them for all.
 */
export function createFileFollower(options: FileFollowerOptions) {
  const { config, reload: source, file, group, env, log, metrics, swap } = options;
  let reloader: Reloader | null = null;
  let followed: ReloadRecord | null = null;
  const files = source ?? (file === undefined ? null : { file });
  const look = async (): Promise<ReloadState | null> => {
    // The process that follows the files notices the changes itself.
    await (reloader?.reload() ?? pause(100));
    return (reloader ?? followed)?.state(true) ?? null;
  };
  return {
    /** For the console; null if nobody knows which files the configuration came from. */
    source: files && { files, look },
    /** Finishes publications that were cut off, then watches the files. */
    async start() {
      if (source === undefined) {
        if (group) followed = createSilentRecord(config, metrics);
        return;
      }
      const left = await finishWriting(source.file, config.data);
      const decided = group && ((outcome: ReloadOutcome) => group.decided(outcome));
      const told = decided && { decided };
      const parts = { env, ...source, config, take: swap, log, metrics, now: Date.now, ...told };
      reloader = startReload(parts);
      if (left === 0) return;
      log("warn", "publication-finished", { count: left });
      await reloader.reload();
    },
    /** Reads the files again; resolves when decided. */
    reload: async () => reloader?.reload(),
    /** Takes over the decision of the process that reads the files. */
    follow(outcome: ReloadOutcome): void {
      if (outcome.kind === "refused") return followed?.refused(outcome.found);
      swap(outcome.config);
      followed?.taken(outcome.config, outcome.found, outcome.milliseconds);
    },
    /** The row of /_afterword/ready. */
    details(everything: boolean): { readonly reload?: ReloadState } {
      const reload = (reloader ?? followed)?.state(everything);
      return reload === undefined ? {} : { reload };
    },
    close: async () => reloader?.close(),
  };
}

/** Another process counts and logs its reloads; this one shows them in /ready and gauges. */
function createSilentRecord(config: Config, metrics: Metrics): ReloadRecord {
  return createReloadRecord({
    config,
    log: () => undefined,
    metrics: { ...metrics, count: () => undefined },
    now: Date.now,
  });
}
