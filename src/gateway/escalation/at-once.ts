/**
 * Joins what is asked for while the same is under way: one piece of work of a key for all of a
 * process.
 */
export interface AtOnce<Value> {
  join(key: string, work: () => Promise<Value>): Promise<Value>;
  /** Resolves when what is under way now has ended. */
  idle(): Promise<unknown>;
}

export function createAtOnce<Value>(): AtOnce<Value> {
  const underWay = new Map<string, Promise<Value>>();
  return {
    join(key, work) {
      const known = underWay.get(key);
      if (known !== undefined) return known;
      const mine = work().finally(() => underWay.delete(key));
      underWay.set(key, mine);
      return mine;
    },
    idle: () => Promise.allSettled(underWay.values()),
  };
}
