// Suite: slow
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readReport } from "../../src/insights/report.ts";
import { openInsightsDatabase } from "../../src/insights/tables.ts";
import { startScriptedUpstream } from "../../src/testing/index.ts";
import { workspace } from "../config/workspace.ts";
import { json } from "../gateway/harness.ts";
import { root, startServer } from "../runtime/processes/processes.ts";
import { countsOf, everything, failing, send } from "./counting.ts";

it("counts a random walk as an independent count does, but for the last batch before a kill", async () => {
  const upstream = await startScriptedUpstream({
    handler: ({ body }) => ({
      headers: json,
      body: new TextDecoder().decode(body).includes("fail") ? failing : '{"answers":[]}',
    }),
  });
  onTestFinished(() => upstream.close());
  const directory = await workspace({
    "afterword.yaml": `version: 1
data: ./data
upstream: { auth: "${upstream.origin}", apis: { chatbot: "${upstream.origin}" } }
instances: [{ name: shop, language: en, created: 2018-01-01 }]
insights: { store: file }
`,
  });
  const config = join(directory, "afterword.yaml");
  const argv = [join(root, "src/cli/main.ts"), "serve", "--config", config, "--port", "0"];
  const start = () => startServer(argv, {});
  const counted = { said: 0, failed: 0, answered: 0, clicked: 0, messages: 0 };
  const open = new Set<string>();
  let seed = 7;
  const random = (most: number): number => (seed = (seed * 48_271) % 2_147_483_647) % most;
  let server = await start();
  let lost = 0;
  const countLost = async (): Promise<number> => {
    const database = await openInsightsDatabase(join(directory, "data/insights.db"));
    const { messages } = await readReport(database, everything);
    await database.close();
    return counted.messages - messages;
  };
  for (let turn = 0; turn < 2000; turn++) {
    // A batch is written automatically.
    if (turn === 900) await expect.poll(countLost, { interval: 200 }).toBe(0);
    if (turn === 1000) {
      await server.stop("SIGKILL");
      lost = await countLost();
      expect(lost).toBeLessThanOrEqual(100);
      server = await start();
    }
    const reader = `reader ${random(40)}`;
    const fails = random(3) === 0;
    const clicks = !fails && random(2) === 0;
    await send(server.url, reader, clicks ? { option: "1" } : { message: fails ? "fail" : "ok" });
    counted.messages++;
    if (open.has(reader)) counted[fails ? "failed" : clicks ? "clicked" : "answered"]++;
    if (fails) open.add(reader);
    else open.delete(reader);
    if (fails) counted.said++;
  }
  await server.stop("SIGTERM");
  const database = await openInsightsDatabase(join(directory, "data/insights.db"));
  const report = await readReport(database, everything);
  await database.close();
  const { said = 0, failed = 0, answered = 0, clicked = 0 } = countsOf(report);
  // Nothing is counted twice, and only turns of the killed process's last batch are missing.
  expect(report.messages).toBe(counted.messages - lost);
  expect(said).toBeGreaterThan(0);
  expect(counted.said - said).toBeGreaterThanOrEqual(0);
  expect(counted.said - said).toBeLessThanOrEqual(lost);
  const outcomes = counted.failed + counted.answered + counted.clicked;
  expect(Math.abs(outcomes - (failed + answered + clicked))).toBeLessThanOrEqual(lost);
}, 120_000);
