import { basename } from "node:path";
import type { Config } from "../../../config/config.ts";
import type { Diagnostic } from "../../../yaml/diagnostic.ts";
import type { Metrics } from "../../../gateway/exchange/metrics.ts";
import type { Logger } from "../../../gateway/exchange/platform.ts";

/** How the last reload ended, as /_afterword/ready tells it. */
export interface ReloadState {
  /** `failed`: the files on the disk are not in force. */
  readonly state: "ok" | "failed";
  /** When they were last read. ISO 8601. */
  readonly at: string;
  /** Hash of the configuration in force. */
  readonly snapshot: string;
  /**
   * The diagnostics that keep it out of force, or wait for a restart; at most {@link maxReported}.
   */
  readonly diagnostics: readonly ReportedDiagnostic[];
  /** How many more there are. */
  readonly omitted?: number;
}

/** The message, which may quote the file, and the whole path are for those who may read metrics. */
export type ReportedDiagnostic = Pick<
  Diagnostic,
  "severity" | "code" | "file" | "line" | "column"
> & {
  readonly message?: string;
};

/** Reports the results of reloads to the log, the metrics and /_afterword/ready. */
export interface ReloadRecord {
  /** `config` is in force now. */
  taken(config: Config, found: readonly Diagnostic[], milliseconds: number): void;
  /** The last good one stays. The same findings again are not logged again. */
  refused(found: readonly Diagnostic[]): void;
  /** A failure that is not in the files, but of a thread or a swap. The last good one stays. */
  broke(error: unknown): void;
  state(everything: boolean): ReloadState;
}

export interface ReloadRecordParts {
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The configuration that the process started with. */
  readonly config: Pick<Config, "hash" | "warnings">;
}

/** Findings of a configuration in force, which are shown until they are corrected. */
const waiting: ReadonlySet<Diagnostic["code"]> = new Set(["restart-needed", "tls-unusable"]);

/** The most diagnostics: later ones mostly follow from the first. */
const maxReported = 20;

export function createReloadRecord({ log, metrics, now, config }: ReloadRecordParts): ReloadRecord {
  let snapshot = config.hash;
  let inForceSince = now();
  let at = inForceSince;
  let failed = false;
  let open: readonly Diagnostic[] = [];
  /** Lines that the log already has, since a repetition would only hide new ones. */
  let inForce: readonly string[] = config.warnings;
  let reported: ReadonlySet<string> = new Set(inForce);

  metrics.gauge("afterword_reload_failed", "1 while the files on the disk cannot be used.", () =>
    failed ? 1 : 0,
  );
  metrics.gauge("afterword_reload_diagnostics", "Findings of the last reload.", () => open.length);
  metrics.gauge(
    "afterword_snapshot_age_seconds",
    "Time since the configuration in force was taken over.",
    () => (now() - inForceSince) / 1000,
  );

  return {
    taken(next, found, milliseconds) {
      metrics.count("afterword_reloads_total", "ok");
      snapshot = next.hash;
      inForceSince = at = now();
      failed = false;
      open = found.filter(({ code }) => waiting.has(code));
      log("info", "reloaded", { snapshot, milliseconds: Math.round(milliseconds) });
      inForce = [];
      tell(found);
      inForce = found.map(lineOf);
    },
    refused(found) {
      metrics.count("afterword_reloads_total", "failed");
      at = now();
      open = found.filter(({ severity }) => severity === "error");
      const again = failed && open.every((diagnostic) => reported.has(lineOf(diagnostic)));
      failed = true;
      if (again) return;
      log("error", "reload-failed", { kept: snapshot, errors: open.length });
      tell(found);
    },
    broke(error) {
      metrics.count("afterword_reloads_total", "failed");
      at = now();
      failed = true;
      open = [];
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      log("error", "internal-error", { route: "reload", detail });
    },
    state(everything) {
      const shown = open.slice(0, maxReported);
      return {
        state: failed ? "failed" : "ok",
        at: new Date(at).toISOString(),
        snapshot,
        diagnostics: shown.map((diagnostic) => toReported(diagnostic, everything)),
        ...(open.length > shown.length ? { omitted: open.length - shown.length } : {}),
      };
    },
  };

  function tell(found: readonly Diagnostic[]): void {
    const fresh = found.filter((diagnostic) => !reported.has(lineOf(diagnostic)));
    reported = new Set([...inForce, ...found.map(lineOf)]);
    for (const { severity, code, file, line, column, message } of fresh.slice(0, maxReported)) {
      const level = severity === "error" ? "error" : "warn";
      log(level, "config-diagnostic", { code, file, line, column, message });
    }
    if (fresh.length > maxReported) {
      log("warn", "config-diagnostics-omitted", { count: fresh.length - maxReported });
    }
  }
}

function toReported(diagnostic: Diagnostic, everything: boolean): ReportedDiagnostic {
  const { severity, code, file, line, column, message } = diagnostic;
  if (everything) return { severity, code, message, file, line, column };
  return { severity, code, file: basename(file), line, column };
}

/** Formats a finding like the warnings of a finished configuration. */
function lineOf({ file, line, column, message }: Diagnostic): string {
  return `${file}:${line}:${column}: ${message}`;
}
