import {
  env,
  listDurableObjectIds,
  runDurableObjectAlarm,
  runInDurableObject,
} from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { memoryLifetime } from "../../../../src/conversation/memory.ts";
import { createObjectStore } from "../../../../src/runtime/worker/conversation-store.ts";
import type { ObjectState } from "../../../../src/runtime/worker/platform.ts";
import { describeConversationStore, french, keyOf } from "../../../conversation/store-suite.ts";

const namespace = env.AFTERWORD_CONVERSATIONS;

describeConversationStore({
  name: "Durable Objects",
  limited: false,
  texts: true,
  open() {
    const keys = new Set<string>();
    let damages = 0;
    const store = createObjectStore(namespace, () => (damages += 1));
    return {
      store: {
        get: (key) => store.get(key),
        put(key, memory) {
          keys.add(key);
          return store.put(key, memory);
        },
      },
      async pass(milliseconds) {
        for (const key of keys) await age(key, milliseconds);
      },
      close() {},
      stored: {
        write: (key, text) =>
          within(key, ({ storage }) => {
            storage.sql.exec("UPDATE conversation SET text = ?", text);
          }),
        damaged: () => damages,
      },
    };
  },
});

describe("the Durable Object of a conversation", () => {
  it("is created once for each conversation", async () => {
    const store = createObjectStore(namespace, () => {});
    const before = (await listDurableObjectIds(namespace)).length;
    const [one, other] = [keyOf(), keyOf()];
    for (const key of [one, other, one]) await store.put(key, french);
    expect(await listDurableObjectIds(namespace)).toHaveLength(before + 2);
  });

  it("deletes its storage after half an hour and a minute without a turn", async () => {
    const store = createObjectStore(namespace, () => {});
    const key = keyOf();
    await store.put(key, french);
    expect(await alarmOf(key)).toBeGreaterThan(Date.now() + memoryLifetime);
    await age(key, memoryLifetime + 61_000);
    expect(await runDurableObjectAlarm(stubOf(key))).toBe(true);
    expect(await alarmOf(key)).toBeNull();
    expect(await store.get(key)).toBeNull();
    expect(await tablesOf(key)).toEqual([]);
  });

  it("keeps the memory when its alarm rings after another turn, and sets the next alarm", async () => {
    const store = createObjectStore(namespace, () => {});
    const key = keyOf();
    await store.put(key, french);
    await age(key, 20 * 60_000);
    expect(await store.get(key)).toEqual(french);
    expect(await runDurableObjectAlarm(stubOf(key))).toBe(true);
    expect(await store.get(key)).toEqual(french);
    expect(await alarmOf(key)).toBeGreaterThan(Date.now() + memoryLifetime);
  });

  it("stores nothing when it is only read", async () => {
    const key = keyOf();
    expect(await createObjectStore(namespace, () => {}).get(key)).toBeNull();
    expect(await tablesOf(key)).toEqual([]);
  });

  it("can be written again after it was deleted", async () => {
    const store = createObjectStore(namespace, () => {});
    const key = keyOf();
    await store.put(key, french);
    await age(key, 2 * memoryLifetime);
    await runDurableObjectAlarm(stubOf(key));
    await store.put(key, french);
    expect(await store.get(key)).toEqual(french);
    expect(await alarmOf(key)).not.toBeNull();
  });
});

function stubOf(key: string) {
  return namespace.get(namespace.idFromName(key));
}

function within<Value>(
  key: string,
  work: (state: ObjectState) => Value | Promise<Value>,
): Promise<Value> {
  return runInDurableObject(stubOf(key), (_, state) => work(state));
}

/** Advances the time of one conversation. */
async function age(key: string, milliseconds: number): Promise<void> {
  await within(key, ({ storage }) => {
    storage.sql.exec("UPDATE conversation SET expires = expires - ?", milliseconds);
  });
}

function tablesOf(key: string): Promise<readonly unknown[]> {
  return within(key, ({ storage }) =>
    Array.from(storage.sql.exec("SELECT name FROM sqlite_master"), ({ name }) => name),
  );
}

async function alarmOf(key: string): Promise<number | null> {
  return within(key, ({ storage }) => storage.getAlarm());
}
