/** What many instances cost: `npm run bench:instances -- --help`. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Measured, parseMeasured } from "./measured.ts";
import { type Words, writeOwners } from "./owners.ts";
import { node } from "../launch.ts";
import { spreadOf } from "../statistics.ts";
import { readOptions, whole } from "../options.ts";

const { owners: many, rounds } = readOptions({
  name: "npm run bench:instances",
  about:
    "What many instances cost. Gateways with ten owners and with ten thousand, each owner with a directory of messages, run one after the other in alternating rounds; the table shows medians and what they are held to.",
  options: {
    owners: whole("owners of the larger gateways", 10_000),
    rounds: whole("rounds", 5),
  },
  fails: "a figure is missed",
});
const few = 10;
const MB = 1_000_000;

interface Contestant {
  readonly owners: number;
  readonly words: Words;
  readonly file: string;
  readonly runs: Measured[];
}

const directory = mkdtempSync(join(tmpdir(), "afterword-instances-"));
try {
  const contestants = [few, many].flatMap((owners) =>
    (["identical", "distinct"] as const).map((words): Contestant => {
      const file = writeOwners(join(directory, `${owners}-${words}`), owners, words);
      return { owners, words, file, runs: [] };
    }),
  );
  for (let round = 0; round < rounds; round++) {
    for (const contestant of contestants) contestant.runs.push(measure(contestant));
  }
  report(contestants);
} finally {
  rmSync(directory, { recursive: true, force: true });
}

function measure({ file, owners }: Contestant): Measured {
  const program = fileURLToPath(new URL("gateway.ts", import.meta.url));
  const env = { PATH: process.env["PATH"], NODE_ENV: "production" };
  const args = ["--expose-gc", program, file, String(owners)];
  return parseMeasured(execFileSync(node, args, { env, encoding: "utf8" }).trim());
}

function report(contestants: readonly Contestant[]): void {
  console.log(`medians of ${rounds} rounds; each owner has texts in two languages\n`);
  const columns = [
    "owners",
    "texts",
    "start ms",
    "its CPU ms",
    "alive MB",
    "all warm MB",
    "RSS MB",
  ];
  console.log(row([...columns, "look-up us", "p99", "message us", "p99", "of ten us"]));
  for (const one of contestants) {
    console.log(
      row([
        String(one.owners),
        one.words,
        of(one, "startMs").toFixed(0),
        of(one, "startCpuMs").toFixed(0),
        (of(one, "idleBytes") / MB).toFixed(1),
        (of(one, "warmBytes") / MB).toFixed(1),
        (of(one, "residentBytes") / MB).toFixed(0),
        (of(one, "lookUpP50") / 1000).toFixed(2),
        (of(one, "lookUpP99") / 1000).toFixed(2),
        (of(one, "turnP50") / 1000).toFixed(2),
        (of(one, "turnP99") / 1000).toFixed(2),
        (of(one, "busyP50") / 1000).toFixed(2),
      ]),
    );
  }
  for (const words of ["identical", "distinct"] as const) {
    console.log(`\n${many} owners with ${words} texts:`);
    for (const { what, found, most } of targets(contestants, words)) {
      const kept = found <= most;
      if (!kept) process.exitCode = 1;
      console.log(`${kept ? "kept  " : "MISSED"} ${what}: ${found.toFixed(2)} (at most ${most})`);
    }
  }
}

interface Target {
  readonly what: string;
  readonly found: number;
  readonly most: number;
}

/** Instances themselves must be cheap. Words that nobody else has take the memory they take. */
function* targets(contestants: readonly Contestant[], words: Words): Generator<Target> {
  const [small, large] = contestants.filter((one) => one.words === words);
  if (small === undefined || large === undefined) return;
  yield { what: "start, s", found: of(large, "startMs") / 1000, most: 6 };
  if (words === "distinct") {
    const ratio = of(large, "busyP50") / of(small, "busyP50");
    yield { what: `message p50 to that of ${few}, ten busy`, found: ratio, most: 1.5 };
    const atRandom = of(large, "turnP50") / of(small, "turnP50");
    yield { what: `message p50 to that of ${few}, at random`, found: atRandom, most: 1.5 };
    return;
  }
  const more = (of(large, "warmBytes") - of(small, "warmBytes")) / MB;
  yield { what: `memory more than with ${few}, MB`, found: more, most: 50 };
  const ratio = of(large, "turnP50") / of(small, "turnP50");
  yield { what: `message p50 to that of ${few}`, found: ratio, most: 1.5 };
}

function of({ runs }: Contestant, field: keyof Measured): number {
  return spreadOf(runs.map((run) => run[field])).median;
}

function row(cells: readonly string[]): string {
  return cells.map((cell) => cell.padStart(Math.max(11, cell.length))).join(" ");
}
