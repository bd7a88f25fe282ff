import type { Core } from "../core.ts";
import { atOnce, type Round } from "./rounds.ts";

/** Keeps the time: round after round. */
export interface Keeper {
  start(): void;
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>;
}

export function createKeeper({ metrics }: Pick<Core, "metrics">, round: Round): Keeper {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let working: Promise<unknown> = Promise.resolve();
  let stopped = true;

  return {
    start() {
      if (!stopped) return;
      stopped = false;
      next(pause);
    },
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      await working;
    },
  };

  function next(wait: number): void {
    timer = setTimeout(() => {
      working = again();
    }, wait);
    // Nothing that waits here keeps a process alive.
    if (typeof timer === "object") timer.unref?.();
  }

  async function again(): Promise<void> {
    let attended = 0;
    try {
      attended = await round();
    } catch {
      metrics.count("afterword_escalation_failures_total");
    }
    // As many as there may be: there are more.
    if (!stopped) next(attended < atOnce ? pause : 0);
  }
}

const pause = 1000;
