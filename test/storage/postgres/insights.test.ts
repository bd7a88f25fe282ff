import { afterAll, beforeAll, expect, it } from "vitest";
import { openInsightsDatabase } from "../../../src/insights/tables.ts";
import { readReport } from "../../../src/insights/report.ts";
import { createFolder } from "../../fixtures/folder.ts";
import { countsOf, everything, send, startCounting } from "../../insights/counting.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

it("shares counts and open outcomes between two gateways", async () => {
  const address = await server.newDatabase();
  const [one, other] = await Promise.all([
    startCounting(createFolder(), address),
    startCounting(createFolder(), address),
  ]);
  const readers = Array.from({ length: 50 }, (_, reader) => `reader ${reader}`);
  for (const reader of readers) await send(one.url, reader, { message: "fail" });
  for (const reader of readers) await send(other.url, `other ${reader}`, { message: "fail" });
  await one.close();
  for (const reader of readers) await send(other.url, reader, { message: "a question" });
  await other.close();
  const database = await openInsightsDatabase(address);
  const report = await readReport(database, everything);
  await database.close();
  expect(countsOf(report)).toEqual({ said: 100, answered: 50 });
  expect(report.messages).toBe(150);
  expect(report.gaps).toEqual([]);
});
