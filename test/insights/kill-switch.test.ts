import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import { readReport } from "../../src/insights/report.ts";
import { openInsightsDatabase } from "../../src/insights/tables.ts";
import { json, startBench } from "../gateway/harness.ts";
import { createFolder } from "../fixtures/folder.ts";
import { countsOf, everything, failing, send, settings } from "./counting.ts";

const click = '{"option":"1"}';

it.each([
  { how: "plain", body: click, coding: "identity" },
  { how: "compressed", body: gzipSync(click), coding: "gzip" },
])("counts a click that is sent $how while the kill switch is on", async ({ body, coding }) => {
  const data = createFolder();
  const config = { data, insights: { ...settings, store: "file" } };
  const handler = () => ({ headers: json, body: failing });
  const before = await startBench({ data, config, handler });
  onTestFinished(() => before.close());
  await send(before.url, "reader", { message: "fail" });
  await before.close();
  const env = { AFTERWORD_DISABLE: "1" };
  const after = await startBench({ data, config, handler, env });
  onTestFinished(() => after.close());
  const init = {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "content-encoding": coding,
      "x-inbenta-session": "Bearer reader",
    },
    body,
  };
  const response = await fetch(`${after.url}/v1/conversation/message`, init);
  expect(await response.text()).toBe(failing);
  await after.close();
  const database = await openInsightsDatabase(join(data, "insights.db"));
  onTestFinished(() => database.close());
  expect(countsOf(await readReport(database, everything))).toEqual({ said: 1, clicked: 1 });
});
