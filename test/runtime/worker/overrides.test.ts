import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Config } from "../../../src/config/config.ts";
import { createOverrides, usualInterval } from "../../../src/runtime/worker/overrides.ts";
import { compileTables } from "../../../src/runtime/worker/compiled-tables.ts";
import {
  listKey,
  type PushedVersion,
  pushedTextsOf,
  pushTexts,
  toVersionKey,
} from "../../../src/runtime/worker/pushed-texts.ts";
import { config, instance, tables } from "../../fixtures/config.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** A namespace, and a worker's view of it with a clock that the test sets. */
function bench(instances: readonly string[] = ["shop"]) {
  const kept = new Map<string, string>();
  const versions: PushedVersion[] = [];
  const log: string[] = [];
  const time = { now: 1_000_000, reachable: true, reads: 0 };
  const deployed = config(tables({ en: { welcome: "deployed" } }), {
    instances: instances.map((name) => instance({ name })),
  });
  let taken: Config = deployed;
  const texts = {
    async get(key: string) {
      time.reads++;
      if (!time.reachable) throw new Error("network");
      return kept.get(key) ?? null;
    },
  };
  const platform = {
    now: () => time.now,
    digest: sha256,
    log: (level: string, event: string, fields: object = {}) =>
      void log.push([level, event, ...Object.values(fields)].join(" ")),
  };
  const open = () => createOverrides(texts, deployed, platform, (next) => (taken = next));
  let overrides = open();
  return {
    kept,
    log,
    time,
    push(id: string, welcome: string, change: (text: string) => string = (text) => text) {
      const sets = compileTables([tables({ en: { welcome } })]);
      const text = JSON.stringify({ format: 2, tables: sets, instances: { shop: 0 } });
      versions.unshift({ id, pushed: `pushed ${id}`, hash: sha256(text) });
      kept.set(toVersionKey(id), change(text));
      this.point(id);
    },
    point: (id: string | null) =>
      void kept.set(listKey, JSON.stringify({ format: 1, current: id, versions })),
    async look() {
      time.now += usualInterval;
      await overrides.refresh();
      return overrides.state();
    },
    restart() {
      taken = deployed;
      overrides = open();
    },
    welcomeOf(name = "shop") {
      const { tableSet } = taken.instances.find((one) => one.name === name) ?? instance();
      const [line] = taken.tableSets[tableSet]?.channels[""]?.["en"]?.lines["welcome"] ?? [];
      return line?.say?.text?.parts[0];
    },
    overrides: () => overrides,
    taken: () => taken,
    deployed,
  };
}

describe("pushed texts", () => {
  it("are used by the instances that they name; others use the deployed ones", async () => {
    const worker = bench(["shop", "new"]);
    expect(await worker.look()).toEqual({ version: null, pushed: null, refused: [] });
    worker.push("v1", "one");
    expect(await worker.look()).toEqual({ version: "v1", pushed: "pushed v1", refused: [] });
    expect([worker.welcomeOf("shop"), worker.welcomeOf("new")]).toEqual(["one", "deployed"]);
    expect(worker.taken().hash).toMatch(/^[0-9a-f]{64}$/);
    expect(worker.taken().hash).not.toBe(worker.deployed.hash);
  });

  it("are looked for at most every half minute", async () => {
    const worker = bench();
    await worker.look();
    const { reads } = worker.time;
    worker.time.now += usualInterval - 1;
    expect(worker.overrides().refresh()).toBeNull();
    expect(worker.time.reads).toBe(reads);
  });

  it.each([
    ["damaged", (text: string) => text.replace("two", "owt")],
    ["damaged", (text: string) => text.slice(0, -20)],
  ])("and are %s are not taken over; the last good ones stay", async (reason, change) => {
    const worker = bench();
    worker.push("v1", "one");
    await worker.look();
    worker.push("v2", "two", change);
    expect(await worker.look()).toEqual({
      version: "v1",
      pushed: "pushed v1",
      refused: [{ version: "v2", reason }],
    });
    expect(worker.welcomeOf()).toBe("one");
    await worker.look();
    expect(worker.log.filter((line) => line.startsWith("error"))).toEqual([
      `error overrides-refused v2 ${reason}`,
    ]);
  });

  it("and are broken leave the last good ones to an isolate that starts anew, too", async () => {
    const worker = bench();
    worker.push("v1", "one");
    worker.push("v2", "two", () => "");
    worker.restart();
    expect(await worker.look()).toMatchObject({ version: "v1", refused: [{ version: "v2" }] });
    expect(worker.welcomeOf()).toBe("one");
  });

  it("and are all broken leave what was deployed", async () => {
    const worker = bench();
    worker.push("v1", "one", () => "{}");
    expect(await worker.look()).toMatchObject({ version: null, refused: [{ version: "v1" }] });
    expect(worker.welcomeOf()).toBe("deployed");
  });

  it("and are missing, or of a format to come, are distinguished", async () => {
    const worker = bench();
    worker.push("v1", "one");
    worker.kept.delete(toVersionKey("v1"));
    expect((await worker.look()).refused).toEqual([{ version: "v1", reason: "missing" }]);
    const text = '{"format":3}';
    const versions = [{ id: "v2", pushed: "", hash: sha256(text) }];
    worker.kept.set(toVersionKey("v2"), text);
    worker.kept.set(listKey, JSON.stringify({ format: 1, current: "v2", versions }));
    expect((await worker.look()).refused).toEqual([{ version: "v2", reason: "newer-format" }]);
  });

  it("are dropped for those of the deployment, and can be used again", async () => {
    const worker = bench();
    worker.push("v1", "one");
    await worker.look();
    worker.point(null);
    expect(await worker.look()).toEqual({ version: null, pushed: null, refused: [] });
    expect(worker.welcomeOf()).toBe("deployed");
    worker.point("v1");
    await worker.look();
    expect(worker.welcomeOf()).toBe("one");
  });

  it("stay in force while nobody can be asked for others", async () => {
    const worker = bench();
    worker.push("v1", "one");
    await worker.look();
    worker.time.reachable = false;
    expect(await worker.look()).toMatchObject({
      version: "v1",
      refused: [{ reason: "unreachable" }],
    });
    worker.time.reachable = true;
    worker.kept.set(listKey, "no list");
    expect(await worker.look()).toMatchObject({
      version: "v1",
      refused: [{ reason: "unreadable" }],
    });
    expect(worker.welcomeOf()).toBe("one");
  });
});

it("texts that come back within a second are one more version, and the one before stays", async () => {
  const kept = new Map<string, string>();
  const store = {
    get: async (key: string) => kept.get(key) ?? null,
    put: async (key: string, text: string) => void kept.set(key, text),
    delete: async (key: string) => void kept.delete(key),
  };
  const push = (welcome: string, number: number) => {
    const texts = pushedTextsOf(config(tables({ en: { welcome } }), { instances: [instance()] }));
    const about = { number, label: "lea", note: "", restores: null, files: [] };
    return pushTexts(store, texts, 1_000_000, sha256, about);
  };
  await push("Hello", 1);
  await push("Good day", 2);
  const { list } = await push("Hello", 3);
  expect(list.versions.map(({ publication }) => publication?.number)).toEqual([3, 2, 1]);
  expect(new Set(list.versions.map(({ id }) => id)).size).toBe(3);
  expect(kept.get(toVersionKey(list.current ?? ""))).toContain("Hello");
});
