import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { startScriptedUpstream } from "../../src/testing/index.ts";
import { node } from "../launch.ts";
import { readOptions, whole } from "../options.ts";

const options = readOptions({
  name: "npm run bench -- recount",
  about:
    "Sends turns to a server that counts, kills it in between, and compares its counts with a recount that shares no code with it.",
  options: {
    turns: whole("turns in all", 100_000),
    kills: whole("how often the server is killed (kill -9)", 20),
  },
  fails: "a count differs, more than a batch is lost by a kill, or a kill is not told of",
});

/** A turn as its client knows it. */
interface Turn {
  readonly reader: number;
  readonly instance: string;
  readonly language: string;
  readonly kind: "answer" | "click" | "good" | "bad";
  readonly line: string | null;
  /** The time of its answer, in milliseconds since the epoch. */
  readonly at: number;
}

const INSTANCES = ["shop", "bank", "town"];
const LANGUAGES = ["en", "de", "fr", "pt-BR"];
const LINES = ["no-results", "multiple-options", "no-subset-match"];
const READERS = 500;

// Each start adds a listener that ends its server with this process.
process.setMaxListeners(0);

const folder = await mkdtemp(join(tmpdir(), "afterword-recount-"));
const upstream = await startScriptedUpstream({
  handler: ({ body }) => {
    const [, line] = /line:([a-z-]+)/.exec(new TextDecoder().decode(body)) ?? [];
    const flags = line === undefined ? [] : [line];
    const message = { message: "Words of the engine.", flags, options: [] };
    return {
      headers: ["content-type", "application/json"],
      body: JSON.stringify({ answers: [message] }),
    };
  },
});
const config = join(folder, "afterword.yaml");
const origin = upstream.origin;
await writeFile(
  config,
  `version: 1
data: ./data
upstream: { auth: "${origin}", apis: { chatbot: "${origin}" } }
instances:
${INSTANCES.map((name) => `  - { name: ${name}, match: { apiKey: ${name} }, language: en, created: 2018-01-01 }`).join("\n")}
insights: { store: file }
`,
);

try {
  process.exitCode = await run();
} finally {
  await upstream.close();
  await rm(folder, { recursive: true, force: true });
}

async function run(): Promise<number> {
  let seed = 41;
  const random = (most: number): number => (seed = (seed * 48_271) % 2_147_483_647) % most;
  const killedAt = new Set<number>();
  while (killedAt.size < options.kills) killedAt.add(1 + random(options.turns - 1));
  const kept: Turn[] = [];
  let segment: Turn[] = [];
  let maxLost = 0;
  let longestLost = 0;
  let server = await start();
  for (let index = 0; index < options.turns; index++) {
    if (killedAt.has(index)) {
      const killed = Date.now();
      server.child.kill("SIGKILL");
      await once(server.child, "exit");
      const counted = findCounted(kept, segment);
      if (counted === null) return fail("what was counted is no beginning of what was sent");
      const first = segment[counted];
      maxLost = Math.max(maxLost, segment.length - counted);
      longestLost = Math.max(longestLost, first === undefined ? 0 : killed - first.at);
      kept.push(...segment.slice(0, counted));
      segment = [];
      server = await start();
    }
    segment.push(await send(server.url, index, random));
  }
  server.child.kill("SIGTERM");
  await once(server.child, "exit");
  kept.push(...segment);
  console.log(
    `${options.turns} turns, ${options.kills} kills: ${options.turns - kept.length} turns lost, at most ${maxLost} by a kill, from at most ${longestLost} ms before it`,
  );
  const different = compare(recount(kept), readCounts());
  for (const line of different.slice(0, 20)) console.error(line);
  if (different.length > 0) return fail(`${different.length} counts differ`);
  const [byDay] = readStore<{ said: number }>("SELECT sum(said) AS said FROM insight_days");
  const [byLine] = readStore<{ said: number }>("SELECT sum(said) AS said FROM insight_lines");
  if (byDay?.said !== byLine?.said) return fail("the counts by day are not those by line");
  // A batch comes every second, and takes a moment on a busy machine.
  if (longestLost > 2500) return fail("more than a batch was lost");
  return (await countGaps()) === options.kills ? 0 : fail("not every kill is told of");
}

function fail(why: string): number {
  console.error(`FAILED: ${why}`);
  return 1;
}

async function start() {
  const main = join(import.meta.dirname, "../../src/cli/main.ts");
  const child = spawn(node, [main, "serve", "--config", config, "--port", "0"], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, AFTERWORD_LOG: "info" },
  });
  process.once("exit", () => child.kill("SIGKILL"));
  for await (const line of createInterface(child.stderr)) {
    const [, port] = /"listening".*"port":(\d+)/.exec(line) ?? [];
    if (port === undefined) continue;
    child.stderr.resume();
    return { child, url: `http://127.0.0.1:${port}` };
  }
  throw new Error("the server did not start");
}

async function send(url: string, index: number, random: (most: number) => number): Promise<Turn> {
  const reader = random(READERS);
  const instance = INSTANCES[reader % INSTANCES.length] ?? "";
  const language = LANGUAGES[reader % LANGUAGES.length] ?? "";
  const kinds = ["answer", "answer", "answer", "click", "good", "bad"] as const;
  const kind = kinds[random(kinds.length)] ?? "answer";
  const line = kind === "answer" && random(2) === 0 ? (LINES[random(LINES.length)] ?? null) : null;
  const isRating = kind === "good" || kind === "bad";
  const body = isRating
    ? { type: "rate", data: { code: "x", value: kind === "good" ? 1 : 2 } }
    : kind === "click"
      ? { option: "1" }
      : { message: line === null ? `turn ${index}` : `line:${line} ${index}` };
  const path = isRating ? "/v1/tracking/events" : "/v1/conversation/message";
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-inbenta-key": instance,
      "x-inbenta-session": `Bearer reader-${reader}`,
      "x-afterword-locale": language,
    },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path} was answered ${response.status}`);
  return { reader, instance, language, kind, line, at: Date.now() };
}

/** Counts by `instance language line column`, from the turns alone. */
function recount(turns: readonly Turn[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (place: string, column: string): void => {
    counts.set(`${place} ${column}`, (counts.get(`${place} ${column}`) ?? 0) + 1);
  };
  const open = new Map<number, string>();
  for (const { reader, instance, language, kind, line } of turns) {
    const before = open.get(reader);
    if (kind === "good" || kind === "bad") {
      if (before !== undefined) add(before, kind === "good" ? "ratedUp" : "ratedDown");
      open.delete(reader);
      continue;
    }
    const failed = line === "no-results" || line === "no-subset-match";
    if (before !== undefined)
      add(before, failed ? "failed" : kind === "click" ? "clicked" : "answered");
    open.delete(reader);
    if (line === null) continue;
    const place = `${instance} ${language} ${line}`;
    add(place, "said");
    open.set(reader, place);
  }
  return counts;
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows its columns
function readStore<Row>(query: string): readonly Row[] {
  const file = join(folder, "data/insights.db");
  // A server that was killed before its first batch has stored nothing.
  if (!existsSync(file)) return [];
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare(query).all() as Row[];
  } finally {
    database.close();
  }
}

/**
 * Finds how many turns since the last start were counted. Only the last ones can be lost, because
 * batches are written in order; null when the counts match no prefix of the turns.
 */
function findCounted(kept: readonly Turn[], segment: readonly Turn[]): number | null {
  const messages = readMessages() - kept.filter(isMessage).length;
  const counts = readCounts();
  for (let end = 0; end <= segment.length; end++) {
    const begun = segment.slice(0, end);
    // Ratings are no messages. Between two messages, the other counts decide.
    if (begun.filter(isMessage).length !== messages) continue;
    if (compare(recount([...kept, ...begun]), counts).length === 0) return end;
  }
  return null;
}

function isMessage({ kind }: Turn): boolean {
  return kind === "answer" || kind === "click";
}

/** Messages that were counted. */
function readMessages(): number {
  const [row] = readStore<{ count: number }>(
    "SELECT coalesce(sum(count), 0) AS count FROM insight_topics WHERE topic = 'messages'",
  );
  return row?.count ?? 0;
}

function readCounts(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const columns = ["said", "answered", "failed", "clicked", "ratedUp", "ratedDown"] as const;
  type Row = Record<(typeof columns)[number], number> &
    Record<"instance" | "language" | "line", string>;
  for (const row of readStore<Row>(
    "SELECT * FROM insight_lines JOIN insight_series ON id = series",
  )) {
    for (const column of columns) {
      const key = `${row.instance} ${row.language} ${row.line} ${column}`;
      if (row[column] > 0) counts.set(key, (counts.get(key) ?? 0) + row[column]);
    }
  }
  return counts;
}

function compare(
  expected: ReadonlyMap<string, number>,
  counted: ReadonlyMap<string, number>,
): readonly string[] {
  const keys = [...new Set([...expected.keys(), ...counted.keys()])];
  return keys
    .filter((key) => expected.get(key) !== counted.get(key))
    .map((key) => `${key}: ${expected.get(key) ?? 0} expected, ${counted.get(key) ?? 0} counted`);
}

/** Another process notices within two minutes that one has ended. */
async function countGaps(): Promise<number> {
  const server = await start();
  const until = Date.now() + 180_000;
  const read = (): number =>
    readStore("SELECT 1 FROM insight_gaps WHERE why LIKE 'a process ended suddenly%'").length;
  while (read() < options.kills && Date.now() < until) await pause(1000);
  server.child.kill("SIGTERM");
  await once(server.child, "exit");
  console.log(`${read()} gaps are told of`);
  return read();
}
