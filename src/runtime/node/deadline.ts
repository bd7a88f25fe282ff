import type { UpstreamRequest } from "../../gateway/transport.ts";

export type TimeoutName = "headers" | "idle" | "total";

/** The time limits of one exchange, on one timer. Activity only notes the time, so that a chunk costs no timer call. */
export interface Deadline {
  /** A byte of the request went out, or one of the answer came in. */
  touch(): void;
  /** The answer's head is here: from now on `idle` counts instead of `headers`. */
  answered(): void;
  /** The client reads slowly; the upstream's silence is our own doing. */
  pause(): void;
  resume(): void;
  stop(): void;
}

/**
 * `headers` is the time without a byte until the answer's head (an upload that moves does not run into it), `idle` the same
 * after it, `total` the whole. Milliseconds; 0 is none. `expired` is called at most once. Never keeps the process alive.
 */
export function startDeadline(
  limits: UpstreamRequest["timeouts"],
  expired: (name: TimeoutName) => void,
): Deadline {
  const end = limits.total > 0 ? performance.now() + limits.total : Number.POSITIVE_INFINITY;
  let last = performance.now();
  let quiet: "headers" | "idle" = "headers";
  let paused = false;
  let timer: NodeJS.Timeout | null = null;
  let armedFor = Number.POSITIVE_INFINITY;

  const quietEnd = (): number =>
    paused || limits[quiet] === 0 ? Number.POSITIVE_INFINITY : last + limits[quiet];

  /** Only ever moves the timer forward in time; one that fires too early arms itself again. */
  const arm = (): void => {
    const due = Math.min(end, quietEnd());
    if (due >= armedFor || due === Number.POSITIVE_INFINITY) return;
    if (timer !== null) clearTimeout(timer);
    armedFor = due;
    timer = setTimeout(fire, Math.max(1, Math.ceil(due - performance.now()))).unref();
  };

  const fire = (): void => {
    timer = null;
    armedFor = Number.POSITIVE_INFINITY;
    const now = performance.now();
    if (now >= end) expired("total");
    else if (now >= quietEnd()) expired(quiet);
    else arm();
  };

  arm();
  return {
    touch() {
      last = performance.now();
    },
    answered() {
      last = performance.now();
      quiet = "idle";
      arm();
    },
    pause() {
      paused = true;
    },
    resume() {
      paused = false;
      last = performance.now();
      arm();
    },
    stop() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      // Nothing arms it again.
      armedFor = Number.NEGATIVE_INFINITY;
    },
  };
}
