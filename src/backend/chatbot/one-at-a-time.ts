/**
 * Runs what concerns the same key one after the other, in the order it came, so that two messages
 * sent at once on one session don't overwrite what the other one changed. Different keys don't wait
 * for each other.
 */
export function oneAtATime(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const tails = new Map<string, Promise<unknown>>();
  return async function inTurn(key, work) {
    const before = tails.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    // The next in line waits for this one whatever becomes of it; whoever asked for it sees its
    // failure.
    const settled = mine.catch(() => undefined);
    tails.set(key, settled);
    try {
      return await mine;
    } finally {
      if (tails.get(key) === settled) tails.delete(key);
    }
  };
}
