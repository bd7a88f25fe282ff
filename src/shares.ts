/**
 * Bytes that one process may hold of request bodies, of all clients and interfaces
 * (`limits.heldBytes`).
 */
export interface ByteBudget {
  readonly held: number;
  /**
   * False: so many more are too many, in all or of this client, and nothing was taken.
   *
   * @param client whose share is used (`limitedNetwork`): a quarter of the bytes. Null: nobody's
   */
  take(bytes: number, client: string | null): boolean;
  give(bytes: number, client: string | null): void;
}

/** Where nobody says how many: 256 MiB. */
export const heldBytesByDefault = 268_435_456;

export function createByteBudget(limit: () => number = () => heldBytesByDefault): ByteBudget {
  let held = 0;
  /** What each client holds. Who holds nothing is not in it. */
  const shares = new Map<string, number>();
  return {
    get held() {
      return held;
    },
    take(bytes, client) {
      if (held + bytes > limit()) return false;
      if (client !== null) {
        const share = (shares.get(client) ?? 0) + bytes;
        if (share > limit() / 4) return false;
        shares.set(client, share);
      }
      held += bytes;
      return true;
    },
    give(bytes, client) {
      held -= bytes;
      if (client === null) return;
      const left = (shares.get(client) ?? 0) - bytes;
      if (left > 0) shares.set(client, left);
      else shares.delete(client);
    },
  };
}
