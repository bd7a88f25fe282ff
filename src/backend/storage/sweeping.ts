/**
 * Calls `sweep` repeatedly, one call at a time, without keeping the process alive. The error of a
 * sweep goes to `failed`, and the next sweep comes as usual.
 *
 * @param every milliseconds between the end of a sweep and the beginning of the next
 * @returns a function that ends it, and resolves after a sweep that is under way
 */
export function keepSweeping(
  sweep: () => Promise<void>,
  every: number,
  failed: (error: unknown) => void,
): () => Promise<void> {
  let underWay = Promise.resolve();
  let ended = false;
  let timer = setTimeout(run, every).unref();
  return () => {
    ended = true;
    clearTimeout(timer);
    return underWay;
  };

  function run(): void {
    underWay = sweepOnce();
  }

  async function sweepOnce(): Promise<void> {
    try {
      await sweep();
    } catch (error) {
      failed(error);
    }
    if (!ended) timer = setTimeout(run, every).unref();
  }
}
