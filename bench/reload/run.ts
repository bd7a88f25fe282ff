/** Whether reloading disturbs anybody: `npm run soak:reload -- --help`. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startScriptedUpstream } from "../../src/testing/index.ts";
import { startAfterword } from "../afterword.ts";
import { askThroughSwaps, engineAnswer, type SwapCounts, writeTables } from "./swaps.ts";
import { readOptions, whole } from "../options.ts";
import { quantile } from "../statistics.ts";

const { connections, seconds, swaps } = readOptions({
  name: "npm run soak:reload",
  about:
    "Whether reloading disturbs clients. A gateway in a process of its own is asked on all connections while its texts are swapped; every answer must be of one table.",
  options: {
    connections: whole("open connections", 64),
    seconds: whole("how long it takes in all", 60),
    swaps: whole("how often the texts are swapped", 100),
  },
  fails: "a request failed, or an answer was of two tables",
});

const directory = await mkdtemp(join(tmpdir(), "afterword-reload-"));
const upstream = await startScriptedUpstream({
  handler: () => ({ headers: ["Content-Type", "application/json"], body: engineAnswer }),
});
try {
  const tables = await writeTables(directory, upstream.origin);
  const gateway = await startAfterword(["serve", "--config", tables.file, "--port", "0"], {
    env: { AFTERWORD_LOG: "warn" },
  });
  try {
    const counts = await askThroughSwaps(
      {
        url: gateway.url,
        connections,
        swaps,
        every: (seconds * 1000) / (swaps + 1),
        pause: 5,
      },
      tables,
    );
    console.log(report(counts, await reloadsOf(gateway.url)));
    if (counts.failed + counts.mixed > 0) process.exitCode = 1;
  } finally {
    await gateway.end("SIGTERM");
  }
} finally {
  await upstream.close();
  await rm(directory, { recursive: true, force: true });
}

async function reloadsOf(url: string): Promise<readonly string[]> {
  const metrics = await (await fetch(`${url}/_afterword/metrics`)).text();
  return metrics.split("\n").filter((line) => line.startsWith("afterword_reloads_total"));
}

function report(counts: SwapCounts, reloads: readonly string[]): string {
  const sorted = counts.latencies.toSorted((a, b) => a - b);
  const at = (share: number): string => quantile(sorted, share).toFixed(1);
  return [
    `${counts.swaps} swaps in ${counts.seconds.toFixed(1)} s, ${counts.requests} requests`,
    `wholly A: ${counts.wholly.A}, wholly B: ${counts.wholly.B}, of two tables: ${counts.mixed}, failed: ${counts.failed}`,
    `milliseconds p50 ${at(0.5)}, p99 ${at(0.99)}, p99.9 ${at(0.999)}, longest ${at(1)}`,
    ...reloads,
  ].join("\n");
}
