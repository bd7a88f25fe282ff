/** A place that can be shut and opened again, and that others wait at while it is shut. */
export interface Valve {
  close(): void;
  open(): void;
  /** Null when open; else a promise of its opening. */
  passed(): Promise<void> | null;
}

export function createValve(): Valve {
  let waiting: PromiseWithResolvers<void> | null = null;
  return {
    close() {
      waiting ??= Promise.withResolvers<void>();
    },
    open() {
      waiting?.resolve();
      waiting = null;
    },
    passed() {
      return waiting?.promise ?? null;
    },
  };
}
