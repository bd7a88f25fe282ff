import type { UpstreamRequest } from "../gateway/transport.ts";

export type TimeoutName = "headers" | "idle" | "total";

/**
 * The time limits of one exchange. Activity only notes the time, so that a chunk costs no timer
 * call.
 */
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

/** Who is told that a limit has passed; at most once. */
export interface Expiring {
  expired(name: TimeoutName): void;
}

/**
 * `headers` is the time without a byte until the answer's head (an upload that moves does not run
 * into it), `idle` the same after it, `total` the whole. Milliseconds; 0 is none. Never keeps the
 * process alive.
 */
export type StartDeadline = (limits: UpstreamRequest["timeouts"], whom: Expiring) => Deadline;

/**
 * In milliseconds. Limits that pass within so short a time of each other are looked at together.
 */
const grain = 10;

/**
 * Deadlines that share one timer: it is set for the one that is due first, and most exchanges are
 * over long before. Starting and stopping one is a change of two links in a chain.
 */
export function createDeadlines(): StartDeadline {
  const watch = new Watch();
  return (limits, whom) => new Running(watch, limits, whom);
}

class Watch {
  #first: Running | null = null;
  #timer: NodeJS.Timeout | null = null;
  #due = Number.POSITIVE_INFINITY;

  add(running: Running): void {
    running.next = this.#first;
    if (this.#first !== null) this.#first.previous = running;
    this.#first = running;
  }

  /**
   * Leaves no link in what is taken out: a dead object that points to living ones keeps them, once
   * both are old.
   */
  remove(running: Running): void {
    const { previous, next } = running;
    if (previous === null) this.#first = next;
    else previous.next = next;
    if (next !== null) next.previous = previous;
    running.previous = null;
    running.next = null;
  }

  /** Only ever moves the timer forward in time; one that fires too early is set again. */
  arm(due: number, now: number): void {
    if (due >= this.#due || due === Number.POSITIVE_INFINITY) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(look, Math.max(1, Math.ceil(due - now)), this).unref();
  }

  look(): void {
    this.#timer = null;
    this.#due = Number.POSITIVE_INFINITY;
    const now = performance.now();
    const late: Running[] = [];
    let soonest = Number.POSITIVE_INFINITY;
    for (let running = this.#first; running !== null; running = running.next) {
      const due = running.due();
      if (due <= now) late.push(running);
      else if (due < soonest) soonest = due;
    }
    this.arm(Math.max(soonest, now + grain), now);
    // Whom one of them tells may stop another.
    for (const running of late) running.expire(now);
  }
}

function look(watch: Watch): void {
  watch.look();
}

class Running implements Deadline {
  previous: Running | null = null;
  next: Running | null = null;
  readonly #watch: Watch;
  readonly #limits: UpstreamRequest["timeouts"];
  readonly #whom: Expiring;
  readonly #end: number;
  #last: number;
  #quiet: "headers" | "idle" = "headers";
  #paused = false;
  #stopped = false;

  constructor(watch: Watch, limits: UpstreamRequest["timeouts"], whom: Expiring) {
    const now = performance.now();
    this.#watch = watch;
    this.#limits = limits;
    this.#whom = whom;
    this.#last = now;
    this.#end = limits.total > 0 ? now + limits.total : Number.POSITIVE_INFINITY;
    watch.add(this);
    watch.arm(this.due(), now);
  }

  due(): number {
    const limit = this.#limits[this.#quiet];
    if (this.#paused || limit === 0) return this.#end;
    return Math.min(this.#end, this.#last + limit);
  }

  expire(now: number): void {
    if (this.#stopped) return;
    const name = now >= this.#end ? "total" : this.#quiet;
    this.stop();
    this.#whom.expired(name);
  }

  touch(): void {
    this.#last = performance.now();
  }

  answered(): void {
    this.#last = performance.now();
    this.#quiet = "idle";
    this.#arm();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#last = performance.now();
    this.#arm();
  }

  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#watch.remove(this);
  }

  #arm(): void {
    if (!this.#stopped) this.#watch.arm(this.due(), this.#last);
  }
}
