/**
 * Calls `sweep` again and again, never twice at once, and does not keep the process alive for it. A
 * sweep that fails is told to `failed`; the next one comes all the same.
 *
 * @param every milliseconds between the end of one and the beginning of the next
 * @returns ends it, after the sweep that may be under way
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
