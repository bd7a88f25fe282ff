/** Resolves after this many milliseconds, or once the signal is aborted. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    signal?.addEventListener("abort", finish, { once: true });
  });
}

/** Creates a {@link pause} that `wake` ends. Without a pause, `wake` does nothing. */
export function createWakeablePause(): {
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly wake: () => void;
} {
  let current: AbortController | null = null;
  return {
    pause(milliseconds) {
      current = new AbortController();
      return pause(milliseconds, current.signal);
    },
    wake: () => current?.abort(),
  };
}

/** Like {@link pause}, but without keeping the process alive. */
export function pauseIdle(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    // On platforms without processes, the timer is a number.
    if (typeof timer === "object") timer.unref?.();
  });
}

/** Settles like `work` or, after this many milliseconds, with the result or error of `late`. */
export async function limitTime<Value>(
  milliseconds: number,
  work: Promise<Value>,
  late: () => Value,
): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  try {
    return await Promise.race([work, passed.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Resolves when `work` has ended, successfully or not, but after this many milliseconds at the
 * latest.
 */
export function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  return limitTime(milliseconds, work.then(doNothing, doNothing), doNothing);
}

/**
 * Creates a queue for each key: work of one key runs one after the other, in order. The next work
 * runs even if the one before it failed; the caller of that one sees the failure.
 */
export function createKeyedQueue(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const tails = new Map<string, Promise<unknown>>();
  return async function inTurn(key, work) {
    const mine = (tails.get(key) ?? Promise.resolve()).then(work);
    const settled = mine.then(doNothing, doNothing);
    tails.set(key, settled);
    try {
      return await mine;
    } finally {
      if (tails.get(key) === settled) tails.delete(key);
    }
  };
}

function doNothing(): void {}
