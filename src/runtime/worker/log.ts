import type { Logger, LogLevel } from "../../gateway/platform.ts";

const ranks: Readonly<Record<string, number>> = { silent: 0, error: 1, warn: 2, info: 3, debug: 4 };

/**
 * One JSON object per line, as Workers Logs index them. The runtime adds the time.
 *
 * @param threshold as AFTERWORD_LOG; anything unknown is `info`
 */
export function createWorkerLog(threshold: string): {
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
