import type { EscalationStore } from "./store.ts";

export interface RetentionOptions {
  readonly store: EscalationStore;
  /** How long a record is kept after it was last written, in milliseconds. */
  readonly retention: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Names this process among those that share the store. */
  readonly by: string;
  /** Milliseconds between two sweeps. Default 10 minutes. */
  readonly every?: number;
}

/** Removes settled records past the retention at intervals, in one process at a time; retries. */
export function startRetention(options: RetentionOptions): { stop(): void } {
  const { every = 600_000 } = options;
  const timer = setInterval(() => void sweepOnce({ ...options, every }), every);
  // On Node a timer of its own must not keep the process alive.
  if (typeof timer === "object" && "unref" in timer) timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** How many records were removed; null if another process has the lease, or the store fails. */
export async function sweepOnce(
  options: RetentionOptions & { readonly every: number },
): Promise<number | null> {
  const { store, retention, now, by, every } = options;
  try {
    // Held until the others' turn has passed, a little less than the time to its own next turn.
    if (!(await store.claim("retention", by, Math.floor(every * 0.9)))) return null;
    return await store.sweep(now() - retention);
  } catch {
    return null;
  }
}
