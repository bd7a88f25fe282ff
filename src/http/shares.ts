/** The share of each client in something that all use. */
export interface Shares {
  /** False, nothing taken, when the client would exceed `most`. Null (no client) has no limit. */
  take(client: string | null, amount: number, most: number): boolean;
  give(client: string | null, amount: number): void;
}

export function createShares(): Shares {
  /** Clients that have taken nothing are not listed. */
  const shares = new Map<string, number>();
  return {
    take(client, amount, most) {
      if (client === null) return true;
      const share = (shares.get(client) ?? 0) + amount;
      if (share > most) return false;
      shares.set(client, share);
      return true;
    },
    give(client, amount) {
      if (client === null) return;
      const left = (shares.get(client) ?? 0) - amount;
      if (left > 0) shares.set(client, left);
      else shares.delete(client);
    },
  };
}

/** Bytes of request bodies that a process may hold, over all interfaces (`limits.heldBytes`). */
export interface ByteBudget {
  readonly held: number;
  /**
   * False: so many more are too many, in all or of this client, and nothing was taken.
   *
   * @param client whose share is used: a quarter of the bytes. Null: nobody's
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
