import type { Timeouts } from "./types.ts";

export type Limit = "headers" | "idle" | "total";

/**
 * The time limits of an exchange. Until the answer's head, `headers` without a byte is too long (an
 * upload that moves does not run into it); after it, `idle`; and `total` is for the whole.
 *
 * Activity only notes the time: a timer that comes too early is set again.
 */
export class Deadline {
  readonly #limits: Omit<Timeouts, "connect">;
  readonly #expired: (limit: Limit) => void;
  readonly #end: number;
  #quiet: "headers" | "idle" = "headers";
  #last = performance.now();
  #isPaused = false;
  #isStopped = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = Infinity;

  /** @param expired called at most once, and not after `stop` */
  constructor(limits: Omit<Timeouts, "connect">, expired: (limit: Limit) => void) {
    this.#limits = limits;
    this.#expired = expired;
    this.#end = limits.total > 0 ? this.#last + limits.total : Infinity;
    this.#arm(this.#last);
  }

  /** A byte of the request went out, or one of the answer came in. */
  touch(): void {
    this.#last = performance.now();
  }

  /** The answer's head is here. */
  answered(): void {
    this.#quiet = "idle";
    this.#restart();
  }

  /** The client reads slowly: the silence is our own doing. */
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
    this.#last = performance.now();
    this.#arm(this.#last);
  }

  #quietEnd(): number {
    const limit = this.#limits[this.#quiet];
    return this.#isPaused || limit === 0 ? Infinity : this.#last + limit;
  }

  /** A timer is only ever set for an earlier time. It does not keep the process. */
  #arm(now: number): void {
    const due = Math.min(this.#end, this.#quietEnd());
    if (this.#isStopped || due >= this.#due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => this.#look(), Math.max(1, Math.ceil(due - now)));
    // In Workers it is a number.
    this.#timer.unref?.();
  }

  #look(): void {
    const now = performance.now();
    this.#due = Infinity;
    if (now >= this.#end) this.#expire("total");
    else if (now >= this.#quietEnd()) this.#expire(this.#quiet);
    else this.#arm(now);
  }

  #expire(limit: Limit): void {
    this.stop();
    this.#expired(limit);
  }
}
