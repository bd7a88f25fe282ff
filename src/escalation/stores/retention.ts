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

/** Removes settled records past the retention. One process at a time does it, at intervals. */
export function startRetention(options: RetentionOptions): { stop(): void } {
  const { every = 600_000 } = options;
  const timer = setInterval(() => void sweepOnce({ ...options, every }), every);
  // On Node, this timer must not keep the process alive.
  if (typeof timer === "object" && "unref" in timer) timer.unref();
  return { stop: () => clearInterval(timer) };
}

/**
 * Returns the number of removed records; null if another process has the lease, or the store fails.
 */
export async function sweepOnce(
  options: RetentionOptions & { readonly every: number },
): Promise<number | null> {
  const { store, retention, now, by, every } = options;
  try {
    // The lease ends a little before this process's next sweep. Until then, the others skip theirs.
    if (!(await store.claim("retention", by, Math.floor(every * 0.9)))) return null;
    return await store.sweep(now() - retention);
  } catch {
    return null;
  }
}
