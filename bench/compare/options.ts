import { parseArgs } from "node:util";

export interface Options {
  /** Null: the usual scenes. */
  readonly connections: readonly number[] | null;
  /** Seconds of a contestant's turn in each round. */
  readonly seconds: number;
  /**
   * Seconds of load before the first round, so that the code that is measured is the compiled one.
   */
  readonly warmup: number;
  readonly rounds: number;
  /** Bytes of the answer, about. Null: the usual scenes. */
  readonly sizes: readonly number[] | null;
  /** Requests per second of the scenes with a fixed rate; 0 leaves them out. */
  readonly rate: number;
  /** Null: all of them. */
  readonly only: readonly string[] | null;
  /** Names the file in bench/results. */
  readonly name: string;
  readonly proxyCore: number;
  readonly loadCore: number;
}

export const usage: string = `node bench/compare/run.ts [options]
  --size A,B         bytes of the answers, about; 500 and more
  --connections A,B  open connections
                     With either, every size meets every number of connections, and all contestants meet all. Without:
                     1700 bytes at 32 connections for all; 500, 4000, 16000 and 1000000 bytes, and 1 and 256 connections,
                     for those that matter most; and waits at a fixed rate, at 1 and 32 connections
  --rate N           requests per second of the waits, 0 for none (default 1000)
  --seconds N        a contestant's turn in each round (default 2)
  --warmup N         load before the first round, in seconds (default 4)
  --rounds N         rounds (default 5)
  --only A,B         these contestants only
  --name NAME        writes bench/results/NAME.json (default: last)
  --proxy-core N     the contestants' core (default 0)
  --load-core N      the core of the load and the upstream (default 1)`;

/**
 * Reads the command line. Null: print the usage. @throws TypeError naming the option that is
 * unusable
 */
export function readOptions(argv: readonly string[]): Options | null {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args: [...argv],
    options: {
      connections: text,
      seconds: text,
      warmup: text,
      rounds: text,
      size: text,
      rate: text,
      only: text,
      name: text,
      "proxy-core": text,
      "load-core": text,
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help === true) return null;
  const name = values.name ?? "last";
  if (!/^[\w.-]+$/.test(name)) throw new TypeError("--name takes letters, digits, dots and dashes");
  return {
    connections: wholes("connections", values.connections, 1),
    sizes: wholes("size", values.size, 500),
    rate: whole("rate", values.rate, 1000, 0),
    seconds: whole("seconds", values.seconds, 2, 1),
    warmup: whole("warmup", values.warmup, 4, 0),
    rounds: whole("rounds", values.rounds, 5, 1),
    only: values.only === undefined ? null : values.only.split(","),
    name,
    proxyCore: whole("proxy-core", values["proxy-core"], 0, 0),
    loadCore: whole("load-core", values["load-core"], 1, 0),
  };
}

function whole(name: string, value: string | undefined, otherwise: number, least: number): number {
  const number = value === undefined ? otherwise : Number(value);
  if (!Number.isInteger(number) || number < least) {
    throw new TypeError(`--${name} takes a whole number of at least ${least}`);
  }
  return number;
}

function wholes(name: string, value: string | undefined, least: number): readonly number[] | null {
  return value?.split(",").map((part) => whole(name, part, least, least)) ?? null;
}
