import { describe, expect, it, onTestFinished } from "vitest";
import { memoryLifetime } from "../../../src/conversation/memory.ts";
import { openRedisStore, redisPrefix } from "../../../src/runtime/node/state/redis-store.ts";
import type { StateStore } from "../../../src/runtime/node/state/state-store.ts";
import { describeConversationStore, french, keyOf } from "../../conversation/store-suite.ts";
import { redisAddress, redisCommand, startRedis } from "./redis-server.ts";

describeConversationStore({
  name: "Redis",
  limited: false,
  texts: true,
  async open() {
    const address = await redisAddress();
    const redis = await redisCommand(address);
    let damages = 0;
    const opened = await open(address, () => (damages += 1));
    const keys = new Set<string>();
    return {
      // The keys of this bed: those of other users of the server are kept.
      store: {
        get: (key) => opened.get(key),
        put(key, memory) {
          keys.add(redisPrefix + key);
          return opened.put(key, memory);
        },
      },
      async pass(milliseconds) {
        for (const key of keys) {
          const left = Number(await redis("PTTL", key));
          if (left > milliseconds) await redis("PEXPIRE", key, String(left - milliseconds));
          else await redis("DEL", key);
        }
      },
      async close() {
        for (const key of keys) await redis("DEL", key);
        await opened.close();
      },
      stored: {
        write: async (key, text) => void (await redis("SET", redisPrefix + key, text, "KEEPTTL")),
        damaged: () => damages,
      },
    };
  },
});

describe("a conversation in Redis", () => {
  it("is one key with our prefix that expires by itself after half an hour", async () => {
    const address = await redisAddress();
    const redis = await redisCommand(address);
    const store = await open(address);
    const key = keyOf();
    await store.put(key, french);
    expect(await redis("KEYS", `*${key}*`)).toEqual([`afterword:conversation:${key}`]);
    await expectWholeLife(redis("PTTL", redisPrefix + key));
    await redis("PEXPIRE", redisPrefix + key, "5000");
    await store.get(key);
    await expectWholeLife(redis("PTTL", redisPrefix + key));
  });

  it("is read by every node, in the database that the address names", async () => {
    const { address } = await startRedis();
    const key = keyOf();
    await (await open(`${address}/3`)).put(key, french);
    expect(await (await open(`${address}/3`)).get(key)).toEqual(french);
    expect(await (await open(address)).get(key)).toBeNull();
  });

  it("needs a password where the server does, and no more rights than the documentation says", async () => {
    const { port } = await startRedis(["--requirepass", "hunter2"]);
    const admin = await redisCommand(`redis://:hunter2@127.0.0.1:${port}`);
    const rights = ["~afterword:conversation:*", "+getex", "+set", "+ping", "+select"];
    await admin("ACL", "SETUSER", "afterword", "on", ">p@ss/word", ...rights);
    const key = keyOf();
    await (await open(`redis://:hunter2@127.0.0.1:${port}/2`)).put(key, french);
    const narrow = `redis://afterword:p%40ss%2Fword@127.0.0.1:${port}/2`;
    const store = await open(narrow);
    expect(await store.get(key)).toEqual(french);
    await store.put(key, french);
    const curious = await redisCommand(narrow);
    await expect(curious("GET", "other")).rejects.toThrow("NOPERM");
  });

  it("is out of reach with a wrong password, which the log does not show", async () => {
    const { port } = await startRedis(["--requirepass", "right"]);
    const reports: string[] = [];
    const store = await open(`redis://:hunter2@127.0.0.1:${port}`, undefined, reports);
    await expect((async () => await store.get(keyOf()))()).rejects.toThrow("no connection");
    expect(reports).toEqual([`redis://127.0.0.1:${port}/0 failed WRONGPASS`]);
  });

  it("that is of another kind rejects, and leaves it alone", async () => {
    const address = await redisAddress();
    const redis = await redisCommand(address);
    const key = keyOf();
    await redis("LPUSH", redisPrefix + key, "not ours");
    const store = await open(address);
    await expect((async () => await store.get(key))()).rejects.toThrow("WRONGTYPE");
    expect(await redis("LLEN", redisPrefix + key)).toBe(1);
    await redis("DEL", redisPrefix + key);
  });
});

async function expectWholeLife(left: Promise<unknown>): Promise<void> {
  const milliseconds = await left;
  expect(milliseconds).toBeLessThanOrEqual(memoryLifetime);
  expect(milliseconds).toBeGreaterThan(memoryLifetime - 60_000);
}

async function open(
  address: string,
  damaged: () => void = () => undefined,
  reports: string[] = [],
): Promise<StateStore> {
  const store = await openRedisStore({
    address,
    damaged,
    health: (name) => ({
      failed: (detail) => void reports.push(`${name} failed ${detail}`),
      works: () => void reports.push(`${name} works`),
    }),
  });
  onTestFinished(() => store.close());
  return store;
}
