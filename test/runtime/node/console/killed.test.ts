import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { finishPublications } from "../../../../src/runtime/node/console/publications.ts";
import { openConsoleDatabase } from "../../../../src/runtime/node/console/store.ts";
import { workspace } from "../../../config/workspace.ts";

/** `npm run chaos:console` asks for a hundred. */
const kills = Number(process.env["AFTERWORD_KILLS"] ?? 4);
const NAMES = ["messages/de.yaml", "messages/fr.yaml", "messages/it.yaml", "messages/new.yaml"];

it(
  "a publication of several files is wholly old or wholly new after kill -9 and a start",
  { timeout: 30_000 + kills * 2000 },
  async () => {
    const old = 'welcome: "old"\n';
    const folder = await workspace(
      Object.fromEntries(NAMES.slice(0, 3).map((name) => [name, old])),
    );
    const database = join(folder, "console.db");
    let finished = 0;
    for (let kill = 0; kill < kills; kill++) {
      const last = await killedAfter(kill % 3, [folder, database, ...NAMES]);
      finished += await finishPublications(database, folder);
      const texts = await Promise.all(
        NAMES.map((name) => readFile(join(folder, name), "utf8").catch(() => null)),
      );
      const generations = new Set(texts.map((text) => /"(\w+)"/.exec(text ?? "")?.[1]));
      // The new file is not there before the first publication.
      if (texts[3] === null) expect(texts.slice(0, 3)).toEqual([old, old, old]);
      else expect([...generations]).toHaveLength(1);
      // What was acknowledged before is not lost.
      const [generation = ""] = generations;
      if (kill % 3 > 0) expect(Number(generation)).toBeGreaterThanOrEqual(last - 1);
      expect((await readdir(join(folder, "messages"))).filter((name) => name[0] === ".")).toEqual(
        [],
      );
    }
    const opened = await openConsoleDatabase(database);
    const states = await opened.kysely.selectFrom("publications").select("state").execute();
    await opened.close();
    expect(states.filter(({ state }) => state === "writing")).toEqual([]);
    if (kills > 4) expect(finished).toBeGreaterThan(0);
  },
);

/** Ends the process while it publishes once more; says which generation it had begun. */
async function killedAfter(publications: number, argv: readonly string[]): Promise<number> {
  const script = fileURLToPath(new URL("publish-loop.ts", import.meta.url));
  const child = spawn(process.execPath, [script, ...argv], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  const exited = once(child, "exit");
  for await (const chunk of child.stdout) {
    said += String(chunk);
    if (said.trim().split("\n").length > publications) break;
  }
  child.kill("SIGKILL");
  await exited;
  return Number(said.trim().split("\n").at(-1));
}
