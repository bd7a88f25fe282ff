import { expect, it, onTestFinished } from "vitest";
import { askThroughSwaps, engineAnswer, writeTables } from "../../bench/reload/swaps.ts";
import { loadConfig } from "../../src/config/load/load.ts";
import { serve } from "../../src/runtime/node/serve.ts";
import { startScriptedUpstream } from "../../src/testing/index.ts";
import { folder } from "../runtime/node/reload/support.ts";

it("every answer is wholly of one table while tables are swapped, and no request fails", async () => {
  const upstream = await startScriptedUpstream({
    handler: () => ({ headers: ["Content-Type", "application/json"], body: engineAnswer }),
  });
  onTestFinished(() => upstream.close());
  const tables = await writeTables((await folder()).path, upstream.origin);
  const { file } = tables;
  const config = await loadConfig(file, { env: {} });
  const events: string[] = [];
  const log = (_level: string, event: string): void => void events.push(event);
  const running = await serve({ config, port: 0, env: {}, log, reload: { file } });
  onTestFinished(() => running.close());
  const counts = await askThroughSwaps(
    { url: running.url, connections: 8, swaps: 10, every: 300, pause: 2 },
    tables,
  );
  expect(counts).toMatchObject({ mixed: 0, failed: 0 });
  expect(counts.wholly.A).toBeGreaterThan(0);
  expect(counts.wholly.B).toBeGreaterThan(0);
  expect(events.filter((event) => event === "reloaded")).toHaveLength(10);
  expect(events).not.toContain("reload-failed");
});
