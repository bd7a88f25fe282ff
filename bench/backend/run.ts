/**
 * How fast the self-hosted backend is: `node bench/backend/run.ts [--seconds N] [--rounds N]`. Tickets created over HTTP beside
 * a bare loop of inserts, and knowledge searches beside a bare loop of look-ups, in turns, each on one core with the load on
 * the other. Ratios are taken within a round.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { createClients } from "../../src/wire/clients.ts";
import { node } from "../launch.ts";
import { post } from "../load.ts";
import type { Load, Post } from "../load.ts";
import { findObstacle, loadAverage } from "../machine.ts";
import { spreadOf } from "../statistics.ts";
import { startBackend } from "./process.ts";
import { questions } from "./questions.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "5" },
    rounds: { type: "string", default: "5" },
    connections: { type: "string", default: "64" },
  },
});
const [serverCore, loadCore] = [0, 1];
const obstacle = findObstacle(serverCore, loadCore);
if (obstacle !== null) {
  console.error(obstacle);
  process.exit(1);
}
const run = promisify(execFile);
const directory = await mkdtemp(join(tmpdir(), "afterword-bench-backend-"));
const rounds = { tickets: [] as Round[], searches: [] as Round[] };
try {
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    const bareInserts = await bare("insert-loop.ts", join(directory, `bare-${round}.db`));
    rounds.tickets.push({ bare: bareInserts, ...(await measured(round, ticketPost)) });
    const bareLookUps = await bare("look-up-loop.ts", contentDirectory());
    rounds.searches.push({ bare: bareLookUps, ...(await measured(round + 1000, searchPost)) });
    console.error(`round ${round} of ${values.rounds}, load average ${loadAverage()}`);
  }
  report("tickets created (POST /v1/tickets)", "inserts, synchronous=FULL", rounds.tickets, 0.5);
  report("searches (POST /v1/search, untracked)", "look-ups", rounds.searches, 0.3);
} finally {
  await rm(directory, { recursive: true, force: true });
}

interface Round {
  readonly bare: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p99: number;
}

async function bare(program: string, argument: string): Promise<number> {
  const file = fileURLToPath(new URL(program, import.meta.url));
  const argv = ["-c", String(serverCore), node, file, argument, values.seconds];
  return Number((await run("taskset", argv)).stdout.trim());
}

async function measured(
  round: number,
  prepare: (url: string) => Promise<Post>,
): Promise<Omit<Round, "bare">> {
  const backend = await startBackend(join(directory, `backend-${round}.db`), serverCore);
  try {
    const request = await prepare(backend.url);
    const connections = Number(values.connections);
    await post(request, 2, connections, loadCore);
    const seen = await post(request, Number(values.seconds), connections, loadCore);
    if (seen.refused + seen.broken > 0)
      throw new Error(`refused or broken: ${JSON.stringify(seen)}`);
    return { perSecond: rateOf(seen), p99: seen.p99 / 1000 };
  } finally {
    await backend.end("SIGTERM");
  }
}

async function ticketPost(url: string): Promise<Post> {
  const clients = createClients({ auth: { url, apiKey: "demo-key", secret: "demo-secret" } });
  const address = "bench@example.test";
  const { uuid: creator } = await clients.ticketing.createUser({ name: "Bench", address });
  const message = "Where is my order? It should have come yesterday.";
  return authorized(clients, "ticketing", "/v1/tickets", { message, creator });
}

async function searchPost(url: string): Promise<Post> {
  const clients = createClients({ auth: { url, apiKey: "demo-key", secret: "demo-secret" } });
  const [query = ""] = questions;
  return authorized(clients, "knowledge", "/v1/search", { query, tracking: false });
}

async function authorized(
  clients: ReturnType<typeof createClients>,
  product: string,
  path: string,
  body: object,
): Promise<Post> {
  const { accessToken, apis } = await clients.auth.current();
  return {
    url: `${apis[product] ?? ""}${path}`,
    headers: {
      "x-vendor-key": "demo-key",
      authorization: `Bearer ${accessToken}`,
      "content-type": "application/json",
    },
    body: JSON.stringify(body),
  };
}

function rateOf({ requests, seconds }: Load): number {
  return Math.round(requests / seconds);
}

function report(what: string, than: string, all: readonly Round[], goal: number): void {
  const ratio = spreadOf(all.map(({ perSecond, bare: loop }) => perSecond / loop));
  const rate = spreadOf(all.map(({ perSecond }) => perSecond));
  const loops = spreadOf(all.map(({ bare: loop }) => loop));
  const late = spreadOf(all.map(({ p99 }) => p99));
  const [low, median, high] = [ratio.low, ratio.median, ratio.high].map((one) => one.toFixed(2));
  console.log(
    `${what}: ${rate.median}/s, ${median} (${low} to ${high}) of ${loops.median} ${than} a second; goal ${goal}; ` +
      `p99 ${late.median.toFixed(1)} ms at ${values.connections} connections, goal 50`,
  );
}

function contentDirectory(): string {
  return fileURLToPath(new URL("../../config/backend", import.meta.url));
}
