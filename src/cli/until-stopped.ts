/**
 * Waits for SIGTERM or SIGINT, then stops in good order. A second signal ends the process at once,
 * for whoever does not want to wait.
 */
export async function untilStopped(stop: () => Promise<void>): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve());
  });
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => process.exit(1));
  await stop();
}
