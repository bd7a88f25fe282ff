import { spreadOf } from "../statistics.ts";
import type { Seen } from "./clients.ts";

/** What one round measured: the bare loop, and the backend. */
export interface Round extends Seen {
  /** A second. */
  readonly bare: number;
  /** CPU time of the backend, in microseconds for each answer. */
  readonly cpu: number;
}

/**
 * Prints one line: rates and their ratio as medians, its quartiles, and how long clients waited.
 */
export function report(
  what: string,
  than: string,
  rounds: readonly Round[],
  { connections, goal }: { readonly connections: number; readonly goal: number | null },
): void {
  const ratio = spreadOf(rounds.map(({ perSecond, bare }) => perSecond / bare));
  const median = (pick: (round: Round) => number): number => spreadOf(rounds.map(pick)).median;
  const [low, middle, high] = [ratio.low, ratio.median, ratio.high].map((one) => one.toFixed(2));
  console.log(
    [
      `${what}: ${median(({ perSecond }) => perSecond)}/s`,
      `${middle} (${low} to ${high}) of ${median(({ bare }) => bare)} ${than} a second; ${goal === null ? "no goal" : `goal ${goal}`}`,
      `${median(({ cpu }) => cpu).toFixed(0)} us of CPU each`,
      `at ${connections} connections p50 ${median(({ p50 }) => p50).toFixed(1)} ms, p99 ${median(({ p99 }) => p99).toFixed(1)} ms, goal 50`,
      `the last of ${connections} that came at once had its first answer after ${median(({ opening }) => opening).toFixed(0)} ms`,
    ].join("; "),
  );
}
