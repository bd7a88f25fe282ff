import type { Timeouts } from "./types.ts";

export type Limit = "headers" | "idle" | "total";

type Limits = Omit<Timeouts, "connect">;

/**
 * The time limits of an exchange. Until the answer's head, `headers` without a byte is too long (an
 * upload that moves does not run into it); after it, `idle`; and `total` is for the whole.
 *
 * One serves the exchanges of a connection one after the other, and its timer stays: to set and
 * clear one for each took some 1 us in a CPU profile. Activity, too, only notes the time. A timer
 * that comes too early is set again.
 */
export class Deadline {
  #limits = unlimited;
  #expired: (limit: Limit) => void = ignore;
  #end = Infinity;
  #quiet: "headers" | "idle" = "headers";
  #last = 0;
  #paused = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = Infinity;

  /** @param expired called at most once, and not after `stop` */
  start(limits: Limits, expired: (limit: Limit) => void): void {
    const now = performance.now();
    this.#limits = limits;
    this.#expired = expired;
    this.#end = limits.total > 0 ? now + limits.total : Infinity;
    this.#quiet = "headers";
    this.#last = now;
    this.#paused = false;
    this.#arm(now);
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
    this.#paused = true;
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#restart();
  }

  /** Nothing is limited until the next start. */
  stop(): void {
    this.#limits = unlimited;
    this.#end = Infinity;
    // It may be long until the next one: nothing of this exchange is held.
    this.#expired = ignore;
  }

  /** Nothing is started any more: the timer goes too. */
  close(): void {
    this.stop();
    clearTimeout(this.#timer);
  }

  #restart(): void {
    this.#last = performance.now();
    this.#arm(this.#last);
  }

  #quietEnd(): number {
    const limit = this.#limits[this.#quiet];
    return this.#paused || limit === 0 ? Infinity : this.#last + limit;
  }

  /** A timer is only ever set for an earlier time. It does not keep the process. */
  #arm(now: number): void {
    const due = Math.min(this.#end, this.#quietEnd());
    if (due >= this.#due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(look, Math.max(1, Math.ceil(due - now)), this);
    // In Workers it is a number.
    this.#timer.unref?.();
  }

  /** Called by the timer. */
  look(): void {
    const now = performance.now();
    this.#due = Infinity;
    if (now >= this.#end) this.#expire("total");
    else if (now >= this.#quietEnd()) this.#expire(this.#quiet);
    else this.#arm(now);
  }

  #expire(limit: Limit): void {
    const expired = this.#expired;
    this.stop();
    expired(limit);
  }
}

const unlimited: Limits = { headers: 0, idle: 0, total: 0 };

function ignore(): void {
  // There is no exchange.
}

function look(deadline: Deadline): void {
  deadline.look();
}
