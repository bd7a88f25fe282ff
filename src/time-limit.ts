/** What `work` resolves to; once so many milliseconds have passed, what `late` gives or throws. */
export async function within<Value>(
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
export function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  return within(milliseconds, work.then(nothing, nothing), nothing);
}

function nothing(): void {}
