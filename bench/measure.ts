import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Contestant } from "./contestants.ts";
import { launch, type Launched } from "./launch.ts";
import { load } from "./load.ts";
import type { Options } from "./options.ts";
import type { Upstreams } from "./upstreams.ts";
import { findFault } from "./verify.ts";

/** One contestant in one round. */
export interface Sample {
  readonly requestsPerSecond: number;
  /** Microseconds that a request waits. */
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of the contestant's CPU time per request: hardly moved by whatever else runs on the machine. */
  readonly cpu: number;
  /** How much of its core the contestant got, 0 to 1. Clearly below 1 on Node: the core was shared, or the load too small. */
  readonly share: number;
}

/** Starts a contestant on its core, has it prove that it answers rightly, and stops it. @returns its fault, or null */
export function examine(
  contestant: Contestant,
  upstreams: Upstreams,
  options: Options,
): Promise<string | null> {
  return running(contestant, upstreams, options, ({ port }) =>
    findFault(contestant, port, upstreams[contestant.answer].body),
  );
}

/** @throws Error when an answer fails, before, during or after the load: such figures mean nothing */
export function sample(
  contestant: Contestant,
  upstreams: Upstreams,
  options: Options,
): Promise<Sample> {
  return running(contestant, upstreams, options, async (launched) => {
    const sent = upstreams[contestant.answer].body;
    const insist = async (): Promise<void> => {
      const fault = await findFault(contestant, launched.port, sent);
      if (fault !== null) throw new Error(fault);
    };
    await insist();
    const { connections, loadCore, seconds, warmup } = options;
    const url = `http://127.0.0.1:${launched.port}${contestant.path}`;
    if (warmup > 0) await load(url, warmup, connections, loadCore);
    const before = launched.cpu();
    const seen = await load(url, seconds, connections, loadCore);
    const used = launched.cpu() - before;
    if (seen.requests === 0 || seen.broken > 0 || seen.refused > 0) {
      throw new Error(
        `${seen.requests} answers, ${seen.broken} broken connections, ${seen.refused} with an error status`,
      );
    }
    await insist();
    return {
      requestsPerSecond: seen.requests / seen.seconds,
      p50: seen.p50,
      p99: seen.p99,
      cpu: (used / seen.requests) * 1e6,
      share: used / seen.seconds,
    };
  });
}

async function running<Result>(
  contestant: Contestant,
  upstreams: Upstreams,
  options: Options,
  use: (launched: Launched) => Promise<Result>,
): Promise<Result> {
  const launched = await launch(contestant.program, options.proxyCore, {
    BENCH_UPSTREAM: upstreams[contestant.answer].origin,
    BENCH_DATA: join(tmpdir(), `afterword-bench-data-${process.pid}`),
    BENCH_NODE_OPTIONS: process.env["BENCH_NODE_OPTIONS"] ?? "",
  });
  try {
    return await use(launched);
  } finally {
    await launched.stop();
    // Connections that were just closed are still being put away.
    await sleep(200);
  }
}
