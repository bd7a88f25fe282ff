/** Does one piece of work of a key after the other. */
export type InTurn = <Value>(key: string, work: () => Promise<Value>) => Promise<Value>;

export function createInTurn(): InTurn {
  const turns = new Map<string, Promise<void>>();
  return async (key, work) => {
    const before = turns.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    const ended = mine.then(
      () => undefined,
      () => undefined,
    );
    turns.set(key, ended);
    try {
      return await mine;
    } finally {
      if (turns.get(key) === ended) turns.delete(key);
    }
  };
}
