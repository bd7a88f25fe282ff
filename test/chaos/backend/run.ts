/** Tests whether the backend keeps acknowledged records: `npm run chaos -- backend --help`. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createClients } from "../../../src/api/clients.ts";
import { emptyLedger, fill, missing } from "./ledger.ts";
import { startBackend } from "../../../bench/backend/process.ts";
import { seeded } from "../../../bench/backend/random.ts";
import { readOptions, whole } from "../../../bench/options.ts";

const { kills, seed, clients } = readOptions({
  name: "npm run chaos -- backend",
  about:
    "Whether the backend keeps what it acknowledged. It is killed (SIGKILL) again and again while clients create tickets, replies, media and events.",
  options: {
    kills: whole("how often it is killed", 200),
    seed: whole("of what is random: the same seed does the same", 1, 0),
    clients: whole("clients at once", 4),
  },
  fails: "something that was acknowledged is gone",
});
const random = seeded(seed);
const ledger = emptyLedger();
let names = 0;
const name = (): string => `chaos-${(names += 1)}`;

const directory = await mkdtemp(join(tmpdir(), "afterword-chaos-"));
const file = join(directory, "backend.db");
try {
  for (let kill = 1; kill <= kills; kill += 1) {
    const backend = await startBackend(file);
    const auth = { url: backend.url, apiKey: "demo-key", secret: "demo-secret" };
    const work = Array.from({ length: clients }, () =>
      fill(createClients({ auth, retries: 0, timeout: 5_000 }), ledger, random, name),
    );
    await sleep(20 + random() * 400);
    await backend.end("SIGKILL");
    await Promise.all(work);
    if (kill % 20 === 0) progress(kill);
  }
  // Opened once more, so that the log is recovered as after any crash.
  const last = await startBackend(file);
  await last.end("SIGTERM");
  const gone = missing(file, ledger);
  for (const one of gone.slice(0, 20)) console.log(`lost: ${one}`);
  const counts = Object.entries(ledger).map(([kind, list]) => `${list.length} ${kind}`);
  console.log(
    `${kills} kills, seed ${seed}: ${counts.join(", ")} acknowledged, ${gone.length} of them lost`,
  );
  process.exitCode = gone.length === 0 ? 0 : 1;
} finally {
  await rm(directory, { recursive: true, force: true });
}

function progress(kill: number): void {
  const all = Object.values(ledger).reduce((sum, list) => sum + list.length, 0);
  process.stderr.write(`${kill} of ${kills} kills, ${all} acknowledged\n`);
}
