/** Compares reading and editing an answer with limits: `npm run bench -- gate --help`. */
import { createRewriter } from "../../src/gateway/rewriter/rewriter.ts";
import { scan } from "../../src/json/scan.ts";
import { splice } from "../../src/json/splice.ts";
import { editsOf, shape } from "./shapes.ts";
import { loadFixtureConfig } from "./fixture-config.ts";
import { race } from "./race.ts";
import { answerOf } from "../traffic.ts";
import { readOptions } from "../options.ts";

readOptions({
  name: "npm run bench -- gate",
  about:
    "What reading and editing an answer costs, held to limits, on any machine: the fastest of many short rounds, as a ratio to JSON.parse in the same rounds, and what a message allocates. Measured again, up to three times, before it fails.",
  options: {},
  fails: "a limit is passed",
});

interface Limit {
  /** The share of JSON.parse's time, decoding included. */
  readonly time: number;
  /** Bytes on the heap. */
  readonly allocated: number;
}

/** About one and a half times the measurements with Node 24 (docs/performance.md). */
const limits: Readonly<Record<string, Limit>> = {
  scan: { time: 1, allocated: 4500 },
  "scan, splice": { time: 1.25, allocated: 6500 },
  rewrite: { time: 2.2, allocated: 13_000 },
  "rewrite, nothing to do": { time: 0.35, allocated: 2000 },
};

const rewriter = createRewriter({ config: await loadFixtureConfig() });
const flagged = new TextEncoder().encode(answerOf("flagged", 1700));
const closed = new TextEncoder().encode(answerOf("closed", 1700));
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

if (!rewriter.rewrite(flagged).changed || rewriter.rewrite(closed).changed) {
  throw new Error("bench/fixtures do not rewrite what they should: nothing is measured");
}
let failed: readonly string[] = [];
for (let attempt = 0; attempt < 3; attempt++) {
  failed = measure();
  if (failed.length === 0) break;
}
process.exitCode = failed.length === 0 ? 0 : 1;

/** @returns the limits that were exceeded */
function measure(): readonly string[] {
  const raced = race(
    flagged.length,
    {
      "JSON.parse": () => JSON.parse(decoder.decode(flagged)),
      scan: () => scan(flagged, shape),
      "scan, splice": () => splice(flagged, editsOf(flagged)),
      rewrite: () => rewriter.rewrite(flagged),
      "rewrite, nothing to do": () => rewriter.rewrite(closed),
    },
    120,
  );
  const parse = raced.get("JSON.parse")?.fastest ?? Number.NaN;
  return Object.entries(limits).flatMap(([name, limit]) => {
    const { fastest, allocated } = raced.get(name) ?? {
      fastest: Number.NaN,
      allocated: Number.NaN,
    };
    const time = fastest / parse;
    const kept = time <= limit.time && allocated <= limit.allocated;
    console.log(
      `${name.padEnd(24)} ${time.toFixed(2)} of JSON.parse (limit ${limit.time}), ${allocated.toFixed(0)} bytes (limit ${limit.allocated})${kept ? "" : "  TOO MUCH"}`,
    );
    return kept ? [] : [name];
  });
}
