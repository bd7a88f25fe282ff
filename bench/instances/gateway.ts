/**
 * One gateway with many instances, measured from inside: `node --expose-gc bench/instances/gateway.ts FILE OWNERS`. Prints
 * one line of JSON and ends.
 */
import { matchInstance } from "../../src/config/match.ts";
import { loadConfig } from "../../src/config/load.ts";
import { createRewriter } from "../../src/gateway/rewriter.ts";
import { serve } from "../../src/runtime/node/serve.ts";
import { answerOf, messageRequest } from "../traffic.ts";
import type { Measured } from "./measured.ts";
import { keyOf } from "./owners.ts";

const [file = "", owners = ""] = process.argv.slice(2);
const count = Number(owners);

const config = await loadConfig(file);
const running = await serve({ config, host: "127.0.0.1", port: 0, log: () => undefined });
const startMs = performance.now();
const idleBytes = memory();

const rewriter = createRewriter({ config });
const body = new TextEncoder().encode(answerOf("flagged", 1700));
const request = new TextEncoder().encode(messageRequest);
const languages = ["en", "fr", "en-GB", "fr-CA", "de"];

let changed = 0;
for (let owner = 0; owner < count; owner++) {
  for (let k = 0; k < languages.length; k++) changed += turn(owner, k);
}
const warmBytes = memory();

let state = 0x2545f491;
for (let k = 0; k < 60_000; k++) changed += turn(next() % count, k);
const lookUps = sample(4000, 32, (owner) => Number(find(owner) !== null));
const turns = sample(60_000, 1, (owner, k) => turn(owner, k));

const measured: Measured = {
  startMs,
  idleBytes,
  warmBytes,
  residentBytes: process.memoryUsage.rss(),
  lookUpP50: quantileOf(lookUps, 0.5),
  lookUpP99: quantileOf(lookUps, 0.99),
  turnP50: quantileOf(turns, 0.5),
  turnP99: quantileOf(turns, 0.99),
};
if (changed === 0) throw new Error("nothing was rewritten");
process.stdout.write(`${JSON.stringify(measured)}\n`);
await running.close();

function find(owner: number) {
  const request = { apiKey: keyOf(owner), host: "127.0.0.1:8787", path: "/v1/conversation" };
  const instance = matchInstance(config, request);
  return instance === null ? null : rewriter.ofInstance(instance);
}

/** What one message costs: find the instance, negotiate, rewrite. */
function turn(owner: number, k: number): number {
  const lang = languages[k % languages.length];
  const rewritten = find(owner)?.rewrite(body, { lang, session: "session", request });
  if (rewritten?.changed !== true) throw new Error(`nothing was rewritten for owner ${owner}`);
  return 1;
}

/** Nanoseconds of one call, `per` calls a sample. */
function sample(samples: number, per: number, work: (owner: number, k: number) => number) {
  const times = new Float64Array(samples);
  for (let k = 0; k < samples; k++) {
    const begin = process.hrtime.bigint();
    for (let call = 0; call < per; call++) changed += work(next() % count, k);
    times[k] = Number(process.hrtime.bigint() - begin) / per;
  }
  return times.sort();
}

function quantileOf(sorted: Float64Array, share: number): number {
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
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
