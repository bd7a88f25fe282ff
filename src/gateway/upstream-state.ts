import type { TransportErrorKind } from "./transport.ts";

/** How the last exchange with an upstream ended, for whoever looks at /_afterword/ready. */
export interface UpstreamState {
  noteAnswer(): void;
  noteFailure(kind: TransportErrorKind): void;
  /** `unused` before the first exchange. Times are ISO 8601. */
  read(): {
    readonly state: "unused" | "answering" | "failing";
    readonly since: string | null;
    readonly failure: string | null;
  };
}

/** @param now milliseconds since the epoch */
export function createUpstreamState(now: () => number): UpstreamState {
  let state: "unused" | "answering" | "failing" = "unused";
  let since: number | null = null;
  let failure: string | null = null;
  return {
    noteAnswer() {
      if (state === "answering") return;
      state = "answering";
      since = now();
      failure = null;
    },
    noteFailure(kind) {
      if (kind === "cancelled" || kind === "too-large") return;
      if (state !== "failing") since = now();
      state = "failing";
      failure = kind;
    },
    read: () => ({ state, since: since === null ? null : new Date(since).toISOString(), failure }),
  };
}
