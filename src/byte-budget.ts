/** Bytes that one process may hold of request bodies, of all clients and interfaces (`limits.heldBytes`). */
export interface ByteBudget {
  readonly held: number;
  /** False: so many more are too many, and nothing was taken. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

/** Where nobody says how many: 256 MiB. */
export const heldBytesByDefault = 268_435_456;

export function createByteBudget(limit: () => number = () => heldBytesByDefault): ByteBudget {
  let held = 0;
  return {
    get held() {
      return held;
    },
    take(bytes) {
      if (held + bytes > limit()) return false;
      held += bytes;
      return true;
    },
    give(bytes) {
      held -= bytes;
    },
  };
}
