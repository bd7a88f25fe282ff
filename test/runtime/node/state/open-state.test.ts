import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openState } from "../../../../src/runtime/node/state/open-state.ts";
import type { StateStore } from "../../../../src/runtime/node/state/state-store.ts";
import { french, keyOf } from "../../../conversation/store-suite.ts";

describe("state.store", () => {
  it("memory keeps conversations in the process, and writes nothing", async () => {
    const data = newFolder();
    const state = await open("memory", data);
    await state.put("key", french);
    expect(await state.get("key")).toEqual(french);
    expect(existsSync(join(data, "state.db"))).toBe(false);
  });

  it("file keeps them in state.db of the data directory", async () => {
    const data = join(newFolder(), "data");
    const key = keyOf();
    const first = await open("file", data);
    await first.put(key, french);
    await first.close();
    expect(await (await open("file", data)).get(key)).toEqual(french);
    expect(existsSync(join(data, "state.db"))).toBe(true);
  });

  it("file that is damaged refuses to open", async () => {
    const data = newFolder();
    writeFileSync(join(data, "state.db"), "damaged".repeat(1000));
    await expect(open("file", data)).rejects.toMatchObject({ code: "data-directory-unusable" });
  });

  it("redis that does not answer opens all the same, and tells the log where, without the password", async () => {
    const logs: unknown[] = [];
    const state = await open("redis://bot:hunter2@127.0.0.1:1/4", newFolder(), logs);
    await expect((async () => await state.get(keyOf()))()).rejects.toThrow("no connection");
    await expect((async () => await state.put(keyOf(), french))()).rejects.toThrow("no connection");
    expect(logs).toEqual([
      ["warn", "state-store-failing", { store: "redis://127.0.0.1:1/4", detail: "ECONNREFUSED" }],
    ]);
  });

  it("redis with an address that is none refuses to open, without repeating it", async () => {
    const opening = open("redis://bot:hunter2@cache/x", newFolder());
    await expect(opening).rejects.toMatchObject({ code: "config-invalid" });
    await expect(opening).rejects.not.toThrow("hunter2");
  });
});

async function open(store: string, data: string, logs: unknown[] = []): Promise<StateStore> {
  const state = await openState({
    config: { data, state: { store, retention: 0 } },
    now: () => Date.now(),
    log: (...line) => void logs.push(line),
    damaged() {},
  });
  onTestFinished(() => state.close());
  return state;
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "afterword-state-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
