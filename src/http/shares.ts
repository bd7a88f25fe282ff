/** Counts how much of a shared resource each client uses. */
export function createShares() {
  /** Clients that have taken nothing are not listed. */
  const shares = new Map<string, number>();
  return {
    /**
     * Returns false, and takes nothing, when the client would exceed `most`.
     *
     * @param client null for a request without a client, which has no limit
     */
    take(client: string | null, amount: number, most: number): boolean {
      if (client === null) return true;
      const share = (shares.get(client) ?? 0) + amount;
      if (share > most) return false;
      shares.set(client, share);
      return true;
    },
    give(client: string | null, amount: number): void {
      if (client === null) return;
      const left = (shares.get(client) ?? 0) - amount;
      if (left > 0) shares.set(client, left);
      else shares.delete(client);
    },
  };
}

/** Limits the bytes of request bodies that a process holds over all interfaces (`limits.heldBytes`). */
export interface ByteBudget {
  readonly held: number;
  /**
   * Returns false, and takes nothing, when the process or the client would hold too much.
   *
   * @param client may hold a quarter of the bytes; null if only the process's limit counts
   */
  take(bytes: number, client: string | null): boolean;
  give(bytes: number, client: string | null): void;
}

export function createByteBudget(limit: () => number): ByteBudget {
  const shares = createShares();
  let held = 0;
  return {
    get held() {
      return held;
    },
    take(bytes, client) {
      if (held + bytes > limit() || !shares.take(client, bytes, limit() / 4)) return false;
      held += bytes;
      return true;
    },
    give(bytes, client) {
      held -= bytes;
      shares.give(client, bytes);
    },
  };
}
