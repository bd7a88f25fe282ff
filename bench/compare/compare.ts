import type { Contestant } from "./contestants.ts";
import { type Entered, enter, type Sample } from "./measure.ts";
import type { Options } from "./options.ts";
import { type Waits, waitsAtRate } from "./rate.ts";
import type { Upstreams } from "../upstreams.ts";

/** One table: contestants under one load. */
export interface Case {
  readonly size: number;
  readonly connections: number;
  readonly contestants: readonly Contestant[];
  /** Requests per second; null: as many as are answered. */
  readonly rate: number | null;
}

export interface Failure {
  readonly name: string;
  readonly why: string;
}

export interface Compared {
  readonly measured: ReadonlyMap<Contestant, readonly Sample[]>;
  readonly waits: ReadonlyMap<Contestant, readonly Waits[]>;
  readonly failures: readonly Failure[];
}

/**
 * Starts all contestants on the one core, and loads them in turns of some seconds, in an order that
 * changes: what slows the machine down for a while slows all of a round. Whoever waits for a turn
 * sleeps. Answers are compared before and after.
 */
export async function compare(
  { contestants, connections, rate }: Case,
  upstreams: Upstreams,
  options: Options,
): Promise<Compared> {
  const failures: Failure[] = [];
  const measured = new Map<Contestant, Sample[]>();
  const waits = new Map<Contestant, Waits[]>();
  const entered: Entered[] = [];
  const dismiss = (contestant: Contestant, error: unknown): void => {
    const why = error instanceof Error ? error.message : String(error);
    console.error(`${contestant.name} is not measured: ${why}`);
    failures.push({ name: contestant.name, why });
    measured.delete(contestant);
    waits.delete(contestant);
  };
  try {
    for (const contestant of contestants) {
      try {
        entered.push(await enter(contestant, upstreams, options, connections));
        if (rate === null) measured.set(contestant, []);
        else waits.set(contestant, []);
      } catch (error) {
        dismiss(contestant, error);
      }
    }
    for (let round = 0; round < options.rounds; round++) {
      for (const one of rotated(entered, round)) {
        if (!measured.has(one.contestant) && !waits.has(one.contestant)) continue;
        try {
          if (rate === null) measured.get(one.contestant)?.push(await takeTurn(round, one));
          else {
            const { seconds, loadCore: core } = options;
            const waited = await waitsAtRate({ url: one.url, connections, rate, seconds, core });
            waits.get(one.contestant)?.push(waited);
          }
        } catch (error) {
          dismiss(one.contestant, error);
        }
      }
    }
    for (const one of entered) {
      const fault = await one.fault();
      if (fault !== null) dismiss(one.contestant, new Error(fault));
    }
  } finally {
    await Promise.all(entered.map((one) => one.leave()));
  }
  return { measured, waits, failures };
}

async function takeTurn(round: number, one: Entered): Promise<Sample> {
  const seen = await one.turn();
  console.error(
    `round ${round + 1}  ${one.contestant.name.padEnd(18)} ${seen.requestsPerSecond.toFixed(0).padStart(6)}/s` +
      `  ${seen.cpu.toFixed(1)} us CPU  ${(seen.share * 100).toFixed(0)} % of its core`,
  );
  return seen;
}

/**
 * Everybody is first, last and behind everybody else once: what one leaves behind does not always
 * meet the same one.
 */
function rotated<Item>(items: readonly Item[], by: number): readonly Item[] {
  const first = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}
