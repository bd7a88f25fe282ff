/** How fast the backend is: `npm run bench -- backend --help`. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createClients } from "../../src/api/clients.ts";
import type { Clients } from "../../src/api/clients.ts";
import { node } from "../launch.ts";
import { findObstacle, loadAverage } from "../machine.ts";
import { LARGE_DESK, SERVICE_DESK, writeCatalogue } from "./catalogue.ts";
import type { Sending } from "./clients.ts";
import { load } from "./load.ts";
import { demoContent, startBackend } from "./process.ts";
import { questions } from "./questions.ts";
import { report } from "./report.ts";
import type { Round } from "./report.ts";
import { giveUp, readOptions, whole } from "../options.ts";

const values = readOptions({
  name: "npm run bench -- backend",
  about:
    "How fast the self-hosted backend is. Tickets created over HTTP beside a bare loop of inserts, and knowledge searches beside a bare loop of look-ups, in turns, each on one core with the load on the other. Ratios are taken within a round.",
  options: {
    seconds: whole("each load", 5),
    rounds: whole("rounds", 5),
    connections: whole("open connections", 64),
    // V8 compiles for about eight seconds, which costs a backend with one core a third of a second.
    "warm-up": whole("seconds of load before each measurement", 10, 0),
  },
  fails:
    "tickets come below 0.7 of bare inserts, or p99 of searches in the largest base is above 60 ms",
});
const { seconds, rounds, connections, "warm-up": warmUp } = values;
const [serverCore, loadCore] = [0, 1];
const obstacle = findObstacle(serverCore, loadCore);
if (obstacle !== null) giveUp(obstacle);
const run = promisify(execFile);
const directory = await mkdtemp(join(tmpdir(), "afterword-bench-backend-"));
try {
  const tickets: Round[] = [];
  const demo: Round[] = [];
  const desks = [];
  for (const [index, size] of [SERVICE_DESK, LARGE_DESK].entries()) {
    const content = join(directory, `desk-${index}`);
    const asked = await writeCatalogue(content, size);
    desks.push({ size, content, asked, rounds: [] as Round[] });
  }
  for (let round = 1; round <= rounds; round += 1) {
    const inserts = await bare(
      "insert-loop.ts",
      join(directory, `bare-${round}.db`),
      String(seconds),
    );
    tickets.push({ bare: inserts, ...(await measured(demoContent, created)) });
    demo.push(await searchesIn(demoContent, questions));
    for (const desk of desks) desk.rounds.push(await searchesIn(desk.content, desk.asked));
    console.error(`round ${round} of ${rounds}, load average ${loadAverage()}`);
  }
  const kept = [
    report("tickets created", "inserts, synchronous=FULL", tickets, connections, {
      ratio: 0.7,
      p99: null,
    }),
  ];
  const few = `searches in the demo's contents, ${questions.length} questions again and again`;
  report(few, "look-ups", demo, connections, { ratio: null, p99: null });
  for (const { size, asked, rounds: searched } of desks) {
    const { contents, phrases, words } = size;
    const base = `${contents} contents of ${phrases} phrases of 4 to 8 out of ${words} words`;
    const different = `searches in ${base}, ${asked.length} different questions`;
    const p99 = size === LARGE_DESK ? 60 : null;
    kept.push(report(different, "look-ups", searched, connections, { ratio: null, p99 }));
  }
  if (kept.includes(false)) process.exitCode = 1;
} finally {
  await rm(directory, { recursive: true, force: true });
}

/** The engine alone, and over HTTP. */
async function searchesIn(content: string, list: readonly string[]): Promise<Round> {
  const file = join(directory, "questions.txt");
  await writeFile(file, list.join("\n"));
  const lookUps = await bare("look-up-loop.ts", content, String(seconds), file);
  const seen = await measured(content, (clients) => searches(clients, list));
  return { bare: lookUps, ...seen };
}

async function bare(program: string, ...argv: readonly string[]): Promise<number> {
  const file = fileURLToPath(new URL(program, import.meta.url));
  const { stdout } = await run("taskset", ["-c", String(serverCore), node, file, ...argv]);
  return Number(stdout.trim());
}

async function measured(
  content: string,
  prepare: (clients: Clients) => Promise<Pick<Sending, "url" | "bodies">>,
): Promise<Omit<Round, "bare">> {
  const database = join(directory, `backend-${crypto.randomUUID()}.db`);
  const backend = await startBackend(database, { core: serverCore, content });
  try {
    const auth = { url: backend.url, apiKey: "demo-key", secret: "demo-secret" };
    const clients = createClients({ auth });
    const prepared = await prepare(clients);
    const { accessToken } = await clients.auth.current();
    const headers = {
      "x-vendor-key": "demo-key",
      authorization: `Bearer ${accessToken}`,
      "content-type": "application/json",
    };
    const before = backend.cpu();
    const seen = await load({ ...prepared, headers, connections, warmUp, seconds }, loadCore);
    const answers = Object.values(seen.statuses).reduce((sum, count) => sum + count, 0);
    return { ...seen, cpu: ((backend.cpu() - before) / answers) * 1e6 };
  } finally {
    await backend.end("SIGTERM");
  }
}

async function created({ auth, ticketing }: Clients): Promise<Pick<Sending, "url" | "bodies">> {
  const { uuid: creator } = await ticketing.createUser({
    name: "Bench",
    address: "b@example.test",
  });
  const message = "Where is my order? It should have come yesterday.";
  const { apis } = await auth.current();
  return {
    url: `${apis["ticketing"] ?? ""}/v1/tickets`,
    bodies: [JSON.stringify({ message, creator })],
  };
}

async function searches(
  { auth, knowledge }: Clients,
  list: readonly string[],
): Promise<Pick<Sending, "url" | "bodies">> {
  const { apis } = await auth.current();
  // A search without results is answered 404, with less work.
  const found: string[] = [];
  for (const query of list) {
    const { results } = await knowledge.search(query, { tracking: false });
    if (results.length > 0) found.push(query);
  }
  return {
    url: `${apis["knowledge"] ?? ""}/v1/search`,
    bodies: found.map((query) => JSON.stringify({ query, tracking: false })),
  };
}
