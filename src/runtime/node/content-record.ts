import { basename } from "node:path";
import type { ContentRefusal, ContentTaken } from "../../backend/content/source.ts";
import type { Metrics } from "../../gateway/metrics.ts";
import type { Logger } from "../../gateway/platform.ts";

/** Whether the contents on the disk are in force, as /_afterword/ready shows it. */
export interface ContentState {
  /** `failed`: earlier contents are in force. */
  readonly state: "ok" | "failed";
  /** When that was decided. ISO 8601. */
  readonly at: string;
  /** How many mistakes there are. Absent: none, or they could not be looked at. */
  readonly errors?: number;
  /** The first of them with its place, or why they could not be looked at. */
  readonly detail?: string;
}

/** Reports content changes in the log, and a gateway's metrics and /_afterword/ready. */
export interface ContentRecord {
  readonly contentRefused: (refusal: ContentRefusal) => void;
  readonly contentTaken: (news: ContentTaken) => void;
  countWith(metrics: Metrics): void;
  /** @param everything also paths and messages, which may quote a file */
  state(everything: boolean): ContentState;
}

/** @param now milliseconds since the epoch */
export function createContentRecord(log: Logger, now: () => number): ContentRecord {
  let metrics: Metrics | null = null;
  let at = now();
  let refusal: ContentRefusal | null = null;

  return {
    contentTaken({ contents, mended }) {
      decide(null);
      log("info", "content-reloaded", { contents, mended });
    },
    contentRefused(found) {
      decide(found);
      log("warn", "content-refused", factsOf(found));
    },
    countWith(counters) {
      metrics = counters;
      counters.gauge(
        "afterword_content_reload_failed",
        "1 while changed contents of the embedded backend cannot be used.",
        () => (refusal === null ? 0 : 1),
      );
    },
    state(everything) {
      const decided = new Date(at).toISOString();
      if (refusal === null) return { state: "ok", at: decided };
      return { state: "failed", at: decided, ...(everything ? factsOf(refusal) : hintOf(refusal)) };
    },
  };

  function decide(found: ContentRefusal | null): void {
    at = now();
    refusal = found;
    const result = found === null ? "ok" : "failed";
    metrics?.count("afterword_content_reloads_total", result);
  }
}

function factsOf(refusal: ContentRefusal): { readonly errors: number; readonly detail: string } {
  const errors = errorsIn(refusal);
  const [first] = errors;
  const detail =
    first === undefined
      ? String(refusal.error)
      : `${first.file}:${first.line}:${first.column}: ${first.message}`;
  return { errors: errors.length, detail };
}

function hintOf(refusal: ContentRefusal): { readonly errors: number; readonly detail?: string } {
  const errors = errorsIn(refusal);
  const [first] = errors;
  return {
    errors: errors.length,
    ...(first && { detail: `${basename(first.file)}:${first.line}:${first.column}` }),
  };
}

function errorsIn({ diagnostics }: ContentRefusal): ContentRefusal["diagnostics"] {
  return diagnostics.filter(({ severity }) => severity === "error");
}
