import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { eraseInsights } from "../../src/insights/erase.ts";
import { addLines, type LineOfDay } from "../../src/insights/line-counts.ts";
import { readReport } from "../../src/insights/report.ts";
import { createInsightsStore } from "../../src/insights/store.ts";
import { type InsightsDatabase, openInsightsDatabase } from "../../src/insights/tables.ts";
import { createFolder } from "../fixtures/folder.ts";
import { everything, noteAll, digest } from "./counting.ts";
import { countLine, dayOf } from "./weekly.ts";

async function openStore() {
  const database = await openInsightsDatabase(join(createFolder(), "insights.db"));
  onTestFinished(() => database.close());
  const add = (rows: readonly LineOfDay[]) =>
    database.transaction((queries) => addLines(queries, rows, database.dialect));
  return { database, add };
}

/** The listing that series, days and the sums of a day are kept for. */
async function listInstances({ kysely }: InsightsDatabase) {
  const series = await kysely.selectFrom("insight_series").select("instance").distinct().execute();
  const days = await kysely.selectFrom("insight_days").select("instance").distinct().execute();
  const namesOf = (rows: readonly { readonly instance: string }[]) =>
    rows.map(({ instance }) => instance).toSorted();
  return { series: namesOf(series), days: namesOf(days) };
}

const [monday, tuesday] = ["2026-11-16", "2026-11-17"];

it("sums up a line by day, whatever its language and speaker, and without contents", async () => {
  const { database, add } = await openStore();
  await add([
    countLine(monday, "no-results", { said: 3, failed: 1 }),
    countLine(monday, "no-results", { said: 2, left: 2, language: "fr" }),
    countLine(monday, "no-results", { said: 1, speaker: "engine" }),
    countLine(monday, "content/12", { said: 50 }),
    countLine(monday, "no-results", { said: 90, instance: "bank" }),
  ]);
  await add([
    countLine(monday, "no-results", { said: 4, answered: 4, channel: "app" }),
    countLine(tuesday, "no-results", { said: 7, language: "fr" }),
    // The outcome of a line that was shown on the day before.
    countLine(monday, "no-results", { answered: 1 }),
  ]);
  const shop = { ...everything, instances: ["shop"] };
  const { days, lines } = await readReport(database, shop);
  expect(days).toMatchObject([
    { day: monday, line: "no-results", said: 10, failed: 1, left: 2, answered: 5, unrecovered: 3 },
    { day: tuesday, line: "no-results", said: 7, unrecovered: 0 },
  ]);
  expect(days).toHaveLength(2);
  expect(
    lines.map(({ language, channel, speaker, said }) => [language, channel, speaker, said]),
  ).toEqual([
    ["fr", "", "own", 9],
    ["en", "", "own", 3],
    ["en", "app", "own", 4],
    ["en", "", "engine", 1],
  ]);
  const app = await readReport(database, { ...shop, channel: "app" });
  expect(app.days).toMatchObject([{ day: monday, said: 4 }]);
  expect(app.lines).toMatchObject([{ said: 4 }]);
  const one = await readReport(database, { ...shop, from: tuesday, to: tuesday });
  expect(one.lines).toMatchObject([{ language: "fr", said: 7 }]);
  expect(one.days).toMatchObject([{ day: tuesday, said: 7 }]);
});

it("erases an instance's counts of every kind, and no other's", async () => {
  const { database, add } = await openStore();
  await add([
    countLine(monday, "no-results", { said: 3 }),
    countLine(tuesday, "content/12", { said: 3 }),
    countLine(monday, "no-results", { said: 1, instance: "bank" }),
  ]);
  expect(await eraseInsights(database, { instances: ["shop"], demo: false })).toBe(2);
  expect(await listInstances(database)).toEqual({ series: ["bank"], days: ["bank"] });
  // It is counted again under another number.
  await add([countLine(monday, "no-results", { said: 8 })]);
  expect((await readReport(database, everything)).lines).toMatchObject([{ said: 8 }, { said: 1 }]);
});

it("deletes counts after 400 days, and lines that are not in use any more", async () => {
  const { database, add } = await openStore();
  await add([
    countLine("2025-10-01", "no-results", { said: 3, instance: "closed" }),
    countLine("2025-10-01", "no-results", { said: 3 }),
    countLine(monday, "no-results", { said: 5 }),
  ]);
  const hashing = { digest, questions: null };
  const store = createInsightsStore({ ...hashing, database, createSalt: () => "salt" });
  await store.write(noteAll([], hashing), [], dayOf(tuesday) * 86_400_000);
  expect(await listInstances(database)).toEqual({ series: ["shop"], days: ["shop"] });
  const { lines, days } = await readReport(database, everything);
  expect(lines).toMatchObject([{ instance: "shop", said: 5 }]);
  expect(days).toMatchObject([{ day: monday, said: 5 }]);
});
