import type { Timeouts } from "./types.ts";

/**
 * Enforces the time limits of an exchange. `headers` limits the silence before the answer's head (an
 * upload that progresses is not silent), `idle` the silence after it, and `total` the whole exchange.
 *
 * Activity only records the time; a timer that fires too early is set again.
 */
export class Deadline {
  readonly #limits: Omit<Timeouts, "connect">;
  readonly #expired: (limit: keyof Timeouts) => void;
  readonly #totalEnd: number;
  #silence: "headers" | "idle" = "headers";
  #lastActivity = performance.now();
  #isPaused = false;
  #isStopped = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = Infinity;

  /** @param expired called at most once, and not after `stop` */
  constructor(limits: Omit<Timeouts, "connect">, expired: (limit: keyof Timeouts) => void) {
    this.#limits = limits;
    this.#expired = expired;
    this.#totalEnd = limits.total > 0 ? this.#lastActivity + limits.total : Infinity;
    this.#arm(this.#lastActivity);
  }

  /** Records that bytes were sent or received. */
  touch(): void {
    this.#lastActivity = performance.now();
  }

  /** Records that the answer's head has arrived: `idle` is the limit from now on. */
  answered(): void {
    this.#silence = "idle";
    this.#restart();
  }

  /** Stops counting silence, since the client reads slowly and the upstream is not to blame. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#restart();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #restart(): void {
    this.#lastActivity = performance.now();
    this.#arm(this.#lastActivity);
  }

  #silenceEnd(): number {
    const limit = this.#limits[this.#silence];
    return this.#isPaused || limit === 0 ? Infinity : this.#lastActivity + limit;
  }

  /** Sets the timer, but only to an earlier time than now set. The timer does not keep the process alive. */
  #arm(now: number): void {
    const due = Math.min(this.#totalEnd, this.#silenceEnd());
    if (this.#isStopped || due >= this.#due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => this.#check(), Math.max(1, Math.ceil(due - now)));
    // In Workers a timer is a number.
    this.#timer.unref?.();
  }

  #check(): void {
    const now = performance.now();
    this.#due = Infinity;
    if (now >= this.#totalEnd) this.#expire("total");
    else if (now >= this.#silenceEnd()) this.#expire(this.#silence);
    else this.#arm(now);
  }

  #expire(limit: keyof Timeouts): void {
    this.stop();
    this.#expired(limit);
  }
}
