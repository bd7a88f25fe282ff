/** A value that is replaced whole, and its listeners; changes in one go are notified once. */
export interface Store<T> {
  readonly get: () => T;
  readonly change: (next: (value: T) => T) => void;
  /** Returns the function that ends it. */
  readonly listen: (listener: () => void) => () => void;
}

export function createStore<T>(start: T): Store<T> {
  let value = start;
  let settled = true;
  const listeners = new Set<() => void>();
  const notify = (): void => {
    settled = true;
    for (const listener of listeners) listener();
  };
  return {
    get: () => value,
    change(next) {
      const changed = next(value);
      if (changed === value) return;
      value = changed;
      if (!settled) return;
      settled = false;
      setTimeout(notify);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
