import { describe, expect, onTestFinished, test } from "vitest";
import { openStorage } from "../../../../src/backend/storage/open-storage.ts";
import type { Storage } from "../../../../src/backend/storage/types.ts";
import { content, hostile } from "./samples.ts";

/** Tests contents in a database. `newAddress` creates an empty one each time. */
export function contentsIn(name: string, newAddress: () => Promise<string | null>): void {
  const english = { project: "*", language: "en" };
  const source = { ...english, document: { categories: [] } };

  async function open(address?: string): Promise<Storage> {
    const storage = await openStorage(address ?? (await newAddress()));
    onTestFinished(() => storage.close());
    return storage;
  }

  describe(`contents in ${name}`, () => {
    test("begin empty", async () => {
      const { contents } = await open();
      expect(await contents.all()).toStrictEqual({ revision: 0, sources: [], rows: [] });
    });

    test("are replaced a language at a time, and others stay", async () => {
      const { contents } = await open();
      const french = { project: "shop", language: "fr", document: null };
      await contents.replace(french, [content(1, "un")]);
      await contents.replace(source, [content(1, "gone"), content(3, "gone")]);
      await contents.replace(source, [content(2, "two"), content(1, "one")]);
      expect(await contents.all()).toStrictEqual({
        revision: 3,
        sources: expect.arrayContaining([source, french]),
        rows: [
          { ...english, ...content(1, "one") },
          { ...english, ...content(2, "two") },
          { project: "shop", language: "fr", ...content(1, "un") },
        ],
      });
    });

    test("are added, and replace older ones", async () => {
      const { contents } = await open();
      await contents.replace(source, [content(1), content(2)]);
      await contents.upsert(english, [
        { ...content(2, "new"), modified: 1_790_000_000_000 },
        content(3),
      ]);
      const { rows, sources } = await contents.all();
      expect(sources).toStrictEqual([source]);
      expect(rows).toStrictEqual([
        { ...english, ...content(1) },
        { ...english, ...content(2, "new"), modified: 1_790_000_000_000 },
        { ...english, ...content(3) },
      ]);
    });

    test("tell another engine by their revision that they have changed", async () => {
      const address = await newAddress();
      if (address === null) return;
      const [one, other] = [await open(address), await open(address)];
      const before = await other.contents.revision();
      expect(await other.contents.revision()).toBe(before);
      await one.contents.upsert(english, [content(1)]);
      expect(await other.contents.revision()).toBeGreaterThan(before);
    });

    test("stay as they were when something is wrong in the middle", async () => {
      const { contents } = await open();
      await contents.replace(source, [content(1)]);
      const before = await contents.all();
      const half = Array.from({ length: 500 }, (_, id) => content(id));
      await expect(
        contents.replace(source, [...half, { ...content(1), document: { big: 1n } }]),
      ).rejects.toThrow("BigInt");
      expect(await contents.all()).toStrictEqual(before);
    });

    test("are returned unchanged, whatever they contain", async () => {
      const { contents } = await open();
      const rows = hostile.map((text, id) => content(id, text));
      await contents.replace({ ...english, document: hostile }, rows);
      const { rows: stored, sources } = await contents.all();
      expect(stored.map(({ document }) => document)).toStrictEqual(rows.map((row) => row.document));
      expect(sources[0]?.document).toStrictEqual(hostile);
    });

    test("can be twenty thousand at once, with progress", async () => {
      const { contents } = await open();
      const rows = Array.from({ length: 20_000 }, (_, id) => content(id, "x".repeat(1500)));
      const progress: number[] = [];
      await contents.replace(source, rows, (done, of) => progress.push(done / of));
      expect(progress).toStrictEqual(progress.toSorted((a, b) => a - b));
      expect(progress.length).toBeGreaterThan(50);
      expect(progress.at(-1)).toBe(1);
      expect((await contents.all()).rows).toHaveLength(20_000);
    });

    test("are read as of one moment, while another process changes them", async () => {
      const address = await newAddress();
      if (address === null) return;
      const [one, other] = [await open(address), await open(address)];
      const version = (title: string) => Array.from({ length: 900 }, (_, id) => content(id, title));
      await one.contents.replace(source, version("0"));
      const writing = (async () => {
        for (const title of ["1", "2", "3"]) await one.contents.replace(source, version(title));
      })();
      for (let read = 0; read < 5; read++) {
        const { rows } = await other.contents.all();
        expect(rows).toHaveLength(900);
        expect(new Set(rows.map(({ document }) => JSON.stringify(document))).size).toBe(1);
      }
      await writing;
    });
  });
}
