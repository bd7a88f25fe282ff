/**
 * One gateway with many instances, measured from inside:
 * `node --expose-gc bench/instances/gateway.ts FILE OWNERS`. Prints one line of JSON and ends.
 */
import { matchInstances } from "../../src/config/match.ts";
import { loadConfig } from "../../src/config/load/load.ts";
import { createRewriter } from "../../src/gateway/message/rewriter.ts";
import { serve } from "../../src/runtime/node/serve.ts";
import { answerOf, messagePath, messageRequest } from "../traffic.ts";
import type { Measured } from "./measured.ts";
import { keyOf } from "./owners.ts";
import { quantile } from "../statistics.ts";

const [file = "", number = ""] = process.argv.slice(2);
const count = Number(number);

const config = await loadConfig(file);
const running = await serve({ config, host: "127.0.0.1", port: 0, log: () => undefined });
const startMs = performance.now();
const { user, system } = process.threadCpuUsage();
const idleBytes = memory();

const rewriter = createRewriter({ config });
const body = new TextEncoder().encode(answerOf("flagged", 1700));
const request = new TextEncoder().encode(messageRequest);
const languages = ["en", "fr", "en-GB", "fr-CA", "de"];

let changed = 0;
for (let owner = 0; owner < count; owner++) {
  for (let k = 0; k < languages.length; k++) changed += turn(headerOf(owner), k);
}
const warmBytes = memory();

let state = 0x2545f491;
sample(60_000, count, (key, k) => turn(key, k));
const lookUps = sample(100_000, count, (key) => Number(find(key) !== null));
const turns = sample(100_000, count, (key, k) => turn(key, k));
const busy = sample(100_000, Math.min(count, 10), (key, k) => turn(key, k));

const measured: Measured = {
  startMs,
  startCpuMs: (user + system) / 1000,
  idleBytes,
  warmBytes,
  residentBytes: process.memoryUsage.rss(),
  lookUpP50: quantile(lookUps, 0.5),
  lookUpP99: quantile(lookUps, 0.99),
  turnP50: quantile(turns, 0.5),
  turnP99: quantile(turns, 0.99),
  busyP50: quantile(busy, 0.5),
};
if (changed === 0) throw new Error("nothing was rewritten");
process.stdout.write(`${JSON.stringify(measured)}\n`);
await running.close();

function find(apiKey: string) {
  const [instance] = matchInstances(config, { apiKey, host: "127.0.0.1:8787", path: messagePath });
  return instance === undefined ? null : rewriter.ofInstance(instance);
}

/** What one message costs: find the instance, negotiate, rewrite. */
function turn(apiKey: string, k: number): number {
  const lang = languages[k % languages.length];
  const rewritten = find(apiKey)?.rewrite(body, { lang, session: "session", request });
  if (rewritten?.changed !== true) throw new Error(`nothing was rewritten for ${apiKey}`);
  return 1;
}

/** Nanoseconds of one call each for one of the first owners, sorted. */
function sample(
  samples: number,
  owners: number,
  work: (apiKey: string, k: number) => number,
): Float64Array {
  const times = new Float64Array(samples);
  let keys: readonly string[] = [];
  for (let k = 0; k < samples; k++) {
    // A request's header has just been read, so that its bytes are near; the owner's own objects
    // are wherever they are.
    if (k % 32 === 0) keys = Array.from({ length: 32 }, () => headerOf(next() % owners));
    const key = keys[k % 32] ?? "";
    const begin = process.hrtime.bigint();
    changed += work(key, k);
    times[k] = Number(process.hrtime.bigint() - begin);
  }
  return times.sort();
}

/** The key as the header of a request: a string of its own, never seen before. */
function headerOf(owner: number): string {
  return Buffer.from(keyOf(owner), "latin1").toString("latin1");
}

/** xorshift32: the same owners in the same order in every run. */
function next(): number {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return state >>> 0;
}

/** What is alive, in bytes. */
function memory(): number {
  if (globalThis.gc === undefined) throw new Error("run with --expose-gc");
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
