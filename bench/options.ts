import { parseArgs } from "node:util";

export interface Options {
  readonly connections: number;
  /** Seconds measured of each contestant in each round. */
  readonly seconds: number;
  /** Seconds of load before each measurement, so that the code that is measured is the compiled one. */
  readonly warmup: number;
  readonly rounds: number;
  /** Bytes of the answer, about. */
  readonly size: number;
  /** Null: all of them. */
  readonly only: readonly string[] | null;
  /** Names the file in bench/results. */
  readonly name: string;
  readonly proxyCore: number;
  readonly loadCore: number;
}

export const usage: string = `node bench/run.ts [options]
  --connections N  open connections (default 32)
  --seconds N      measured per contestant and round (default 8)
  --warmup N       load before each measurement, in seconds (default 6)
  --rounds N       rounds (default 5)
  --size N         bytes of the answer, about (default 1700)
  --only A,B       these contestants only
  --name NAME      writes bench/results/NAME.json (default: last)
  --proxy-core N   the contestants' core (default 0)
  --load-core N    the core of the load and the upstream (default 1)`;

/** Reads the command line. Null: print the usage. @throws TypeError naming the option that is unusable */
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
    connections: whole("connections", values.connections, 32, 1),
    seconds: whole("seconds", values.seconds, 8, 1),
    warmup: whole("warmup", values.warmup, 6, 0),
    rounds: whole("rounds", values.rounds, 5, 1),
    size: whole("size", values.size, 1700, 600),
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
