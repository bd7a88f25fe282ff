import { sql } from "kysely";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { openDatabase } from "../../../src/backend/storage/open-database.ts";
import { loadMatchingWords } from "../../../src/config/load/matching-words.ts";
import { createQuestionLanguages } from "../../../src/insights/questions.ts";
import { readQuestions } from "../../../src/insights/read-questions.ts";
import { readReport } from "../../../src/insights/report.ts";
import { createInsightsStore } from "../../../src/insights/store.ts";
import { openInsightsDatabase } from "../../../src/insights/tables.ts";
import { createFolder } from "../../fixtures/folder.ts";
import { receiver } from "../../backend/webhooks/receiver.ts";
import { ask, showContent } from "../../insights/asking.ts";
import { startSummaries } from "../../insights/weekly.ts";
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

it("sends the sums of each week once from several processes", async () => {
  const address = await server.newDatabase();
  const hook = await receiver((_, response) => void response.end());
  const now = Date.parse("2026-11-23T01:00:00Z");
  const all = await Promise.all(
    Array.from({ length: 4 }, () => startSummaries(address, hook.url, { now })),
  );
  await vi.waitFor(() => expect(all.every(({ looked }) => looked() > 5)).toBe(true), 20_000);
  for (const { pass } of all) pass(7 * 86_400_000);
  const ids = () => hook.received.map(({ body }) => (JSON.parse(body) as { id: string }).id);
  await vi.waitFor(() => expect(ids()).toContain("week-2026-11-23"), 20_000);
  expect(ids()).toEqual(["week-2026-11-16", "week-2026-11-23"]);
  expect(all.flatMap(({ logs }) => logs)).toEqual([]);
});

it("counts contents that were the answer, and groups what they were asked", async () => {
  const database = await openInsightsDatabase(await server.newDatabase());
  onTestFinished(() => database.close());
  const languages = createQuestionLanguages(loadMatchingWords);
  const questions = { languages, retention: 86_400_000, isOwn: () => true };
  const createSalt = () => "salt";
  const store = createInsightsStore({ database, digest: (text) => text, createSalt, questions });
  const at = Date.now();
  const asked = { at, instance: "shop", language: "en", session: "one", typed: "opening hours" };
  await store.write([showContent(asked, 12), ask({ ...asked, typed: "moon?" })], [], at);
  await store.write([showContent({ ...asked, session: "two" }, 12)], [], at);
  const filter = { ...everything, contents: { language: "en", id: 12 }, questions: 10 };
  const report = await readReport(database, filter);
  expect(report.lines.map(({ line }) => line)).toEqual(["no-results"]);
  expect(report.contents).toMatchObject([
    { instance: "shop", language: "en", id: 12, said: 2, failed: 1, unrecovered: 1 },
  ]);
  expect(await readQuestions(database, filter, questions, at)).toMatchObject([
    { text: "opening hours", asked: 2, conversations: 2, line: "content/12" },
  ]);
});

it("keeps counts in the backend's own database, whoever comes first", async () => {
  const [one, other] = [await server.newDatabase(), await server.newDatabase()];
  await (await openDatabase(one)).close();
  await (await openInsightsDatabase(one)).close();
  await (await openInsightsDatabase(other)).close();
  await (await openDatabase(other)).close();
  for (const address of [one, other]) {
    const insights = await openInsightsDatabase(address);
    const backend = await openDatabase(address);
    expect((await readReport(insights, everything)).messages).toBe(0);
    expect(await backend.kysely.selectFrom("sessions").selectAll().execute()).toEqual([]);
    await backend.close();
    const newer = { name: "insights-0099-later", applied: "2026-11-28" };
    await sql`INSERT INTO afterword_schema (name, applied) VALUES (${newer.name}, ${newer.applied})`.execute(
      insights.kysely,
    );
    await insights.close();
    await expect(openInsightsDatabase(address)).rejects.toThrow(/insights-0099-later is unknown/);
    await (await openDatabase(address)).close();
  }
});
