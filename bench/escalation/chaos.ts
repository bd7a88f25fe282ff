/**
 * Whether a hand-over is made once: `node bench/escalation/chaos.ts [--runs N] [--seed N] [--from
 * CHECKOUT]`. In every run the gateway is killed (SIGKILL) at a random moment while readers are
 * being handed over, and started again; the readers send once more what was not answered. With
 * `--from` the one that is killed runs the sources of that checkout, and the one that goes on runs
 * these: an upgrade in the middle. Exit code 1 when a conversation has two chats or two tickets,
 * when somebody was promised what is not there, or when somebody was left without any word.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startBackend } from "../backend/process.ts";
import { seeded } from "../backend/random.ts";
import { type Gateway, startGateway } from "./gateway.ts";
import { created, judge, type Verdict } from "./judge.ts";
import { Reader } from "./reader.ts";
import { readyAgent } from "./agent.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "500" },
    seed: { type: "string", default: "1" },
    readers: { type: "string", default: "4" },
    from: { type: "string" },
  },
});
const runs = Number(values.runs);
const random = seeded(Number(values.seed));
const directory = await mkdtemp(join(tmpdir(), "afterword-chaos-"));
const database = join(directory, "backend.db");
const backend = await startBackend(database);
let gateway: Gateway | null = null;
const totals = { chats: 0, tickets: 0, kills: 0, faults: 0 };

try {
  await readyAgent(backend.url);
  const config = await writeConfig(backend.url);
  gateway = await startGateway(config, values.from);
  for (let run = 1; run <= runs; run++) {
    const readers = Array.from(
      { length: Number(values.readers) },
      (_, index) => new Reader(() => gateway?.url ?? "", index % 2 === 0 ? "en" : "es"),
    );
    await Promise.all(readers.map((reader) => reader.toTheOffer()));
    const work = readers.map((reader) => reader.beHandedOver());
    // Most of the steps are over within 150 ms, few of them later.
    await sleep(random() ** 2 * 400);
    await gateway.kill();
    totals.kills++;
    gateway = await startGateway(config);
    await Promise.all(work);
    const verdicts = readers.map((reader) => judge(database, reader));
    report(run, verdicts);
    await readyAgent(backend.url);
    if (values.from === undefined) continue;
    await gateway.kill();
    gateway = await startGateway(config, values.from);
  }
  const { chats, tickets, kills, faults } = totals;
  console.log(
    `${kills} kills, ${runs * Number(values.readers)} conversations, seed ${values.seed}: ${chats} chats, ${tickets} tickets, ${faults} faults`,
  );
  process.exitCode = faults === 0 ? 0 : 1;
} finally {
  await gateway?.kill();
  await backend.end("SIGTERM");
  await rm(directory, { recursive: true, force: true });
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
