/**
 * What reading and editing an answer costs, beside what others cost, on Node (bench/worker/cpu.ts does the same in
 * workerd): `node bench/cpu-json.ts`. Median ns of one call and bytes
 * allocated, in rounds that alternate between the contenders.
 */
import { loadConfig } from "../src/config/load.ts";
import { createRewriter } from "../src/gateway/rewriter.ts";
import { findBytes, hasNonEmptyArrayMember } from "../src/json/find.ts";
import { compileNeedles, hasEscapedAscii, mayHold } from "../src/json/needles.ts";
import { contendersOf } from "./cpu-contenders.ts";
import { bodiesOf, sizes } from "./cpu-shapes.ts";
import { race, type Raced } from "./race.ts";
import { answerOf } from "./traffic.ts";

const megabyte = 1_000_000;
const encoder = new TextEncoder();
const needles = compileNeedles({ nonEmptyArrays: ["flags"], names: ["relatedTitle"] });

process.env["BENCH_UPSTREAM"] ??= "http://127.0.0.1:9";
process.env["BENCH_DATA"] ??= "/nowhere";
const config = await loadConfig(new URL("fixtures/afterword.yaml", import.meta.url).pathname);
const rewriter = createRewriter({ config });

for (const size of sizes) {
  for (const { name, bytes } of bodiesOf(size)) {
    console.log(
      `\n${bytes.length} bytes, ${name}: ns per call, bytes allocated, ratio to JSON.parse`,
    );
    tell(race(bytes.length, contendersOf(bytes, rewriter), size > 100_000 ? 6 : 24));
  }
}

const bodies: { readonly [name: string]: Uint8Array } = {
  'an answer with "flags":[]': encoder.encode(answerOf("closed", megabyte)),
  'nothing but "flags":[]': full('"flags":[],'),
  "full of \\n": full("\\n"),
  "full of \\/": full("\\/"),
  'full of \\"': full('\\"'),
  "full of \\u00e9": full("\\u00e9"),
  "full of zeros": full("0"),
};
const flags = encoder.encode('"flags"');
const relatedTitle = encoder.encode('"relatedTitle"');
for (const [name, bytes] of Object.entries(bodies)) {
  console.log(`\nthe search before the scan, 1 MB, ${name}: ns per call, bytes allocated`);
  tell(
    race(bytes.length, {
      mayHold: () => mayHold(bytes, needles),
      hasEscapedAscii: () => hasEscapedAscii(bytes),
      hasNonEmptyArrayMember: () => hasNonEmptyArrayMember(bytes, flags),
      findBytes: () => findBytes(bytes, relatedTitle),
    }),
  );
}

function tell(raced: ReadonlyMap<string, Raced>): void {
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
