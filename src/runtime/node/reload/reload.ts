import { resolve } from "node:path";
import type { Config } from "../../../config/config.ts";
import type { Diagnostic } from "../../../yaml/diagnostic.ts";
import type { LoadOptions } from "../../../config/load/load.ts";
import type { Metrics } from "../../../gateway/exchange/metrics.ts";
import type { Logger } from "../../../gateway/exchange/platform.ts";
import {
  type HotReload,
  reloadTiming,
  type ReloadTiming,
  startHotReload,
} from "../../../config/reload/hot-reload.ts";
import { type ConfigLoad, loadConfigInThread } from "./config-thread.ts";
import { createReloadRecord, type ReloadState } from "./reload-record.ts";
import { startedWith } from "./restart-needed.ts";

/** The configuration that a running gateway follows. */
export interface ReloadSource extends LoadOptions {
  /** The file that the configuration was loaded from. */
  readonly file: string;
  /**
   * When that load began, in milliseconds since the epoch: files that changed later are read again.
   * Default: files are read again only if they change from now on.
   */
  readonly loadedAt?: number;
}

export interface ReloadParts extends ReloadSource {
  /** The configuration in force, as it was loaded. */
  readonly config: Config;
  /** Puts another configuration in force. If it throws, the old one stays. */
  readonly take: (config: Config) => void;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Called with the outcome of every reload. */
  readonly decided?: (outcome: ReloadOutcome) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly timing?: ReloadTiming;
}

/** The outcome of a reload: the new configuration is in force, or it was refused. */
export type ReloadOutcome =
  | {
      readonly kind: "taken";
      readonly config: Config;
      readonly found: readonly Diagnostic[];
      readonly milliseconds: number;
    }
  | { readonly kind: "refused"; readonly found: readonly Diagnostic[] };

export interface Reloader extends HotReload {
  state(everything: boolean): ReloadState;
}

/**
 * Lets a running gateway follow its files with {@link startHotReload}. The files are loaded,
 * validated and put in force together. If they have an error, the last good configuration stays.
 *
 * @example
 * const take = (next: Config) => gateway.swap(next);
 * const reloader = startReload({ file, config, take, log, metrics, now: Date.now });
 * process.on("SIGHUP", () => void reloader.reload());
 */
export function startReload(parts: ReloadParts): Reloader {
  const { file, loadedAt, config, take, log, metrics, now, timing, decided, ...options } = parts;
  const call = { file: resolve(file), options, started: startedWith(config) };
  const record = createReloadRecord({ log, metrics, now, config });
  let sources = config.sources;
  const hotReload = startHotReload<ConfigLoad>({
    sources: () => sources,
    async load() {
      const loaded = await loadConfigInThread(call);
      // A refused load may have failed before it read the messages.
      const kept = loaded.config === null ? sources : [];
      sources = [...new Set([...kept, ...loaded.sources])];
      return loaded;
    },
    decide({ config: next, diagnostics: found }, milliseconds) {
      if (next === null) {
        record.refused(found);
        decided?.({ kind: "refused", found });
        return;
      }
      take(next);
      record.taken(next, found, milliseconds);
      decided?.({ kind: "taken", config: next, found, milliseconds });
    },
    failed: (error) => record.broke(error),
    unwatched: (reason) =>
      log("info", "watch-unavailable", {
        reason,
        instead: `polling every ${(timing ?? reloadTiming).poll} ms`,
      }),
    loaded: { at: loadedAt ?? Infinity },
    now,
    timing,
  });
  return {
    reload: () => hotReload.reload(),
    state: (everything) => record.state(everything),
    close: () => hotReload.close(),
  };
}
