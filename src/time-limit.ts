/** Resolves when `work` has ended, either way, and at the latest after so many milliseconds. */
export async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  const ended = work.then(
    () => undefined,
    () => undefined,
  );
  await Promise.race([ended, late]);
  clearTimeout(timer);
}
