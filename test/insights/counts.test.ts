import { join } from "node:path";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished, vi } from "vitest";
import type { Fact } from "../../src/insights/facts.ts";
import { openInsights } from "../../src/insights/open-insights.ts";
import { readReport } from "../../src/insights/report.ts";
import { createInsightsStore } from "../../src/insights/store.ts";
import { openInsightsDatabase } from "../../src/insights/tables.ts";
import { openServedInsights } from "../../src/runtime/node/insights.ts";
import { startBench } from "../gateway/harness.ts";
import { createFolder } from "../fixtures/folder.ts";
import {
  countsOf,
  everything,
  noteAll,
  turn,
  send,
  settings,
  startCounting,
  digest,
} from "./counting.ts";
import { createMetrics } from "../../src/gateway/exchange/metrics.ts";

/** A store that keeps no questions. */
const plain = { digest, questions: null };

async function read(data: string) {
  const database = await openInsightsDatabase(join(data, "insights.db"));
  try {
    return await readReport(database, everything);
  } finally {
    await database.close();
  }
}

it("counts what was said, and what each reader did next", async () => {
  const data = createFolder();
  const bench = await startCounting(data);
  onTestFinished(() => bench.close());
  for (const session of ["answered", "failed", "clicked", "rated", "down", "open"]) {
    expect(await send(bench.url, session, { message: "fail" })).toBe(200);
  }
  await send(bench.url, "answered", { message: "another question" });
  await send(bench.url, "failed", { message: "fail again" });
  await send(bench.url, "clicked", { option: "1" });
  const rate = (session: string, value: number) =>
    send(bench.url, session, { type: "rate", data: { code: "x", value } }, "/v1/tracking/events");
  await rate("rated", 1);
  await rate("down", 2);
  await bench.running.close();
  const report = await read(data);
  expect(countsOf(report)).toEqual({
    said: 7,
    answered: 1,
    failed: 1,
    clicked: 1,
    ratedUp: 1,
    ratedDown: 1,
    unrecovered: 2,
  });
  expect(report.messages).toBe(9);
  expect(report.lines[0]).toMatchObject({ instance: "shop", language: "en", speaker: "own" });
  expect(bench.metrics()).toContain(
    'afterword_outcomes_total{line="no-results",outcome="failed"} 1',
  );
});

it("counts no message that is marked as a test, and no rating of one", async () => {
  const data = createFolder();
  const bench = await startCounting(data);
  onTestFinished(() => bench.close());
  const test = { "x-afterword-test": "true" };
  const rating = { type: "rate", data: { code: "x", value: 1 } };
  const tracking = "/v1/tracking/events";
  await send(bench.url, "owner", { message: "fail" }, undefined, test);
  await send(bench.url, "owner", rating, tracking, test);
  await send(bench.url, "reader", { message: "fail" });
  await bench.running.close();
  const report = await read(data);
  expect(countsOf(report)).toEqual({ said: 1 });
  expect(report.messages).toBe(1);
});

it("goes on after a restart where it stopped", async () => {
  const data = createFolder();
  const before = await startCounting(data);
  await send(before.url, "reader", { message: "fail" });
  await before.close();
  const after = await startCounting(data);
  await send(after.url, "reader", { message: "a question" });
  await after.close();
  expect(countsOf(await read(data))).toEqual({ said: 1, answered: 1 });
});

it("keeps no session, and nothing that a reader typed", async () => {
  const data = createFolder();
  const bench = await startCounting(data);
  await send(bench.url, "session-of-a-reader", { message: "fail: words of a reader" });
  await bench.close();
  const bytes = readFileSync(join(data, "insights.db")).toString("latin1");
  expect(bytes).toContain("no-results");
  expect(bytes).not.toContain("session-of-a-reader");
  expect(bytes).not.toContain("words of a reader");
});

it("answers readers while the store is away, and records the gap", async () => {
  const data = createFolder();
  const bench = await startCounting(data, "postgres://afterword@127.0.0.1:1/none");
  onTestFinished(() => bench.close());
  expect(await send(bench.url, "reader", { message: "fail" })).toBe(200);
  await vi.waitFor(
    () => expect(bench.logs.map(({ event }) => event)).toContain("insights-lost"),
    10_000,
  );
  expect(await send(bench.url, "reader", { message: "fail" })).toBe(200);
  expect(bench.metrics()).toContain("afterword_insights_lost_total 1");
});

it("logs once that the store is away, and once that it is back", async () => {
  const data = createFolder();
  const file = join(data, "insights.db");
  mkdirSync(file);
  const bench = await startCounting(data);
  onTestFinished(() => bench.close());
  let count = 0;
  const sayUntil = (assert: () => void) =>
    vi.waitFor(
      async () => {
        await send(bench.url, `reader ${count++}`, { message: "fail" });
        assert();
      },
      { timeout: 30_000, interval: 100 },
    );
  await sayUntil(() => expect(bench.metrics()).toMatch(/afterword_insights_lost_total [3-9]/));
  rmSync(file, { recursive: true });
  const logged = () => bench.logs.filter(({ event }) => event.startsWith("insights-"));
  await sayUntil(() => expect(logged().at(-1)?.event).toBe("insights-counting"));
  expect(logged()).toHaveLength(2);
  const lost = Number(logged().at(-1)?.fields?.["lost"]);
  await vi.waitFor(
    async () => expect(countsOf(await read(data))["said"]).toBe(count - lost),
    20_000,
  );
});

it("makes no store where nothing is to be counted", async () => {
  const data = createFolder();
  const bench = await startBench({ data });
  expect(bench.running.gateway.core.insights).toBeNull();
  await send(bench.url, "reader", { message: "fail" });
  await bench.close();
  expect(existsSync(join(data, "insights.db"))).toBe(false);
});

/** Insights with a clock that the test sets. */
function openAt(data: string, start: string) {
  const time = { now: Date.parse(start), clock: 0 };
  const lost: string[] = [];
  const insights = openInsights({
    address: join(data, "insights.db"),
    now: () => time.now,
    clock: () => time.clock,
    digest,
    createSalt: () => `salt of ${time.now}`,
    questions: null,
    onOutcome: () => undefined,
    onLost: (_, why, detail) => void lost.push(`${why}: ${detail}`),
    onWritten: () => undefined,
    every: 5,
  });
  let noted = 0;
  const note = (fact: Fact): void => {
    noted++;
    insights.note(fact);
  };
  return {
    insights,
    lost,
    /** Records that a reader saw the line. */
    say(session: string, at = time.now): void {
      note(turn(session, at, true));
    },
    answer(session: string): void {
      note(turn(session, time.now, false));
    },
    /** Advances the clock, so that earlier facts are written. */
    async pass(minutes: number, clock = minutes): Promise<void> {
      note(turn(`marker ${noted}`, time.now, false));
      await vi.waitFor(async () => {
        expect(lost).toEqual([]);
        expect((await insights.report(everything)).messages).toBe(noted);
      }, 20_000);
      time.now += minutes * 60_000;
      // As precise as a process's clock.
      time.clock += clock * 60_000 + 0.25;
    },
    async counts() {
      return countsOf(await insights.report(everything));
    },
  };
}

it("counts a reader who says nothing for 30 minutes as one who has left", async () => {
  const { insights, say, pass, counts } = openAt(createFolder(), "2026-11-01T10:00:00Z");
  say("reader");
  await pass(29);
  expect(await counts()).toEqual({ said: 1 });
  await pass(2);
  await vi.waitFor(async () => {
    await pass(0);
    expect(await counts()).toEqual({ said: 1, left: 1, unrecovered: 1 });
  }, 20_000);
  await insights.close();
});

it("knows a conversation over midnight, though the salt changes, and counts it on its first day", async () => {
  const data = createFolder();
  const { insights, say, answer, pass } = openAt(data, "2026-11-01T23:50:00Z");
  say("reader");
  await pass(20);
  answer("reader");
  await pass(60);
  await pass(0);
  await insights.close();
  const report = await read(data);
  expect(countsOf(report)).toEqual({ said: 1, answered: 1 });
  expect(report.days.map(({ day }) => day)).toEqual(["2026-11-01"]);
  const database = await openInsightsDatabase(join(data, "insights.db"));
  onTestFinished(() => database.close());
  const salts = await database.kysely.selectFrom("insight_salts").select("day").execute();
  expect(salts).toEqual([{ day: Date.parse("2026-11-02") / 86_400_000 }]);
});

it("records a clock that was set back, and goes on counting", async () => {
  const { insights, say, answer, pass, counts } = openAt(createFolder(), "2026-11-01T10:00:00Z");
  say("reader");
  await pass(-120, 0);
  await pass(0);
  say("another");
  answer("another");
  await pass(0);
  expect(await counts()).toEqual({ said: 2, answered: 1, unknown: 1 });
  const { gaps } = await insights.report(everything);
  expect(gaps).toEqual([
    {
      from: "2026-11-01T08:00:00.000Z",
      to: "2026-11-01T10:00:00.000Z",
      why: "the clock was set back",
    },
  ]);
  await insights.close();
});

it("records a process that ended without closing, and not one that closed", async () => {
  const data = createFolder();
  const killed = await openInsightsDatabase(join(data, "insights.db"));
  const start = Date.parse("2026-11-01T10:00:00Z");
  const createSalt = () => "killed";
  const store = createInsightsStore({ ...plain, database: killed, createSalt });
  await store.write(noteAll([], plain), [], start);
  // Its last batch is there; later facts are missing.
  await store.write(noteAll([turn("reader", start + 5500, true)], plain), [], start + 6000);
  await killed.close();
  const closed = openAt(data, "2026-11-01T10:00:01Z");
  await closed.pass(1);
  await closed.insights.close();
  const { insights } = openAt(data, "2026-11-01T10:03:00Z");
  await vi.waitFor(async () => {
    expect((await insights.report(everything)).gaps).toEqual([
      {
        from: "2026-11-01T10:00:06.000Z",
        to: "2026-11-01T10:00:36.000Z",
        why: "a process ended suddenly, and its last second may be missing",
      },
    ]);
  }, 20_000);
  await insights.close();
});

it("counts no reader before the store knows the process, which could be killed at once", async () => {
  const data = createFolder();
  const bench = await startCounting(data);
  onTestFinished(() => bench.close());
  const database = new DatabaseSync(join(data, "insights.db"), { readOnly: true });
  onTestFinished(() => database.close());
  expect(database.prepare("SELECT writer FROM insight_writers").all()).toHaveLength(1);
});

it("drops the oldest when more conversations are open than it can follow", async () => {
  const database = await openInsightsDatabase(join(createFolder(), "insights.db"));
  onTestFinished(() => database.close());
  const createSalt = () => "salt";
  const store = createInsightsStore({ ...plain, database, createSalt, maxOpen: 100 });
  const start = Date.parse("2026-11-01T10:00:00Z");
  const say = Array.from({ length: 150 }, (_, reader) => turn(`${reader}`, start + reader, true));
  await store.write(noteAll(say, plain), [], start + 1000);
  const answered = [turn("149", start + 2000, false)];
  // An excess is noticed within ten seconds.
  await store.write(noteAll(answered, plain), [], start + 11_000);
  const counts = countsOf(await readReport(database, everything));
  expect(counts).toMatchObject({ said: 150, answered: 1 });
  expect(counts["unknown"]).toBeGreaterThanOrEqual(49);
});

it("names conversations as a restored store does within ten seconds", async () => {
  const database = await openInsightsDatabase(join(createFolder(), "insights.db"));
  onTestFinished(() => database.close());
  const start = Date.parse("2026-11-01T10:00:00Z");
  const open = (salt: string) =>
    createInsightsStore({ ...plain, database, createSalt: () => salt });
  const [one, other] = [open("salt of one"), open("salt of another")];
  await one.write(noteAll([], plain), [], start);
  // A backup from another hour has another salt for the day.
  await database.kysely.updateTable("insight_salts").set({ salt: "restored" }).execute();
  const [failed, answered] = [start + 10_000, start + 11_000];
  await one.write(noteAll([turn("reader", failed, true)], plain), [], failed);
  await other.write(noteAll([turn("reader", answered, false)], plain), [], answered);
  const counts = countsOf(await readReport(database, everything));
  expect(counts).toEqual({ said: 1, answered: 1 });
});

it("counts one process's facts beside another's", async () => {
  const data = createFolder();
  const open = () =>
    openServedInsights(settings, {
      config: { data, instances: [] },
      backend: null,
      log: () => undefined,
      metrics: () => createMetrics(),
    });
  const [one, other] = [open(), open()];
  for (let reader = 0; reader < 500; reader++) {
    one.note(turn(`one ${reader}`, Date.now(), true));
    other.note(turn(`other ${reader}`, Date.now(), true));
  }
  await Promise.all([one.close(), other.close()]);
  const third = open();
  for (let reader = 0; reader < 500; reader++) {
    third.note(turn(`one ${reader}`, Date.now(), false));
    third.note(turn(`other ${reader}`, Date.now(), true));
  }
  await third.close();
  expect(countsOf(await read(data))).toEqual({
    said: 1500,
    answered: 500,
    failed: 500,
    unrecovered: 500,
  });
});
