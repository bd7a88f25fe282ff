import { createRewriter } from "../../src/gateway/rewriter/rewriter.ts";
import { compileNeedles, mayHold } from "../../src/json/needles.ts";
import { contenders } from "./contenders.ts";
import { bodiesOf, sizes } from "./shapes.ts";
import { loadFixtureConfig } from "./fixture-config.ts";
import { race, type Raced } from "./race.ts";
import { answerOf } from "../traffic.ts";

const megabyte = 1_000_000;
const encoder = new TextEncoder();
const needles = compileNeedles({ nonEmptyArrays: ["flags"], names: ["relatedTitle"] });
const onlyEscapes = compileNeedles({});

/** Median ns of one call and bytes allocated, in rounds that alternate between the contenders. */
export async function measureOnNode(): Promise<void> {
  const rewriter = createRewriter({ config: await loadFixtureConfig() });
  for (const size of sizes) {
    for (const { name, bytes } of bodiesOf(size)) {
      console.log(
        `\n${bytes.length} bytes, ${name}: ns per call, bytes allocated, ratio to JSON.parse`,
      );
      const runs = Object.entries(contenders).map(([contender, run]) => [
        contender,
        () => run(bytes, rewriter),
      ]);
      report(race(bytes.length, Object.fromEntries(runs), size > 100_000 ? 6 : 24));
    }
  }
  for (const [name, bytes] of Object.entries(largeBodies())) {
    console.log(`\nthe search before the scan, 1 MB, ${name}: ns per call, bytes allocated`);
    report(
      race(bytes.length, {
        mayHold: () => mayHold(bytes, needles),
        "only escapes": () => mayHold(bytes, onlyEscapes),
      }),
    );
  }
}

function largeBodies(): { readonly [name: string]: Uint8Array } {
  return {
    'an answer with "flags":[]': encoder.encode(answerOf("closed", megabyte)),
    'nothing but "flags":[]': full('"flags":[],'),
    "full of \\n": full("\\n"),
    "full of \\/": full("\\/"),
    'full of \\"': full('\\"'),
    "full of \\u00e9": full("\\u00e9"),
    "full of zeros": full("0"),
  };
}

function report(raced: ReadonlyMap<string, Raced>): void {
  const beside = raced.get("JSON.parse")?.nanoseconds;
  for (const [name, { nanoseconds, allocated }] of raced) {
    const ratio = beside === undefined ? "" : (nanoseconds / beside).toFixed(2).padStart(8);
    console.log(
      `  ${name.padEnd(40)}${nanoseconds.toFixed(0).padStart(10)}${allocated.toFixed(0).padStart(10)}${ratio}`,
    );
  }
}

function full(unit: string): Uint8Array {
  return encoder.encode(unit.repeat(Math.floor(megabyte / unit.length)));
}
