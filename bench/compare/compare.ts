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
  /** Requests per second; null for as many as are answered. */
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
 * Starts all contestants on one core, and loads them in turns of some seconds, in an order that
 * changes, so that a disturbance affects all of a round. Contestants that wait for their turn sleep
 * or, with `alone`, are started for it. Answers are compared before and after.
 */
export async function compare(
  { contestants, connections, rate }: Case,
  upstreams: Upstreams,
  options: Options,
): Promise<Compared> {
  const failures: Failure[] = [];
  const measured = new Map<Contestant, Sample[]>();
  const waits = new Map<Contestant, Waits[]>();
  const running = new Map<Contestant, Entered>();
  const start = async (contestant: Contestant): Promise<Entered> => {
    const entered = await enter(contestant, upstreams, options, connections);
    running.set(contestant, entered);
    return entered;
  };
  const end = async (one: Entered): Promise<void> => {
    const fault = await one.fault();
    if (fault !== null) throw new Error(fault);
    running.delete(one.contestant);
    await one.leave();
  };
  const turn = async (round: number, one: Entered): Promise<void> => {
    if (rate === null) measured.get(one.contestant)?.push(await takeTurn(round, one));
    else {
      const { seconds, loadCore: core } = options;
      const waited = await waitsAtRate({ url: one.url, connections, rate, seconds, core });
      waits.get(one.contestant)?.push(waited);
    }
  };
  const attempt = async (contestant: Contestant, act: () => Promise<unknown>): Promise<void> => {
    try {
      await act();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      console.error(`${contestant.name} is not measured: ${why}`);
      failures.push({ name: contestant.name, why });
      measured.delete(contestant);
      waits.delete(contestant);
    }
  };
  for (const contestant of contestants) {
    if (rate === null) measured.set(contestant, []);
    else waits.set(contestant, []);
  }
  try {
    if (!options.alone) {
      for (const contestant of contestants) await attempt(contestant, () => start(contestant));
    }
    for (let round = 0; round < options.rounds; round++) {
      for (const contestant of rotated(contestants, round)) {
        if (!measured.has(contestant) && !waits.has(contestant)) continue;
        await attempt(contestant, async () => {
          const one = running.get(contestant) ?? (await start(contestant));
          await turn(round, one);
          if (options.alone) await end(one);
        });
      }
    }
    for (const one of Array.from(running.values())) await attempt(one.contestant, () => end(one));
  } finally {
    await Promise.all(Array.from(running.values(), (one) => one.leave()));
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
 * Each is first, last and after every other one once, so that the same one is not always affected
 * by its predecessor.
 */
function rotated<Item>(items: readonly Item[], by: number): readonly Item[] {
  const first = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}
