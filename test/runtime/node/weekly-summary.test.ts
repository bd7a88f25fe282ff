// Suite: slow
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { addLines } from "../../../src/insights/line-counts.ts";
import { openInsightsDatabase } from "../../../src/insights/tables.ts";
import { lastWeekAt } from "../../../src/insights/weekly-summary.ts";
import { keepSummarizing } from "../../../src/runtime/node/weekly-summary.ts";
import { type Received, receiver } from "../../backend/webhooks/receiver.ts";
import { createFolder } from "../../fixtures/folder.ts";
import { startBench } from "../../gateway/harness.ts";
import { settings } from "../../insights/counting.ts";
import { countLine, dayOf, secret, startSummaries } from "../../insights/weekly.ts";

const monday = Date.parse("2026-11-23T01:00:00Z");

/** Verifies a received request as the guide describes, and reads it. */
function readSigned({ headers, body }: Received, now: number): Record<string, unknown> {
  const timestamp = headers["x-afterword-timestamp"];
  expect(timestamp).toBe(String(Math.floor(now / 1000)));
  const hmac = createHmac("sha256", secret)
    .update(`${String(timestamp)}.${body}`)
    .digest("hex");
  expect(headers["x-afterword-signature"]).toBe(`v1=${hmac}`);
  expect(headers["content-type"]).toBe("application/json");
  const summary = JSON.parse(body) as Record<string, unknown>;
  expect(headers["idempotency-key"]).toBe(summary["id"]);
  return summary;
}

async function createStore(): Promise<string> {
  const address = join(createFolder(), "insights.db");
  const database = await openInsightsDatabase(address);
  const topic = (day: string, name: string, of: string, count: number) => {
    return { day: dayOf(day), topic: of, instance: "shop", name, count };
  };
  const lines = [
    countLine("2026-11-16", "no-results", { said: 10, failed: 4, answered: 4, unknown: 2 }),
    countLine("2026-11-22", "no-results", { said: 2, left: 2, language: "fr" }),
    countLine("2026-11-17", "welcome", { said: 20, answered: 10, left: 10 }),
    countLine("2026-11-15", "no-results", { said: 7, answered: 7 }),
    countLine("2026-11-23", "no-results", { said: 99, failed: 99 }),
  ];
  await database.transaction((queries) => addLines(queries, lines, database.dialect));
  await database.kysely
    .insertInto("insight_topics")
    .values([
      topic("2026-11-16", "", "messages", 40),
      topic("2026-11-22", "", "messages", 2),
      topic("2026-11-15", "", "messages", 9),
      topic("2026-11-23", "", "messages", 100),
      topic("2026-11-18", "gl", "language", 3),
      topic("2026-11-18", "offered", "hand-over", 5),
      topic("2026-11-19", "ticket", "hand-over", 2),
      topic("2026-11-19", "no-texts", "left-alone", 8),
    ])
    .execute();
  const since = Date.parse("2026-11-18T10:00:00Z");
  await database.kysely
    .insertInto("insight_gaps")
    .values({ since, until: since + 60_000, why: "the store was away" })
    .execute();
  await database.close();
  return address;
}

it("sends the sums of the last week and of the one before, signed", async () => {
  const hook = await receiver((_, response) => void response.end());
  await startSummaries(await createStore(), hook.url, { now: monday });
  await vi.waitFor(() => expect(hook.received).toHaveLength(1), 20_000);
  const [first] = hook.received;
  expect(first?.method).toBe("POST");
  expect(first && readSigned(first, monday)).toEqual({
    id: "week-2026-11-16",
    from: "2026-11-16",
    to: "2026-11-22",
    messages: 42,
    lines: [
      { instance: "shop", line: "no-results", said: 12, known: 10, unrecovered: 6, helped: 0.4 },
      { instance: "shop", line: "welcome", said: 20, known: 20, unrecovered: 0, helped: 1 },
    ],
    languages: [{ instance: "shop", language: "gl", count: 3 }],
    handOver: { offered: 5, accepted: 0, person: 0, ticket: 2, nobody: 0 },
    gaps: [
      {
        from: "2026-11-18T10:00:00.000Z",
        to: "2026-11-18T10:01:00.000Z",
        why: "the store was away",
      },
    ],
    demo: null,
    before: {
      from: "2026-11-09",
      to: "2026-11-15",
      messages: 9,
      lines: [
        { instance: "shop", line: "no-results", said: 7, known: 7, unrecovered: 0, helped: 1 },
      ],
      languages: [],
      handOver: { offered: 0, accepted: 0, person: 0, ticket: 0, nobody: 0 },
      gaps: [],
      demo: null,
    },
  });
});

it.each([
  ["2026-11-22T23:59:59Z", "2026-11-09"],
  ["2026-11-23T00:59:59Z", "2026-11-09"],
  ["2026-11-23T01:00:00Z", "2026-11-16"],
  ["2026-11-29T12:00:00Z", "2026-11-16"],
])("takes at %s the week that began on %s for the last one", (now, week) => {
  expect(lastWeekAt(Date.parse(now))).toBe(dayOf(week));
});

it("sends each week once from two processes, and not again after a restart", async () => {
  const hook = await receiver((_, response) => void response.end());
  const address = await createStore();
  const ids = () => hook.received.map(({ body }) => (JSON.parse(body) as { id: string }).id);
  const [one, other] = await Promise.all([
    startSummaries(address, hook.url, { now: monday }),
    startSummaries(address, hook.url, { now: monday }),
  ]);
  await vi.waitFor(() => expect(ids()).toEqual(["week-2026-11-16"]), 20_000);
  await Promise.all([one.end(), other.end()]);
  const looks = await Promise.all([
    startSummaries(address, hook.url, { now: monday + 3_600_000 }),
    startSummaries(address, hook.url, { now: monday + 3_600_000 }),
  ]);
  await vi.waitFor(() => expect(looks.every(({ looked }) => looked() > 3)).toBe(true), 20_000);
  for (const { pass } of looks) pass(7 * 86_400_000);
  await vi.waitFor(() => expect(ids()).toHaveLength(2), 20_000);
  expect(ids()).toEqual(["week-2026-11-16", "week-2026-11-23"]);
});

it("sends the sums later to a receiver that is away, or answers with an error", async () => {
  const received: string[] = [];
  const statuses = [503, 302, 204];
  const server = createServer((request, response) => {
    received.push(String(request.headers["idempotency-key"]));
    response.writeHead(statuses[received.length - 1] ?? 204, { location: "/elsewhere" }).end();
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${port}/hook?of=shop`;
  const { logs, pass } = await startSummaries(await createStore(), url, { now: monday });
  await vi.waitFor(() => expect(logs).toHaveLength(1), 20_000);
  await listen(port);
  pass(10_000);
  await vi.waitFor(() => expect(logs).toHaveLength(2), 20_000);
  pass(20_000);
  await vi.waitFor(() => expect(logs).toHaveLength(3), 20_000);
  pass(40_000);
  await vi.waitFor(() => expect(received).toHaveLength(3), 20_000);
  expect(new Set(received)).toEqual(new Set(["week-2026-11-16"]));
  expect(logs.slice(1)).toEqual([
    `127.0.0.1:${port}: it answered 503`,
    `127.0.0.1:${port}: it answered 302`,
  ]);
  expect(logs.join("\n")).not.toContain(secret);
});

it("tries again while the store is away", async () => {
  const hook = await receiver((_, response) => void response.end());
  const database = await openInsightsDatabase(await createStore());
  let isAway = true;
  const logs: unknown[] = [];
  const end = keepSummarizing({
    webhook: { url: hook.url, secret },
    open: async () => {
      if (isAway) throw new Error("the store is away");
      return database;
    },
    now: () => monday,
    log: (_, event) => void logs.push(event),
    every: 5,
  });
  onTestFinished(async () => {
    await end();
    await database.close();
  });
  await vi.waitFor(() => expect(logs).toContain("summary-failed"), 20_000);
  isAway = false;
  await vi.waitFor(() => expect(hook.received).toHaveLength(1), 20_000);
});

it("is sent by a server whose configuration names an address", async () => {
  const hook = await receiver((_, response) => void response.end());
  const data = createFolder();
  const insights = { ...settings, webhook: { url: hook.url, secret } };
  const bench = await startBench({ data, config: { data, insights } });
  await vi.waitFor(() => expect(hook.received).toHaveLength(1), 30_000);
  await bench.close();
  expect(JSON.parse(hook.received[0]?.body ?? "")).toMatchObject({ messages: 0, lines: [] });
});
