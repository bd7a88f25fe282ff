/** What idle and slow clients cost the others: `npm run bench:idle -- --help`. */
import { setTimeout as wait } from "node:timers/promises";
import { connectIdle, connectSlowReaders, connectToSlowUpstream } from "./clients.ts";
import { startSlowUpstream } from "./upstream.ts";
import { load } from "../load.ts";
import { describeMachine, findObstacle, loadAverage } from "../machine.ts";
import { type SoakGateway, startSoakGateway } from "../soak/gateway.ts";
import { spreadOf } from "../statistics.ts";
import { messagePath } from "../traffic.ts";
import { startUpstreams } from "../upstreams.ts";
import { cores, giveUp, optionalText, readOptions, text, whole } from "../options.ts";

const values = readOptions({
  name: "npm run bench:idle",
  about:
    "What idle and slow clients cost the others. First the memory of many clients that keep their connection and say nothing. Then, in alternating rounds, the latency of 32 normal connections alone, and beside the idle ones, slow readers and a slow upstream.",
  options: {
    clients: whole("idle clients", 10_000),
    slow: whole("slow readers, and requests to the slow upstream", 100),
    seconds: whole("each load in a round", 6),
    rounds: whole("rounds", 5),
    main: optionalText("the command to measure", "FILE", "src/cli/main.ts"),
    node: text("options of its Node", "OPTIONS", ""),
    ...cores,
  },
  fails:
    "an idle client costs more than 15 KB, or p99 beside the others is more than 1.5 times p99 alone",
});
const { clients, slow, "proxy-core": proxyCore, "load-core": loadCore } = values;
const limits = { bytes: 15_000, ratio: 1.5 };

const obstacle = findObstacle(proxyCore, loadCore);
if (obstacle !== null) giveUp(obstacle);

const upstreams = await startUpstreams(1700, loadCore);
const slowUpstream = await startSlowUpstream();
const gateway = await startSoakGateway({
  upstream: upstreams.flagged.origin,
  slowUpstream: slowUpstream.origin,
  core: proxyCore,
  nodeOptions: values.node.split(" ").filter((option) => option !== ""),
  ...(values.main === null ? {} : { main: values.main }),
});
try {
  const port = Number(new URL(gateway.url).port);
  const url = `${gateway.url}${messagePath}`;
  const machine = describeMachine(process.version);
  console.log(`${machine.processor}, ${machine.cores} cores, load ${loadAverage().toFixed(1)}`);
  await load(url, 5, 32, loadCore);
  const each = await memoryOfIdle(gateway, port);
  console.log(`each of ${clients} idle clients: ${(each / 1000).toFixed(1)} KB of RSS (limit 15)`);

  const ratios: number[] = [];
  for (let round = 0; round < values.rounds; round++) {
    const alone = await p99(url);
    const others = [
      await connectIdle(port, clients),
      connectSlowReaders(port, slow),
      connectToSlowUpstream(port, slow),
    ];
    // Until the system's buffers are full: from then on the readers are slow.
    await wait(4000);
    const beside = await p99(url);
    const open = others.map((other) => other.open());
    for (const other of others) other.close();
    await wait(500);
    if (open.reduce((sum, count) => sum + count, 0) < clients + 2 * slow) {
      throw new Error(`connections were lost: ${open.join(", ")} are left`);
    }
    ratios.push(beside / alone);
    console.log(
      `p99 alone ${ms(alone)}, beside ${clients} idle clients, ${slow} slow readers and ${slow} slow answers ${ms(beside)}: ${(beside / alone).toFixed(2)}`,
    );
  }
  const { low, median, high } = spreadOf(ratios);
  console.log(
    `p99 beside others over p99 alone: median ${median.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)}; limit ${limits.ratio})`,
  );
  if (each > limits.bytes || median > limits.ratio) process.exitCode = 1;
} finally {
  await gateway.stop();
  await slowUpstream.close();
  await upstreams.stop();
}

/**
 * Bytes of resident memory for each, against what the gateway had after a load on 32 connections.
 */
async function memoryOfIdle({ rss }: SoakGateway, port: number): Promise<number> {
  await wait(2000);
  const before = rss();
  const idle = await connectIdle(port, clients);
  await wait(2000);
  const during = rss();
  idle.close();
  await wait(1000);
  console.log(
    `RSS in MB: ${before.toFixed(1)} before, ${during.toFixed(1)} with ${clients} idle clients`,
  );
  return ((during - before) * 1e6) / clients;
}

async function p99(url: string): Promise<number> {
  const seen = await load(url, values.seconds, 32, loadCore);
  if (seen.requests > 0 && seen.broken + seen.refused === 0) return seen.p99;
  throw new Error(`${seen.requests} answers, ${seen.broken} broken, ${seen.refused} refused`);
}

function ms(microseconds: number): string {
  return `${(microseconds / 1000).toFixed(2)} ms`;
}
