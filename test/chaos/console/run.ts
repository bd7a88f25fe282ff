/** Tests that a publication is never half done: `npm run chaos -- console --help`. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seeded } from "../../../bench/backend/random.ts";
import { killWhilePublishing } from "./killing.ts";
import { readOptions, whole } from "../../../bench/options.ts";

const { kills, seed } = readOptions({
  name: "npm run chaos -- console",
  about:
    "Whether a publication of the console is wholly old or wholly new after a crash. The process that publishes is killed (SIGKILL) and its files are looked at after the next start.",
  options: {
    kills: whole("how often it is killed", 100),
    seed: whole("of the moments at which it is killed", 1, 0),
  },
  fails: "files are of two publications, one is left unfinished, or an acknowledged one is lost",
});
const folder = await mkdtemp(join(tmpdir(), "afterword-console-chaos-"));
try {
  const { finished, faults } = await killWhilePublishing({
    folder,
    kills,
    random: seeded(seed),
    progress(kill) {
      if (kill % 10 === 0) process.stderr.write(`${kill} kills\n`);
    },
  });
  for (const fault of faults.slice(0, 20)) console.log(fault);
  console.log(
    `${kills} kills: ${finished} publications finished or taken back by the next start, ${faults.length} faults`,
  );
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
