import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Contestant } from "./contestants.ts";
import { launch, type Launched } from "../launch.ts";
import { load } from "../load.ts";
import type { Options } from "./options.ts";
import type { Upstreams } from "../upstreams.ts";
import { findFault } from "./verify.ts";

/** One contestant in one round. */
export interface Sample {
  readonly requestsPerSecond: number;
  /** Microseconds that a request waits. */
  readonly p50: number;
  readonly p99: number;
  /**
   * Microseconds of the contestant's CPU time per request, which other work on the machine hardly
   * affects.
   */
  readonly cpu: number;
  /**
   * The contestant's share of its core, 0 to 1. Clearly below 1 on Node means that the core was
   * shared, or the load too small.
   */
  readonly share: number;
  /** Resident memory after the turn, in MB. */
  readonly rss: number;
}

/** A contestant that is running, has answered correctly, and is warm. */
export interface Entered {
  readonly contestant: Contestant;
  readonly url: string;
  /** @throws Error when an answer fails, because such figures mean nothing */
  turn(): Promise<Sample>;
  /** Describes the fault of its answers, or returns null. */
  fault(): Promise<string | null>;
  leave(): Promise<void>;
}

/** @throws Error with the reason why it can't be measured */
export async function enter(
  contestant: Contestant,
  upstreams: Upstreams,
  options: Options,
  connections: number,
): Promise<Entered> {
  const { origin, body } = upstreams[contestant.answer];
  const env = {
    BENCH_UPSTREAM: origin,
    BENCH_DATA: join(tmpdir(), `afterword-bench-data-${process.pid}`),
    BENCH_NODE_OPTIONS: process.env["BENCH_NODE_OPTIONS"] ?? "",
  };
  const launched = await launch(contestant.program, options.proxyCore, env);
  const { port } = launched;
  const url = `http://127.0.0.1:${port}${contestant.path}`;
  const fault = () => findFault(contestant, port, body);
  try {
    const found = await fault();
    if (found !== null) throw new Error(found);
    if (options.warmup > 0) await load(url, options.warmup, connections, options.loadCore);
  } catch (error) {
    await launched.stop();
    throw error;
  }
  const turn = () => sample(launched, url, options, connections);
  return { contestant, url, turn, fault, leave: () => launched.stop() };
}

async function sample(
  launched: Launched,
  url: string,
  { seconds, loadCore }: Options,
  connections: number,
): Promise<Sample> {
  const before = launched.cpu();
  const seen = await load(url, seconds, connections, loadCore);
  const used = launched.cpu() - before;
  if (seen.requests === 0 || seen.broken > 0 || seen.refused > 0) {
    throw new Error(
      `${seen.requests} answers, ${seen.broken} broken connections, ${seen.refused} with an error status`,
    );
  }
  return {
    requestsPerSecond: seen.requests / seen.seconds,
    p50: seen.p50,
    p99: seen.p99,
    cpu: (used / seen.requests) * 1e6,
    share: used / seen.seconds,
    rss: launched.rss(),
  };
}
