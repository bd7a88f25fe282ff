/** Tests whether a hand-over is made once: `npm run chaos -- escalation --help`. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startBackend } from "../../../bench/backend/process.ts";
import { seeded } from "../../../bench/backend/random.ts";
import { type Running, startAfterword } from "../../../bench/afterword.ts";
import { created, judge, type Verdict } from "./judge.ts";
import { Reader } from "./reader.ts";
import { readyAgent } from "./agent.ts";
import { readOptions, whole } from "../../../bench/options.ts";

const options = readOptions({
  name: "npm run chaos -- escalation",
  about:
    "Whether a conversation is handed over once. In every run the gateway is killed (SIGKILL) at a random moment while readers are being handed over, and started again; the readers send once more what was not answered.",
  options: {
    runs: whole("how often it is killed", 500),
    seed: whole("of what is random: the same seed does the same", 1, 0),
    readers: whole("readers in each run", 4),
  },
  fails:
    "a conversation has two chats or two tickets, a reader was promised what is not there, or a reader was left without an answer",
});
const { runs, seed } = options;
const random = seeded(seed);
const directory = await mkdtemp(join(tmpdir(), "afterword-chaos-"));
const database = join(directory, "backend.db");
const backend = await startBackend(database);
let gateway: Running | null = null;
const totals = { chats: 0, tickets: 0, kills: 0, faults: 0 };

try {
  await readyAgent(backend.url);
  const config = await writeConfig(backend.url);
  gateway = await startGateway(config);
  for (let run = 1; run <= runs; run++) {
    const readers = Array.from(
      { length: options.readers },
      (_, index) => new Reader(() => gateway?.url ?? "", index % 2 === 0 ? "en" : "es"),
    );
    await Promise.all(readers.map((reader) => reader.toTheOffer()));
    const work = readers.map((reader) => reader.beHandedOver());
    // Most of the steps end within 150 ms, few of them later.
    await sleep(random() ** 2 * 400);
    await gateway.end("SIGKILL");
    totals.kills++;
    gateway = await startGateway(config);
    await Promise.all(work);
    const verdicts = readers.map((reader) => judge(database, reader));
    report(run, verdicts);
    await readyAgent(backend.url);
  }
  const { chats, tickets, kills, faults } = totals;
  console.log(
    `${kills} kills, ${runs * options.readers} conversations, seed ${seed}: ${chats} chats, ${tickets} tickets, ${faults} faults`,
  );
  process.exitCode = faults === 0 ? 0 : 1;
} finally {
  await gateway?.end("SIGKILL");
  await backend.end("SIGTERM");
  await rm(directory, { recursive: true, force: true });
}

function startGateway(config: string): Promise<Running> {
  return startAfterword(["serve", "--config", config, "--port", "0"]);
}

function report(run: number, verdicts: readonly Verdict[]): void {
  for (const verdict of verdicts) {
    totals.chats += verdict.chats;
    totals.tickets += verdict.tickets;
    if (verdict.fault === null) continue;
    totals.faults++;
    console.log(`run ${run}: ${verdict.fault}`);
    for (const line of verdict.transcript) console.log(`    ${line}`);
  }
  if (run % 25 === 0) process.stderr.write(`${run} of ${runs} runs, ${created(totals)}\n`);
}

async function writeConfig(url: string): Promise<string> {
  const file = join(directory, "afterword.yaml");
  await mkdir(join(directory, "messages"), { recursive: true });
  await writeFile(
    file,
    `version: 1
listen: { host: 127.0.0.1, port: 0 }
data: ${join(directory, "data")}
upstream: { auth: ${url}, chat: ${url} }
instances:
  - name: shop
    match: { apiKey: demo-key }
    language: en
    created: 2018-06-01
    credentials: { apiKey: demo-key, secret: demo-secret, chatApp: demo-app, chatSecret: demo-app-secret }
state: { store: file }
escalation:
  mode: managed
  identity: { ask: [name] }
  ladder: [agents, ticket]
  chat: { rooms: { en: "1", "*": "2" } }
`,
  );
  return file;
}
