// Suite: slow
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Draft } from "../../../../src/api/console.ts";
import { readAnswer, served } from "../../../gateway/console/console.ts";
import { servedOwnBot } from "../../../gateway/console/own-bot.ts";
import { flagged } from "../../../gateway/harness.ts";

const disk = mkdtempSync(join(tmpdir(), "afterword-disk-"));
const before = process.env["TMPDIR"];
/** Only root may mount, and not in every container. */
const mounted =
  process.platform === "linux" &&
  spawnSync("mount", ["-t", "tmpfs", "-o", "size=6m", "afterword-test", disk]).status === 0;
if (!mounted) rmSync(disk, { recursive: true });

beforeAll(() => {
  if (mounted) process.env["TMPDIR"] = disk;
});
afterAll(() => {
  if (!mounted) return;
  if (before === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = before;
  // Open files of the process keep it busy: it can be removed once they are closed.
  spawnSync("umount", ["--lazy", disk]);
  rmSync(disk, { recursive: true, force: true });
});

const FR = '# Ours\nno-results: "Rien." # short\n';
const DE = 'no-results: "Nichts."\n';

/** Uses all bytes that are left. */
async function fill(): Promise<void> {
  for (const size of [1_048_576, 65_536, 4096]) {
    for (let count = 0; ; count++) {
      const file = join(disk, `filled-${size}-${count}`);
      const full = await writeFile(file, Buffer.alloc(size)).then(
        () => false,
        (error: unknown) => {
          expect(String(error)).toContain("ENOSPC");
          return true;
        },
      );
      if (full) {
        await rm(file);
        break;
      }
    }
  }
}

async function free(): Promise<void> {
  for (const name of await readdir(disk)) {
    if (name.startsWith("filled-")) await rm(join(disk, name));
  }
}

describe.skipIf(!mounted)(
  "on a full disk (skipped where nothing can be mounted), the console",
  () => {
    it("says so, loses no draft, writes no half file, and publishes once there is room", async () => {
      const files = { "messages/fr.yaml": FR, "messages/de.yaml": DE };
      const house = await served(files, undefined, flagged("no-results"));
      const { api, directory } = house;
      const put = (locale: string, text: string) =>
        api(`draft/${locale}/no-results`, { method: "PUT", json: { instance: "shop", text } });
      expect((await put("fr", "Aucun.")).status).toBe(200);
      expect((await put("de", "Gar nichts.")).status).toBe(200);
      await fill();
      const refused = await api("draft/publish", { json: {} });
      expect([refused.status, JSON.stringify(refused.body)]).toEqual([
        503,
        expect.stringContaining("disk is full"),
      ]);
      // Longer than the rest of a page of the database.
      const long = await put("fr", "Rien du tout. ".repeat(20_000));
      expect([long.status, JSON.stringify(long.body)]).toEqual([
        503,
        expect.stringContaining("disk is full"),
      ]);
      expect(await readFile(join(directory, "messages/fr.yaml"), "utf8")).toBe(FR);
      expect(await readFile(join(directory, "messages/de.yaml"), "utf8")).toBe(DE);
      expect((await readdir(join(directory, "messages"))).toSorted()).toEqual([
        "de.yaml",
        "fr.yaml",
      ]);
      expect(await readAnswer(house, "fr")).toContain("Rien.");
      expect((await api("texts?instance=shop")).status).toBe(200);
      await free();
      const { changes } = (await api("draft")).body as Draft;
      expect(changes.map(({ text }) => text).toSorted()).toEqual(["Aucun.", "Gar nichts."]);
      expect((await api("draft/publish", { json: {} })).status).toBe(200);
      expect(await readAnswer(house, "fr")).toContain("Aucun.");
      expect(await readAnswer(house, "de")).toContain("Gar nichts.");
    });

    it("says so of contents that are brought along, and writes none of their files", async () => {
      const { api, directory } = await servedOwnBot();
      const rows = Array.from(
        { length: 100 },
        (_, row) => `Question ${row}?,${"word ".repeat(99)}`,
      );
      const sheet = `question,answer\n${rows.join("\n")}\n`;
      const file = Buffer.from(sheet).toString("base64");
      const json = { name: "faq.csv", language: "en", file, write: true };
      // The console's database exists, as it does after the first change.
      await api("contents/import", { json: { ...json, write: false } });
      const folder = join(directory, "backend");
      const before = await readdir(folder);
      await fill();
      const refused = await api("contents/import", { json });
      expect(refused).toMatchObject({
        status: 503,
        body: {
          errors: [{ reason: "disk-full", params: { file: expect.stringMatching(/^backend\//) } }],
        },
      });
      expect(await readdir(folder)).toEqual(before);
      await free();
      expect(await api("contents/import", { json })).toMatchObject({ body: { written: true } });
    });
  },
);
