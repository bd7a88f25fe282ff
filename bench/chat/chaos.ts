/**
 * Whether the live chat keeps what it acknowledged: `node bench/chat/chaos.ts [--kills N] [--chats
 * N] [--seed N] [--database ADDRESS]`. The backend is killed (SIGKILL) and started again while
 * people talk. Exit code 1 when something that was acknowledged is lost, comes twice or out of
 * order.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { seeded } from "../backend/random.ts";
import { killAgainAndAgain } from "./killing.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "50" },
    chats: { type: "string", default: "8" },
    seed: { type: "string", default: "1" },
    database: { type: "string" },
  },
});
const directory = await mkdtemp(join(tmpdir(), "afterword-chat-chaos-"));
try {
  const { acknowledged, unanswered, faults } = await killAgainAndAgain({
    database: values.database ?? join(directory, "backend.db"),
    kills: Number(values.kills),
    chats: Number(values.chats),
    random: seeded(Number(values.seed)),
    progress(kill, so) {
      if (kill % 10 === 0) process.stderr.write(`${kill} kills, ${so} acknowledged\n`);
    },
  });
  for (const fault of faults.slice(0, 20)) console.log(fault);
  console.log(
    `${values.kills} kills, seed ${values.seed}: ${acknowledged} messages acknowledged, ${unanswered} without an answer, ${faults.length} faults`,
  );
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await rm(directory, { recursive: true, force: true });
}
