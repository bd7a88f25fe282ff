import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { leftAfter } from "../../src/insights/batch.ts";
import { readReport } from "../../src/insights/report.ts";
import { createInsightsStore } from "../../src/insights/store.ts";
import { openInsightsDatabase } from "../../src/insights/tables.ts";
import { createFolder } from "../fixtures/folder.ts";
import { countsOf, digest, everything, noteAll, turn } from "./counting.ts";

const plain = { digest, questions: null };

it("counts many readers who left at once in several batches, so that none blocks the event loop", async () => {
  const database = await openInsightsDatabase(join(createFolder(), "insights.db"));
  onTestFinished(() => database.close());
  const store = createInsightsStore({ ...plain, database, createSalt: () => "salt" });
  const start = Date.parse("2026-11-01T10:00:00Z");
  const say = Array.from({ length: 5000 }, (_, reader) => turn(`${reader}`, start, true));
  await store.write(noteAll(say, plain), [], start);
  const left: number[] = [];
  for (let batch = 0; batch < 3; batch++) {
    await store.write(noteAll([], plain), [], start + leftAfter + 10_000 + batch * 1000);
    left.push(countsOf(await readReport(database, everything))["left"] ?? 0);
  }
  expect(left).toEqual([2000, 4000, 5000]);
});
