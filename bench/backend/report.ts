import { spreadOf } from "../statistics.ts";
import type { Seen } from "./clients.ts";

/** The result of one round: of the bare loop, and of the backend. */
export interface Round extends Seen {
  /** Per second. */
  readonly bare: number;
  /** CPU time of the backend, in microseconds for each answer. */
  readonly cpu: number;
}

/** The goals of a figure; null if it is only shown. */
export interface Goals {
  /** The minimum ratio to the bare loop's rate. */
  readonly ratio: number | null;
  /** The maximum in milliseconds. */
  readonly p99: number | null;
}

/**
 * Prints one line: rates and their ratio as medians, its quartiles, and the clients' waits.
 *
 * @returns whether the goals are met
 */
export function report(
  what: string,
  than: string,
  rounds: readonly Round[],
  connections: number,
  goals: Goals,
): boolean {
  const ratio = spreadOf(rounds.map(({ perSecond, bare }) => perSecond / bare));
  const median = (pick: (round: Round) => number): number => spreadOf(rounds.map(pick)).median;
  const [low, middle, high] = [ratio.low, ratio.median, ratio.high].map((one) => one.toFixed(2));
  const p99 = median((round) => round.p99);
  const goal = (value: number | null): string => (value === null ? "no goal" : `goal ${value}`);
  console.log(
    [
      `${what}: ${median(({ perSecond }) => perSecond)}/s`,
      `${middle} (${low} to ${high}) of ${median(({ bare }) => bare)} ${than} a second; ${goal(goals.ratio)}`,
      `${median(({ cpu }) => cpu).toFixed(0)} us of CPU each`,
      `at ${connections} connections p50 ${median(({ p50 }) => p50).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${goal(goals.p99)}`,
      `the last of ${connections} that came at once had its first answer after ${median(({ opening }) => opening).toFixed(0)} ms`,
    ].join("; "),
  );
  return ratio.median >= (goals.ratio ?? 0) && p99 <= (goals.p99 ?? Number.POSITIVE_INFINITY);
}
