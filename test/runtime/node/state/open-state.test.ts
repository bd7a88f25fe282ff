import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openState } from "../../../../src/runtime/node/state/open-state.ts";
import type { StateStore } from "../../../../src/runtime/node/state/state-store.ts";
import { fullRecord, record } from "../../../escalation/suites/records.ts";
import { french, keyOf } from "../../../conversation/store-suite.ts";
import { createFolder } from "../../../fixtures/folder.ts";

describe("state.store", () => {
  it("memory keeps conversations in the process, and writes nothing", async () => {
    const data = createFolder();
    const state = await open("memory", data);
    await state.put("key", french);
    expect(await state.get("key")).toEqual(french);
    expect(existsSync(join(data, "state.db"))).toBe(false);
  });

  it("file keeps them in state.db of the data directory", async () => {
    const data = join(createFolder(), "data");
    const key = keyOf();
    const first = await open("file", data);
    await first.put(key, french);
    await first.close();
    expect(await (await open("file", data)).get(key)).toEqual(french);
    expect(existsSync(join(data, "state.db"))).toBe(true);
  });

  it.each(["memory", "file"])("%s keeps escalations too", async (store) => {
    const state = await open(store, createFolder());
    const written = await state.escalations.put(record());
    expect(await state.escalations.get(written?.key ?? "")).toEqual(written);
  });

  it("file encrypts with state.key, and refuses another", async () => {
    const data = createFolder();
    const first = await open("file", data, [], "0f".repeat(32));
    await first.escalations.put(fullRecord());
    await first.put(keyOf(), { ...french, variables: { name: "Wilhelmina" } });
    await first.close();
    expect(readFileSync(join(data, "state.db"), "latin1")).not.toContain("Wilhelmina");
    await expect(open("file", data, [], "0e".repeat(32))).rejects.toMatchObject({
      code: "config-invalid",
      message: expect.stringContaining("state.key does not open"),
    });
    await open("file", data, [], `${"0e".repeat(32)},${"0f".repeat(32)}`);
  });

  it("removes escalations after the retention, and stops with the store", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const state = await open("file", createFolder());
    const written = await state.escalations.put(record());
    vi.advanceTimersByTime(600_000);
    await vi.waitFor(
      async () => expect(await state.escalations.get(written?.key ?? "")).toBeNull(),
      40_000,
    );
    await state.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("file that is damaged refuses to open", async () => {
    const data = createFolder();
    writeFileSync(join(data, "state.db"), "damaged".repeat(1000));
    await expect(open("file", data)).rejects.toMatchObject({ code: "data-directory-unusable" });
  });

  it("redis that does not answer opens all the same, and tells the log where, without the password", async () => {
    const logs: unknown[] = [];
    const state = await open("redis://bot:hunter2@127.0.0.1:1/4", createFolder(), logs);
    await expect((async () => await state.get(keyOf()))()).rejects.toThrow("no connection");
    await expect((async () => await state.put(keyOf(), french))()).rejects.toThrow("no connection");
    expect(logs).toEqual([
      ["warn", "state-store-failing", { store: "redis://127.0.0.1:1/4", detail: "ECONNREFUSED" }],
    ]);
  });

  it("redis with an address that is none refuses to open, without repeating it", async () => {
    const opening = open("redis://bot:hunter2@cache/x", createFolder());
    await expect(opening).rejects.toMatchObject({ code: "config-invalid" });
    await expect(opening).rejects.not.toThrow("hunter2");
  });
});

async function open(
  store: string,
  data: string,
  logs: unknown[] = [],
  key?: string,
): Promise<StateStore> {
  const state = await openState({
    config: { data, state: { store, retention: 0, ...(key === undefined ? {} : { key }) } },
    now: () => Date.now(),
    log: (...line) => void logs.push(line),
    damaged() {},
  });
  onTestFinished(() => state.close());
  return state;
}
