import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contenders } from "./contenders.ts";
import { bodiesOf, sizes } from "./shapes.ts";
import { loadFixtureConfig } from "./fixture-config.ts";
import { medianOf } from "../statistics.ts";
import { wrangler } from "../worker/build.ts";
import type { Turn } from "./worker.ts";
import { startWorker } from "../worker/workerd.ts";

const rounds = 12;
/** In milliseconds. */
const wanted = 15;

/**
 * Median ns of one call. A round is one request that makes as many calls as take about fifteen
 * milliseconds; the request itself, half of one, is measured too and taken off. workerd does not
 * tell what is allocated.
 */
export async function measureInWorkerd(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "afterword-bench-cpu-"));
  const worker = await start(directory);
  const origin = `http://127.0.0.1:${worker.port}`;
  try {
    await ask(origin, "/config", await loadFixtureConfig());
    for (const size of sizes) {
      for (const { name, bytes } of bodiesOf(size)) {
        console.log(
          `\n${bytes.length} bytes, ${name}: ns per call in workerd, ratio to JSON.parse`,
        );
        await compare(origin, size, name);
      }
    }
  } finally {
    await worker.stop();
    await rm(directory, { recursive: true });
  }
}

async function compare(origin: string, size: number, body: string): Promise<void> {
  const empty = { contender: "JSON.parse", size, body, calls: 0 };
  const idle: number[] = [];
  for (let round = 0; round < rounds; round++) idle.push(await timeOf(origin, empty));
  const turns: Turn[] = [];
  for (const contender of Object.keys(contenders)) {
    turns.push(await sized(origin, { ...empty, contender }, medianOf(idle)));
  }
  const times = new Map<Turn, number[]>(turns.map((turn) => [turn, []]));
  const overheads: number[] = [];
  for (let round = 0; round < rounds; round++) {
    overheads.push(await timeOf(origin, empty));
    for (const [turn, list] of times) list.push(await timeOf(origin, turn));
  }
  const overhead = medianOf(overheads);
  const each = (turn: Turn): number =>
    ((medianOf(times.get(turn) ?? []) - overhead) * 1e6) / turn.calls;
  const beside = each(turns[0] ?? empty);
  for (const turn of turns) {
    const nanoseconds = each(turn).toFixed(0).padStart(10);
    console.log(
      `  ${turn.contender.padEnd(40)}${nanoseconds}${(each(turn) / beside).toFixed(2).padStart(8)}`,
    );
  }
}

/** With as many calls as take long enough, found while its code is being compiled. */
async function sized(origin: string, turn: Turn, overhead: number): Promise<Turn> {
  let calls = 1;
  let inTime = 0;
  for (let tries = 0; tries < 40 && inTime < 3; tries++) {
    const took = Math.max(0.1, (await timeOf(origin, { ...turn, calls })) - overhead);
    if (took > wanted / 2 && took < wanted * 2) inTime++;
    else calls = Math.max(1, Math.round(calls * Math.min(8, wanted / took)));
  }
  return { ...turn, calls };
}

async function timeOf(origin: string, turn: Turn): Promise<number> {
  const began = performance.now();
  await ask(origin, "/turn", turn);
  return performance.now() - began;
}

async function ask(origin: string, path: string, body: unknown): Promise<void> {
  const answer = await fetch(origin + path, { method: "POST", body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`workerd answered ${answer.status}: ${text}`);
}

async function start(directory: string): ReturnType<typeof startWorker> {
  const settings = join(directory, "wrangler.toml");
  const main = JSON.stringify(join(import.meta.dirname, "worker.ts"));
  await writeFile(settings, `name = "cpu"\nmain = ${main}\ncompatibility_date = "2026-10-01"\n`);
  await wrangler(["deploy", "--dry-run", "--config", settings, "--outdir", directory]);
  return startWorker(directory, await readFile(join(directory, "worker.js"), "utf8"));
}
