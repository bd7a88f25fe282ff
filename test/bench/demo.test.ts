import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { playDemo } from "../../bench/demo/traffic.ts";
import { loadConfig } from "../../src/config/load/load.ts";
import { addLines } from "../../src/insights/line-counts.ts";
import { readReport } from "../../src/insights/report.ts";
import { openInsightsDatabase } from "../../src/insights/tables.ts";
import { afterword } from "../cli/terminal.ts";
import { createFolder } from "../fixtures/folder.ts";

const shop = fileURLToPath(new URL("../../config/", import.meta.url));
const everything = { from: null, to: null, instances: null };
const now = Date.parse("2026-11-28T12:00:00Z");
/** The counts of a reader's line of the day before yesterday. */
const readersLine = { instance: "shop", language: "en", channel: "web", line: "no-results" };
const readers = {
  ...readersLine,
  ...{ day: Date.parse("2026-11-26") / 86_400_000 },
  ...{ speaker: "own" as const, said: 7, answered: 7 },
  ...{ failed: 0, clicked: 0, handedOver: 0, ratedUp: 0, ratedDown: 0, left: 0, unknown: 0 },
};

it("plays a shop in three languages beside real conversations, and erases only what it created", async () => {
  const folder = createFolder();
  await cp(shop, folder, { recursive: true, filter: (file) => !file.includes(".afterword") });
  const file = join(folder, "afterword.yaml");
  const config = { ...(await loadConfig(file)), data: join(folder, ".afterword") };
  await mkdir(config.data, { recursive: true });
  const store = await openInsightsDatabase(join(config.data, "insights.db"));
  await store.transaction((queries) => addLines(queries, [readers], store.dialect));
  const { day, instance } = readers;
  const messages = { day, instance, topic: "messages", name: "", count: 7 };
  await store.kysely.insertInto("insight_topics").values(messages).execute();
  const progress: number[] = [];
  const play = (): Promise<number | null> =>
    playDemo({ config, days: 3, perDay: 45, now, onDay: (played) => progress.push(played) });

  expect(await play()).toBe(2);
  expect(progress).toEqual([1, 2]);
  const report = await readReport(store, everything);
  expect(report.demo).toEqual({ from: "2026-11-25", to: "2026-11-27" });
  const languages = new Set(report.lines.map(({ language }) => language));
  expect([...languages].toSorted()).toEqual(expect.arrayContaining(["en", "es", "fr"]));
  const names = new Set(report.lines.map(({ line }) => line));
  expect([...names]).toEqual(expect.arrayContaining(["welcome", "no-results", "related-title"]));
  expect(report.topics.map(({ topic }) => topic)).toContain("hand-over");
  // Every line has an outcome, so nothing of the demo is open in the store.
  expect(await store.kysely.selectFrom("insight_open").selectAll().execute()).toEqual([]);
  for (const {
    said,
    unrecovered,
    line,
    instance,
    language,
    channel,
    speaker,
    ...counts
  } of report.lines) {
    const { answered, failed, clicked, handedOver, ratedUp, ratedDown, left, unknown } = counts;
    const outcomes = answered + failed + clicked + handedOver + ratedUp + ratedDown + left;
    expect(outcomes + unknown, `${instance} ${language} ${channel} ${line} ${speaker}`).toBe(said);
    expect(unrecovered).toBeLessThanOrEqual(said);
  }
  const days = (date: string): number =>
    report.days.filter(({ day }) => day === date).reduce((sum, { said }) => sum + said, 0);
  expect(days("2026-11-26")).toBe(7);
  expect(days("2026-11-27")).toBeGreaterThan(20);
  const played = await store.kysely.selectFrom("insight_questions").selectAll().execute();
  expect(new Set(played.map(({ language }) => language))).toEqual(new Set(["en", "fr", "es"]));
  expect(played.every(({ demo, conversations }) => demo === 1 && conversations > 0)).toBe(true);
  const texts = played.map(({ text }) => text);
  expect(texts).toEqual(
    expect.arrayContaining(["Vous livrez en Suisse ?", "Tell me a joke", "¿Reparáis bicicletas?"]),
  );
  // The bot does not find contents that it says only by itself, so nobody asks for them.
  for (const title of ["Stay with the bot", "Pass the conversation on", "Pasar la conversación"]) {
    expect(texts).not.toContain(title);
  }
  // A reader's question stays, beside a demo's equal one.
  const own = { ...(played[0] ?? expect.fail("no question")), id: 1, demo: 0 };
  await store.kysely.insertInto("insight_questions").values(own).execute();
  const asked = await afterword(["insights", "--questions", "--config", file]);
  expect(asked.out).toMatch(/\nTell me a joke .* shop \(demo\)/);
  // A second run has nothing left to play.
  expect(await play()).toBe(0);

  const shown = await afterword(["insights", "--config", file]);
  expect(shown.out).toContain("shop: all-options-discarded ");
  expect(shown.out).toContain("2026-11-25 to 2026-11-27: counted from a demo");
  const erased = await afterword(["insights", "erase", "--demo", "--yes", "--config", file]);
  expect(erased).toMatchObject({ code: 0, out: expect.stringMatching(/^erased \d+ rows\n$/) });
  const after = await readReport(store, everything);
  expect(after).toMatchObject({ demo: null, lines: [{ ...readersLine, said: 7 }], topics: [] });
  expect(await store.kysely.selectFrom("insight_questions").selectAll().execute()).toEqual([own]);
  await store.close();
}, 120_000);
