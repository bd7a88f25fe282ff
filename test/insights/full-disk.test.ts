// Suite: slow
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, onTestFinished, vi } from "vitest";
import { readReport } from "../../src/insights/report.ts";
import { openInsightsDatabase } from "../../src/insights/tables.ts";
import { countsOf, everything, send, startCounting } from "./counting.ts";

const disk = mkdtempSync(join(tmpdir(), "afterword-disk-"));
/** Only root may mount, and not in every container. */
const isMounted =
  process.platform === "linux" &&
  spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m", "afterword-test", disk]).status === 0;

afterAll(() => {
  if (isMounted) spawnSync("umount", ["--lazy", disk]);
  rmSync(disk, { recursive: true, force: true });
});

/** Uses all bytes that are left. */
function fill(): void {
  for (const size of [262_144, 4096]) {
    for (let count = 0; count < 10_000; count++) {
      try {
        writeFileSync(join(disk, `filled-${size}-${count}`), Buffer.alloc(size));
      } catch {
        break;
      }
    }
  }
}

it.skipIf(!isMounted)(
  "answers readers while the disk is full, goes on when it is not, and tells of the gap",
  async () => {
    const bench = await startCounting(disk);
    onTestFinished(() => bench.close());
    const read = async () => {
      const database = await openInsightsDatabase(join(disk, "insights.db"));
      return readReport(database, everything).finally(() => database.close());
    };
    expect(await send(bench.url, "first reader", { message: "fail" })).toBe(200);
    await vi.waitFor(async () => expect((await read()).messages).toBe(1), 60_000);
    fill();
    let reader = 0;
    // Each batch needs room, until there is none.
    await vi.waitFor(
      async () => {
        for (let more = 0; more < 50; more++) {
          expect(await send(bench.url, `reader ${reader++}`, { message: "fail" })).toBe(200);
        }
        expect(bench.logs.map(({ event }) => event)).toContain("insights-lost");
      },
      { timeout: 100_000, interval: 100 },
    );
    for (const name of readdirSync(disk)) {
      if (name.startsWith("filled-")) rmSync(join(disk, name));
    }
    const before = countsOf(await read())["said"] ?? 0;
    expect(before).toBeLessThan(reader + 1);
    expect(await send(bench.url, "last reader", { message: "fail" })).toBe(200);
    await vi.waitFor(async () => {
      const { gaps } = await read();
      expect(gaps.map(({ why }) => why)).toContain("the store was away");
    }, 60_000);
    expect(countsOf(await read())["said"]).toBeGreaterThan(0);
  },
);
