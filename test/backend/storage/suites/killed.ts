import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe, expect, onTestFinished, test } from "vitest";
import { openStorage } from "../../../../src/backend/storage/open-storage.ts";

const writer = new URL("../writer.ts", import.meta.url).pathname;

/** Tests processes that are killed while they write to one database. */
export function killedIn(name: string, newAddress: () => Promise<string>): void {
  describe(`processes that write to ${name}`, () => {
    test("lose nothing acknowledged when they are killed", async () => {
      const address = await newAddress();
      const writers = [start(address, "one"), start(address, "other")];
      const acknowledged = new Map<string, number>();
      for (const { lines } of writers) {
        lines.on("line", (line) => {
          const [key = "", turns] = line.split(" ");
          acknowledged.set(key, Number(turns));
        });
      }
      await expect
        .poll(() => acknowledged.size === 8 && Math.min(...acknowledged.values()) >= 20, {
          timeout: 120_000,
          interval: 20,
        })
        .toBe(true);
      for (const { child } of writers) child.kill("SIGKILL");
      await Promise.all(writers.map(({ ended }) => ended));

      const { sessions, database, close } = await openStorage(address);
      for (const [key, turns] of acknowledged) {
        const kept = (await sessions.read(key, 0))?.turns ?? 0;
        expect(kept).toBeGreaterThanOrEqual(turns);
        // The next one may be stored without having been acknowledged, but none is stored in part.
        expect(kept).toBeLessThanOrEqual(turns + 1);
        const history = (await sessions.history(key)).map(({ message }) => Number(message));
        const first = history[0] ?? 0;
        expect(history).toStrictEqual(history.map((_, index) => first + index));
        expect(history.at(-1)).toBe(kept);
      }
      const events = await database.kysely.selectFrom("events").select(["at", "project"]).execute();
      for (const project of ["one", "other"]) {
        const times = events.filter((event) => event.project === project).map(({ at }) => at);
        expect(times.length).toBeGreaterThanOrEqual(2 * 20);
        expect(times.toSorted((a, b) => a - b)).toStrictEqual(
          times.map((_, index) => Math.floor(index / 2) + 1),
        );
      }
      await close();
    });
  });
}

function start(
  address: string,
  name: string,
): { child: ChildProcess; lines: ReturnType<typeof createInterface>; ended: Promise<unknown> } {
  const child = spawn(process.execPath, [writer, address, name], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout });
  return { child, lines, ended: Promise.all([once(child, "exit"), once(lines, "close")]) };
}
