import { closeSync, openSync } from "node:fs";

/** Waits for SIGTERM or SIGINT, then stops gracefully. A second signal ends the process at once. */
export async function untilStopped(stop: () => Promise<void>): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve());
  });
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => process.exit(1));
  await stop();
}

/** Calls `reload` at SIGHUP. If the terminal was closed, the process stops gracefully instead. */
export function onHangup(reload: () => void): void {
  const startedInTerminal = hasTerminal();
  let closed = false;
  process.on("SIGHUP", () => {
    if (closed) return;
    closed = startedInTerminal && !hasTerminal();
    if (closed) process.kill(process.pid, "SIGTERM");
    else reload();
  });
}

/** A terminal that was hung up cannot be opened any more. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}
