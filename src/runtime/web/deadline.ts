import type { UpstreamRequest } from "../../gateway/transport.ts";
import type { Deadline, TimeoutName } from "../../http/deadline.ts";

/**
 * A deadline with a timer of its own. Until the head, `connect + headers` without a byte is too
 * long (an upload that moves does not run into it); after it, `idle`; and `total` is for the whole.
 * Milliseconds; 0 is none, and no `headers` means none for connecting either, because `fetch` does
 * not say when it has connected. `expired` is called at most once.
 */
export function startDeadline(
  limits: UpstreamRequest["timeouts"],
  expired: (name: TimeoutName) => void,
): Deadline {
  const started = performance.now();
  const beforeHead = limits.headers === 0 ? 0 : limits.connect + limits.headers;
  let quiet: "headers" | "idle" = "headers";
  let last = started;
  let paused = false;
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let armedFor = Number.POSITIVE_INFINITY;

  arm();
  return {
    touch() {
      last = performance.now();
    },
    answered() {
      quiet = "idle";
      restart();
    },
    pause() {
      paused = true;
    },
    resume() {
      if (paused) restart();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };

  function restart(): void {
    last = performance.now();
    paused = false;
    arm();
  }

  function arm(): void {
    const due = Math.min(totalEnd(), quietEnd());
    // A timer that comes too early looks for itself when the next one is due.
    if (stopped || due >= armedFor) return;
    clearTimeout(timer);
    armedFor = due;
    timer = setTimeout(check, Math.max(1, Math.ceil(due - performance.now())));
  }

  function check(): void {
    const now = performance.now();
    armedFor = Number.POSITIVE_INFINITY;
    if (now >= totalEnd()) expired("total");
    else if (now >= quietEnd()) expired(quiet);
    else arm();
  }

  function totalEnd(): number {
    return limits.total === 0 ? Number.POSITIVE_INFINITY : started + limits.total;
  }

  function quietEnd(): number {
    const limit = quiet === "headers" ? beforeHead : limits.idle;
    return paused || limit === 0 ? Number.POSITIVE_INFINITY : last + limit;
  }
}
