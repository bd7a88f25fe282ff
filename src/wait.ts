/** Resolves after so many milliseconds, or when the signal is aborted. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
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

/** As {@link pause}, and `wake` ends the one that is under way. */
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

/** As {@link pause}, but a process does not stay for it. */
export function pauseIdle(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    // A number where there are no processes.
    if (typeof timer === "object") timer.unref?.();
  });
}

/** Resolves as `work` does; once so many milliseconds have passed, as `late` gives or throws. */
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

/** Resolves when `work` has ended, either way, and at the latest after so many milliseconds. */
export function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  return limitTime(milliseconds, work.then(doNothing, doNothing), doNothing);
}

/**
 * A queue for each key: runs the work of one key one after the other, in the order it came. The
 * next in line runs whatever becomes of the one before it, whose own caller sees the failure.
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
