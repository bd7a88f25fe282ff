import type { Diagnostic } from "../../../yaml/diagnostic.ts";

/** A message from a worker to the primary. */
export type FromWorker =
  | {
      readonly kind: "listening";
      readonly url: string;
      /** The token of `start` if it opens the admin routes; else null. */
      readonly adminToken: string | null;
      /** Milliseconds that this worker may need to stop in good order. */
      readonly stopsWithin: number;
    }
  | {
      /** Starting failed: the message is one line that says why, and the process ends. */
      readonly kind: "failed";
      readonly message: string;
      readonly exitCode: number;
    }
  | { readonly kind: "reloaded"; readonly outcome: PackedOutcome }
  | { readonly kind: "metrics-wanted"; readonly ask: number }
  | { readonly kind: "metrics"; readonly ask: number; readonly text: string };

/** A message from the primary to a worker. The first is always `start`. */
export type ToWorker =
  | {
      readonly kind: "start";
      /** The configuration in force; null if this worker is the first, and reads the files. */
      readonly snapshot: Uint8Array | null;
      /** Number of workers, for the first one's warnings. */
      readonly workers: number;
      /** Token for the admin routes if none was set. */
      readonly adminToken: string;
    }
  | { readonly kind: "reload" }
  | { readonly kind: "follow"; readonly outcome: PackedOutcome }
  | { readonly kind: "stop" }
  | { readonly kind: "group"; readonly listening: number; readonly of: number }
  | { readonly kind: "metrics-asked"; readonly ask: number }
  | { readonly kind: "metrics-summed"; readonly ask: number; readonly text: string };

/** The result of a reload, in a form that is sent between processes. */
export type PackedOutcome =
  | {
      readonly kind: "taken";
      readonly snapshot: Uint8Array;
      readonly found: readonly Diagnostic[];
      readonly milliseconds: number;
    }
  | { readonly kind: "refused"; readonly found: readonly Diagnostic[] };

/** Checks only the kind, because both ends are this program. */
export function isFromWorker(value: unknown): value is FromWorker {
  return hasKind(value, ["listening", "failed", "reloaded", "metrics-wanted", "metrics"]);
}

export function isToWorker(value: unknown): value is ToWorker {
  return hasKind(value, [
    "start",
    "reload",
    "follow",
    "stop",
    "group",
    "metrics-asked",
    "metrics-summed",
  ]);
}

function hasKind(value: unknown, kinds: readonly string[]): boolean {
  if (typeof value !== "object" || value === null || !("kind" in value)) return false;
  return typeof value.kind === "string" && kinds.includes(value.kind);
}
