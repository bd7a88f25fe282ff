import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it, onTestFinished, vi } from "vitest";
import { readReport } from "../../src/insights/report.ts";
import { openInsightsDatabase } from "../../src/insights/tables.ts";
import { createFolder } from "../fixtures/folder.ts";
import { everything, send, startCounting } from "./counting.ts";

it.each([
  { what: "request", keepsQuestions: false, message: "a question" },
  { what: "request with a question to keep", keepsQuestions: true, message: "fail" },
])("holds no long $what while it waits for the store", async ({ keepsQuestions, message }) => {
  const data = createFolder();
  const bench = await startCounting(data, "file", keepsQuestions);
  onTestFinished(() => bench.close());
  const file = join(data, "insights.db");
  const other = new DatabaseSync(file);
  onTestFinished(() => other.close());
  // The store waits five seconds for this transaction.
  other.exec("BEGIN IMMEDIATE");
  const padding = "x".repeat(60_000);
  for (let first = 0; first < 80; first += 10) {
    const readers = Array.from({ length: 10 }, (_, index) => `reader ${first + index}`);
    await Promise.all(readers.map((one) => send(bench.url, one, { message, padding })));
  }
  const whileWaiting = await measureBuffers();
  other.exec("ROLLBACK");
  await vi.waitFor(async () => {
    const database = await openInsightsDatabase(file);
    onTestFinished(() => database.close());
    expect((await readReport(database, everything)).messages).toBe(80);
  }, 20_000);
  expect(whileWaiting - (await measureBuffers())).toBeLessThan(1_000_000);
});

/** Bytes of buffers in use. They are freed some time after their owners are collected. */
async function measureBuffers(): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  const measured: number[] = [];
  for (let round = 0; round < 5; round++) {
    if (typeof collect === "function") collect();
    await pause(20);
    measured.push(process.memoryUsage().arrayBuffers);
  }
  return Math.min(...measured);
}
