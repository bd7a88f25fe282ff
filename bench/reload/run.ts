/**
 * Whether reloading disturbs anybody: `node bench/reload/run.ts [--connections N] [--seconds N]
 * [--swaps N]`. A gateway of its own process is asked on all connections while its texts are
 * swapped; every answer must be of one table. Exit code 1 when a request failed or an answer was of
 * two.
 */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startScriptedUpstream } from "../../src/testing/index.ts";
import { node } from "../launch.ts";
import { askThroughSwaps, engineAnswer, type SwapCounts, writeTables } from "./swaps.ts";

const { values } = parseArgs({
  options: {
    connections: { type: "string", default: "64" },
    seconds: { type: "string", default: "60" },
    swaps: { type: "string", default: "100" },
  },
});
const swaps = Number(values.swaps);

const directory = await mkdtemp(join(tmpdir(), "afterword-reload-"));
const upstream = await startScriptedUpstream({
  handler: () => ({ headers: ["Content-Type", "application/json"], body: engineAnswer }),
});
try {
  const tables = await writeTables(directory, upstream.origin);
  const gateway = await startGateway(tables.file);
  try {
    const counts = await askThroughSwaps(
      {
        url: gateway.url,
        connections: Number(values.connections),
        swaps,
        every: (Number(values.seconds) * 1000) / (swaps + 1),
        pause: 5,
      },
      tables,
    );
    console.log(report(counts, await gateway.reloads()));
    if (counts.failed + counts.mixed > 0) process.exitCode = 1;
  } finally {
    await gateway.stop();
  }
} finally {
  await upstream.close();
  await rm(directory, { recursive: true, force: true });
}

async function startGateway(file: string) {
  const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
  const child = spawn(node, [main, "serve", "--config", file, "--port", "0"], {
    env: { PATH: process.env["PATH"], AFTERWORD_LOG: "warn" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on("line", (line) => {
      const found = /listens on (\S+)/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then(() => reject(new Error("the gateway did not start")));
  });
  return {
    url,
    async reloads() {
      const metrics = await (await fetch(`${url}/_afterword/metrics`)).text();
      return metrics.split("\n").filter((line) => line.startsWith("afterword_reloads_total"));
    },
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function report(counts: SwapCounts, reloads: readonly string[]): string {
  const sorted = counts.latencies.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
  return [
    `${counts.swaps} swaps in ${counts.seconds.toFixed(1)} s, ${counts.requests} requests`,
    `wholly A: ${counts.wholly.A}, wholly B: ${counts.wholly.B}, of two tables: ${counts.mixed}, failed: ${counts.failed}`,
    `milliseconds p50 ${at(0.5)}, p99 ${at(0.99)}, p99.9 ${at(0.999)}, longest ${at(1)}`,
    ...reloads,
  ].join("\n");
}
