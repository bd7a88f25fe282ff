import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { Pool } from "undici";
import { startScriptedUpstream } from "../../src/testing/index.ts";
import { addLines } from "../../src/insights/line-counts.ts";
import { openInsightsDatabase } from "../../src/insights/tables.ts";
import { node } from "../launch.ts";
import { oneOf, optionalText, readOptions, whole } from "../options.ts";
import { cpuSeconds, memoryOf } from "../proc.ts";
import { measureBatches } from "./batches.ts";
import { measureQuestions } from "./questions.ts";
import { medianOf, spreadOf } from "../statistics.ts";

const { turns, conversations, rounds, sets, part, answer, postgres } = readOptions({
  name: "npm run bench -- insights",
  about:
    "What counting costs a message (CPU of the server, beside two servers that do not count), what a kept question costs, what 100,000 open conversations take in memory and in time for a batch, and what a year of counts weighs and takes to read.",
  options: {
    turns: whole("messages in a round", 20_000),
    conversations: whole("conversations in a round", 400),
    rounds: whole("rounds, of which the median counts", 5),
    sets: whole("sets of rounds with new servers (`--part cpu`)", 3),
    part: oneOf("what is measured", "all", "cpu", "open", "year", "questions", "batches"),
    answer: whole("bytes of the engine's answer: 70, or more than 100", 70),
    postgres: optionalText(
      "where the year and the batches are kept",
      "postgres://…",
      "a SQLite file",
    ),
  },
  fails: "counting costs more than 3 % and more than two servers that do not count differ by",
});

const [instances, languages, flags, days] = [10, 32, 16, 365];
/** Rounds without a measurement, whose batches compile the code that writes them. */
const warmUp = 6;
const folder = await mkdtemp(join(tmpdir(), "afterword-insights-"));
const padding = answer > 100 ? `,{"message":"${"x".repeat(answer - 100)}","flags":[]}` : "";
// It remembers its requests, so that each set of rounds has a new one.
const startUpstream = () =>
  startScriptedUpstream({
    handler: () => ({
      headers: ["content-type", "application/json"],
      body: `{"answers":[{"message":"Words of the engine.","flags":["no-results"]}${padding}]}`,
    }),
  });
let upstream = await startUpstream();

try {
  if (part === "all" || part === "year") await measureYear();
  if (part === "all" || part === "questions") await measureQuestions(join(folder, "questions.db"));
  if (part === "all" || part === "batches") {
    await measureBatches(postgres ?? join(folder, "batches.db"));
  }
  if (part === "all" || part === "open") await measureOpen();
  if (part === "all" || part === "cpu") await measureCpu();
} finally {
  await upstream.close();
  await rm(folder, { recursive: true, force: true });
}

interface Server {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

async function start(name: string, isCounting: boolean, store = "file"): Promise<Server> {
  const config = join(folder, `${name}.yaml`);
  const names = Array.from({ length: instances }, (_, index) => `bot${index}`);
  await writeFile(
    config,
    `version: 1
data: ./${name}
upstream: { auth: "${upstream.origin}", apis: { chatbot: "${upstream.origin}" } }
instances:
${names.map((bot) => `  - { name: ${bot}, match: { apiKey: ${bot} }, language: en, created: 2018-01-01 }`).join("\n")}
${isCounting ? `insights: { store: "${store}" }\n` : ""}`,
  );
  const main = join(import.meta.dirname, "../../src/cli/main.ts");
  const child = spawn(node, [main, "serve", "--config", config, "--port", "0"], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, AFTERWORD_LOG: "info", AFTERWORD_ADMIN_TOKEN: "token-of-the-bench" },
  });
  process.once("exit", () => child.kill("SIGKILL"));
  for await (const line of createInterface(child.stderr)) {
    const [, port] = /"listening".*"port":(\d+)/.exec(line) ?? [];
    if (port === undefined) continue;
    child.stderr.resume();
    return {
      url: `http://127.0.0.1:${port}`,
      pid: child.pid ?? 0,
      async stop() {
        child.kill("SIGTERM");
        await once(child, "exit");
      },
    };
  }
  throw new Error("the server did not start");
}

/** Microseconds of CPU for a message, of all threads of the server, until it is counted. */
async function measureRound(server: Server): Promise<number> {
  const before = cpuSeconds(server.pid);
  await send(server, turns, conversations);
  // A server collects the facts of a second, and then writes them.
  await pause(1200);
  return ((cpuSeconds(server.pid) - before) * 1e6) / turns;
}

/** Sends messages of this many readers, who take turns. */
async function send({ url }: Server, messages: number, readers: number): Promise<void> {
  const pool = new Pool(url, { connections: 8 });
  let sent = 0;
  const work = Array.from({ length: 8 }, async () => {
    while (sent < messages) {
      const reader = sent++ % readers;
      const { body } = await pool.request({
        path: "/v1/conversation/message",
        method: "POST",
        headers: {
          "content-type": "application/json",
          "x-inbenta-key": "bot1",
          "x-inbenta-session": `Bearer reader-${reader}`,
        },
        body: '{"message":"a question"}',
      });
      await body.dump();
    }
  });
  await Promise.all(work);
  await pool.close();
}

/** Measures the memory of servers that wait for the next turn of 100,000 readers. */
async function measureOpen(): Promise<void> {
  for (const isCounting of [false, true]) {
    const name = isCounting ? "open" : "not-counting";
    const server = await start(name, isCounting);
    const used: number[] = [];
    const timer = setInterval(() => used.push(memoryOf(server.pid) / 1e6), 250);
    const begun = performance.now();
    await send(server, 122_000, 100_000);
    const seconds = (performance.now() - begun) / 1000;
    await pause(1200);
    clearInterval(timer);
    await server.stop();
    const disk = isCounting ? (await stat(join(folder, name, "insights.db"))).size / 1e6 : 0;
    console.log(
      `122,000 messages of 100,000 readers in ${seconds.toFixed(0)} s, ${isCounting ? "counted" : "not counted"}: median ${medianOf(used).toFixed(0)}, at most ${Math.max(...used).toFixed(0)} MB of memory, ${disk.toFixed(0)} MB of disk`,
    );
  }
}

/**
 * Compares servers that count with two that do not. Two processes of the same program differ by
 * more than counting costs, so each set of rounds has new ones.
 */
async function measureCpu(): Promise<void> {
  const names = ["off", "on", "off again"] as const;
  const results: Record<(typeof names)[number], number[]> = { off: [], on: [], "off again": [] };
  const more: number[] = [];
  const apart: number[] = [];
  for (let set = 0; set < sets; set++) {
    const used = await measureSet(set);
    for (const name of names) results[name].push(used[name]);
    more.push((2 * used.on) / (used.off + used["off again"]) - 1);
    apart.push(used["off again"] / used.off - 1);
  }
  for (const name of names) {
    const { low, median, high } = spreadOf(results[name]);
    console.log(
      `${name.padEnd(10)} ${median.toFixed(1)} µs of CPU for a message (quartiles ${low.toFixed(1)} to ${high.toFixed(1)})`,
    );
  }
  console.log(`on against both off: ${percentsOf(more)}; off against off: ${percentsOf(apart)}`);
  const spread = medianOf(apart.map(Math.abs));
  if (medianOf(more) > Math.max(0.03, spread)) process.exitCode = 1;

  /** Medians of the rounds of three new servers. */
  async function measureSet(set: number): Promise<Record<(typeof names)[number], number>> {
    await upstream.close();
    upstream = await startUpstream();
    const servers = {
      off: await start("off", false),
      on: await start("on", true),
      "off again": await start("again", false),
    };
    const rounded: typeof results = { off: [], on: [], "off again": [] };
    for (let round = -warmUp; round < rounds; round++) {
      for (const name of (round + set) % 2 === 0 ? names : names.toReversed()) {
        const used = await measureRound(servers[name]);
        if (round >= 0) rounded[name].push(used);
      }
    }
    await Promise.all(Object.values(servers).map((server) => server.stop()));
    return {
      off: medianOf(rounded.off),
      on: medianOf(rounded.on),
      "off again": medianOf(rounded["off again"]),
    };
  }
}

function percentsOf(shares: readonly number[]): string {
  const { low, median, high } = spreadOf(shares);
  return `${percentOf(median)} (quartiles ${percentOf(low)} to ${percentOf(high)})`;
}

function percentOf(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** Fills a store with a year, and asks a server for the report over it. */
async function measureYear(): Promise<void> {
  const file = join(folder, "year", "insights.db");
  const first = await start("year", true, postgres ?? "file");
  await first.stop();
  const database = await openInsightsDatabase(postgres ?? file);
  const today = Math.floor(Date.now() / 86_400_000);
  for (let day = today - days + 1; day <= today; day++) {
    const rows = Array.from({ length: instances * languages * flags }, (_, index) => ({
      day,
      instance: `bot${index % instances}`,
      language: `l${Math.floor(index / instances) % languages}`,
      channel: "web",
      line: `line-of-a-flag-${Math.floor(index / instances / languages)}`,
      speaker: "own" as const,
      said: 1000,
      answered: 500,
      failed: 100,
      clicked: 100,
      handedOver: 50,
      ratedUp: 10,
      ratedDown: 10,
      left: 200,
      unknown: 30,
    }));
    await database.transaction(async (queries) => {
      await addLines(queries, rows, database.dialect);
      const names = Array.from({ length: instances }, (_, index) => `bot${index}`);
      await queries
        .insertInto("insight_topics")
        .values(
          names.map((instance) => ({ day, topic: "messages", instance, name: "", count: 600_000 })),
        )
        .execute();
    });
  }
  await database.close();
  const size = postgres === null ? `${((await stat(file)).size / 1e6).toFixed(0)} MB` : "filled";
  console.log(`a year of ${flags} flags, ${languages} languages, ${instances} instances: ${size}`);
  const server = await start("year", true, postgres ?? "file");
  for (const [name, query] of [
    ["the year", ""],
    ["an instance's year", "?instance=bot1"],
    ["an instance's year without its days", "?instance=bot1&days=no"],
    ["28 days of an instance", `?instance=bot1&from=${dateOf(today - 27)}`],
    ["28 days", `?from=${dateOf(today - 27)}`],
  ] as const) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const begun = performance.now();
      const response = await fetch(`${server.url}/_afterword/api/insights${query}`, {
        headers: { authorization: "Bearer token-of-the-bench" },
      });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`the report was answered ${response.status}`);
      times.push(performance.now() - begun);
    }
    console.log(`report of ${name}: ${medianOf(times).toFixed(0)} ms (median)`);
  }
  await server.stop();
}

function dateOf(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}
