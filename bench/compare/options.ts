import { cores, flag, list, readOptions, text, whole, wholes } from "../options.ts";

export interface Options {
  /** Null means the usual cases. */
  readonly connections: readonly number[] | null;
  /** Seconds of a contestant's turn in each round. */
  readonly seconds: number;
  /** Seconds of load before a process is measured, so that its code is compiled. */
  readonly warmup: number;
  readonly rounds: number;
  /** True if each turn starts a new process, so that no other one sleeps on its core. */
  readonly alone: boolean;
  /** Approximate bytes of the answer. Null means the usual cases. */
  readonly sizes: readonly number[] | null;
  /** Requests per second of the cases with a fixed rate; 0 leaves them out. */
  readonly rate: number;
  /** Null means all of them. */
  readonly only: readonly string[] | null;
  /** Names the file in bench/results. */
  readonly name: string;
  readonly proxyCore: number;
  readonly loadCore: number;
}

export function readCompareOptions(): Options {
  const {
    size: sizes,
    "proxy-core": proxyCore,
    "load-core": loadCore,
    ...others
  } = readOptions({
    name: "npm run bench -- compare",
    about:
      "How fast the gateway rewrites, side by side with what a user would pick instead: requests per second, latency, CPU and memory of each, in rounds that alternate between them. The usual cases: 1700 bytes at 32 connections for all; 500, 4000, 16000 and 1000000 bytes, 1 and 256 connections, and waits at a fixed rate for those that matter most. docs/performance.md explains the figures.",
    options: {
      size: wholes(
        "bytes of the answers, about; with --connections, every size meets every number of connections",
        "the usual cases",
        500,
      ),
      connections: wholes("open connections", "the usual cases", 1),
      rate: whole("requests per second of the waits, 0 for none", 1000, 0),
      seconds: whole("a contestant's turn in each round", 2),
      warmup: whole("seconds of load before a process is measured", 4, 0),
      rounds: whole("rounds", 5),
      alone: flag("each turn is that of a new process, and no other one sleeps on its core"),
      only: list("these contestants only", "NAME,NAME", "all"),
      name: text("writes bench/results/NAME.json", "NAME", "last"),
      ...cores,
    },
    fails: "a contestant could not be measured",
  });
  return { sizes, proxyCore, loadCore, ...others };
}
