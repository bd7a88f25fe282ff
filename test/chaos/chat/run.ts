/** Tests whether the live chat keeps acknowledged messages: `npm run chaos -- chat --help`. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seeded } from "../../../bench/backend/random.ts";
import { killAgainAndAgain } from "./killing.ts";
import { optionalText, readOptions, whole } from "../../../bench/options.ts";

const { kills, chats, seed, database } = readOptions({
  name: "npm run chaos -- chat",
  about:
    "Whether the live chat keeps what it acknowledged. The backend is killed (SIGKILL) and started again while people talk.",
  options: {
    kills: whole("how often it is killed", 50),
    chats: whole("chats at once", 8),
    seed: whole("of what is random: the same seed does the same", 1, 0),
    database: optionalText("address of a PostgreSQL database", "ADDRESS", "a new SQLite file"),
  },
  fails: "something that was acknowledged is lost, comes twice or out of order",
});
const directory = await mkdtemp(join(tmpdir(), "afterword-chat-chaos-"));
try {
  const { acknowledged, unanswered, faults } = await killAgainAndAgain({
    database: database ?? join(directory, "backend.db"),
    kills,
    chats,
    random: seeded(seed),
    progress(kill, so) {
      if (kill % 10 === 0) process.stderr.write(`${kill} kills, ${so} acknowledged\n`);
    },
  });
  for (const fault of faults.slice(0, 20)) console.log(fault);
  console.log(
    `${kills} kills, seed ${seed}: ${acknowledged} messages acknowledged, ${unanswered} without an answer, ${faults.length} faults`,
  );
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await rm(directory, { recursive: true, force: true });
}
