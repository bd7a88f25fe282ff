// npm run fuzz [-- TARGET… --seconds N]: what strangers send, changed at random, to every reader of
// it. An input that breaks one is kept in tools/fuzz/found, and comes first from then on.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import * as fc from "fast-check";
import { changed } from "./inputs.ts";
import { TARGETS } from "./targets.ts";

const help = `npm run fuzz [-- TARGET… --seconds N --seed N]
Gives changed inputs to readers for N seconds each (600). Targets: ${Object.keys(TARGETS).join(", ")}.
Exit code 0: nothing found; 1: an input broke a reader; 2: no such target.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "600" },
    seed: { type: "string", default: String(Date.now() & 0x7f_ff_ff_ff) },
    help: { type: "boolean", default: false },
  },
});
if (values.help || positionals.some((name) => !Object.hasOwn(TARGETS, name))) {
  console.log(help);
  process.exit(values.help ? 0 : 2);
}

let found = 0;
for (const [name, { check, ...inputs }] of Object.entries(TARGETS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const folder = join(import.meta.dirname, "found", name);
  mkdirSync(folder, { recursive: true });
  const kept = readdirSync(folder).map((file) => readFileSync(join(folder, file)));
  let runs = 0;
  const property = fc.asyncProperty(changed(inputs), async (bytes) => {
    runs++;
    await check(bytes);
  });
  const { counterexample, errorInstance } = await fc.check(property, {
    seed: Number(values.seed),
    numRuns: Number.MAX_SAFE_INTEGER,
    interruptAfterTimeLimit: Number(values.seconds) * 1000,
    examples: kept.map((bytes) => [new Uint8Array(bytes)]),
  });
  const [bytes] = counterexample ?? [];
  console.log(
    `${name}: ${runs} inputs, seed ${values.seed}, ${bytes === undefined ? "nothing found" : "FOUND"}`,
  );
  if (bytes === undefined) continue;
  found++;
  const file = join(folder, `${Buffer.from(bytes).toString("base64url").slice(0, 24)}.bin`);
  writeFileSync(file, bytes);
  console.error(
    `${file}: ${String(errorInstance)}\n${JSON.stringify(Buffer.from(bytes).toString("latin1"))}`,
  );
}
process.exit(found > 0 ? 1 : 0);
