import { sql } from "kysely";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { openDatabase } from "../../../src/backend/storage/open-database.ts";
import { loadMatchingWords } from "../../../src/config/load/matching-words.ts";
import { eraseInsights } from "../../../src/insights/erase.ts";
import { dismissQuestion } from "../../../src/insights/question-store.ts";
import { createQuestionLanguages } from "../../../src/insights/questions.ts";
import { readQuestions } from "../../../src/insights/read-questions.ts";
import { readReport } from "../../../src/insights/report.ts";
import { createInsightsStore } from "../../../src/insights/store.ts";
import { openInsightsDatabase } from "../../../src/insights/tables.ts";
import { createFolder } from "../../fixtures/folder.ts";
import { receiver } from "../../backend/webhooks/receiver.ts";
import { ask, showContent } from "../../insights/asking.ts";
import { startSummaries } from "../../insights/weekly.ts";
import {
  countsOf,
  everything,
  noteAll,
  send,
  startCounting,
  digest,
} from "../../insights/counting.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

it("two gateways share counts and open outcomes", async () => {
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

it("several processes send each week's summary once", async () => {
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

it("the store counts contents that were the answer, and groups the questions they answered", async () => {
  const database = await openInsightsDatabase(await server.newDatabase());
  onTestFinished(() => database.close());
  const languages = createQuestionLanguages(loadMatchingWords);
  const questions = { languages, retention: 86_400_000, isOwn: () => true };
  const hashing = { digest, questions };
  const store = createInsightsStore({ ...hashing, database, createSalt: () => "salt" });
  const at = Date.now();
  const asked = { at, instance: "shop", language: "en", session: "one", typed: "opening hours" };
  const first = [showContent(asked, 12), ask({ ...asked, typed: "moon?" })];
  await store.write(noteAll(first, hashing), [], at);
  const second = [showContent({ ...asked, session: "two" }, 12)];
  await store.write(noteAll(second, hashing), [], at);
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

it("two stores group their unanswered questions together, forget them in time, and erase them", async () => {
  const address = await server.newDatabase();
  const day = 86_400_000;
  const languages = createQuestionLanguages(loadMatchingWords);
  const questions = { languages, retention: 90 * day, isOwn: () => false, maxGroups: 3 };
  const hashing = { digest, questions };
  const open = async () => {
    const database = await openInsightsDatabase(address);
    const store = createInsightsStore({ ...hashing, database, createSalt: () => "salt" });
    return { database, store };
  };
  const [one, other] = await Promise.all([open(), open()]);
  onTestFinished(() => Promise.all([one.store.close(), other.store.close()]).then(() => undefined));
  let now = Date.parse("2026-11-01T10:00:00Z");
  const write = ({ store }: typeof one, language: string, typed: string, sessions: string[]) => {
    const facts = sessions.map((session) =>
      ask({ at: now, instance: "shop", language, session, typed }),
    );
    return store.write(noteAll(facts, hashing), [], now);
  };
  const read = (most = 10) =>
    readQuestions(one.database, { ...everything, questions: most }, questions, now);
  // Both concurrently; the third reader asks twice.
  await Promise.all([
    write(one, "de", "Kann ich auf Rechnung zahlen? 0170 1234567", ["a", "b"]),
    write(other, "de", "auf Rechnung zahlen", ["c", "c"]),
    write(one, "ja", "海外発送はできますか", ["d"]),
    write(other, "ja", "海外への発送", ["e", "f"]),
  ]);
  const groups = await read();
  expect(
    groups.map(({ language, asked, conversations }) => [language, asked, conversations]),
  ).toEqual([
    ["de", 4, 3],
    ["ja", 3, 3],
  ]);
  expect(groups.map(({ text }) => text).join()).not.toContain("0170");
  expect(await read(1)).toHaveLength(1);
  // Of more groups than are kept, those with the fewest conversations are removed.
  for (const typed of ["gift cards?", "bicycle repair?", "student discount?"]) {
    await write(other, "en", typed, ["g"]);
  }
  const kept = await one.database.kysely.selectFrom("insight_questions").select("text").execute();
  expect(kept).toHaveLength(3);
  expect((await read()).map(({ language }) => language)).toEqual(["de", "ja"]);
  now += 91 * day;
  expect(await read()).toEqual([]);
  await write(one, "de", "Kann ich auf Rechnung zahlen?", ["h", "i", "j"]);
  // The group keeps the words of the current conversations; those of the others are gone.
  const texts = await one.database.kysely.selectFrom("insight_questions").select("text").execute();
  expect(texts).toEqual([{ text: "Kann ich auf Rechnung zahlen?" }]);
  expect(await read()).toMatchObject([{ asked: 7, conversations: 6 }]);
  expect(await eraseInsights(one.database, { instances: ["shop"], demo: false })).toBeGreaterThan(
    1,
  );
  expect(await read()).toEqual([]);
  const askers = await one.database.kysely.selectFrom("insight_askers").selectAll().execute();
  expect(askers).toEqual([]);
}, 60_000);

it("insights and the backend share a database, whichever opens it first", async () => {
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

it("finds and erases nothing for a token whose instances are gone", async () => {
  const database = await openInsightsDatabase(await server.newDatabase());
  onTestFinished(() => database.close());
  const at = Date.parse("2026-11-01T10:00:00Z");
  const questions = {
    languages: createQuestionLanguages(loadMatchingWords),
    retention: 86_400_000,
    isOwn: () => true,
  };
  const hashing = { digest, questions };
  const store = createInsightsStore({ ...hashing, database, createSalt: () => "salt" });
  const asked = { at, instance: "shop", language: "en", session: "one", typed: "moon?" };
  await store.write(noteAll([ask(asked)], hashing), [], at);
  const none = { ...everything, instances: [], questions: 10, contents: "all" as const };
  expect(await readReport(database, none)).toMatchObject({ messages: 0, lines: [], contents: [] });
  expect(await readQuestions(database, none, questions, at)).toEqual([]);
  const [{ id } = expect.fail("no group")] = await database.kysely
    .selectFrom("insight_questions")
    .select("id")
    .execute();
  expect(await dismissQuestion(database, { id, instances: [], dismissed: true })).toBe(false);
  for (const demo of [true, false]) {
    expect(await eraseInsights(database, { instances: [], demo })).toBe(0);
  }
  expect(await readQuestions(database, { ...none, instances: null }, questions, at)).toHaveLength(
    1,
  );
});
