import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { emptyMemory } from "../../../src/conversation/memory.ts";
import { createSealing, type Sealing } from "../../../src/escalation/stores/sealing.ts";
import { escalationPrefix } from "../../../src/runtime/node/state/redis-rows.ts";
import { openRedisStore, redisPrefix } from "../../../src/runtime/node/state/redis-store.ts";
import type { StateStore } from "../../../src/runtime/node/state/state-store.ts";
import { fullRecord, intent, keyOf, record } from "../../escalation/suites/records.ts";
import { describeEscalationStore } from "../../escalation/suites/store.ts";
import { redisCommand, startRedis } from "./redis-server.ts";
import { createFolder } from "../../fixtures/folder.ts";

const [oldKey, newKey] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];

for (const sealed of [false, true]) {
  describeEscalationStore({
    name: sealed ? "Redis, encrypted" : "Redis",
    async open() {
      // A server of its own, because queries for due or open records concern the whole server.
      const { address } = await startRedis();
      const redis = await redisCommand(address);
      const sealing = sealed ? await createSealing([newKey]) : undefined;
      let damages = 0;
      const damaged = (): void => void (damages += 1);
      const one = await open(address, { damaged, sealing });
      const two = await open(address, { damaged, sealing });
      const recordKey = (key: string): string => `${escalationPrefix}record:${key}`;
      const about = (key: string): string => `escalation ${key}`;
      return {
        store: one.escalations,
        other: two.escalations,
        now: () => Date.now(),
        pass: (milliseconds) => wait(milliseconds),
        close() {},
        stored: {
          async read(key) {
            const text = String(await redis("HGET", recordKey(key), "v"));
            return (await sealing?.open(text, about(key))) ?? text;
          },
          async write(key, text) {
            const value = (await sealing?.seal(text, about(key))) ?? text;
            await redis("HSET", recordKey(key), "v", value);
          },
          damaged: () => damages,
        },
      };
    },
  });
}

describe("escalations in Redis", () => {
  it("leave nothing behind when all of them are deleted or swept", async () => {
    const { address } = await startRedis();
    const redis = await redisCommand(address);
    const { escalations } = await open(address);
    const one = await escalations.put(fullRecord({ wake: 1 }));
    const idle = { phase: { name: "bot", quietUntil: 0 }, intents: [] } as const;
    await escalations.put(fullRecord({ wake: 1, ...idle }));
    await escalations.leaseDue(Date.now(), 10, 1000);
    await escalations.claim("name", "a", 60_000);
    await escalations.release("name", "a");
    await escalations.delete(one?.key ?? "");
    await escalations.sweep(Date.now());
    expect(await redis("KEYS", "*")).toEqual([]);
  });

  it("that are gone without us leave the lists when they are looked for", async () => {
    const { address } = await startRedis();
    const redis = await redisCommand(address);
    const { escalations } = await open(address);
    const one = await escalations.put(fullRecord({ wake: 1, intents: [intent("sent")] }));
    await redis("DEL", `${escalationPrefix}record:${one?.key}`);
    expect(await escalations.findByEventId(one?.eventId ?? "")).toBeNull();
    expect(await escalations.leaseDue(Date.now(), 10, 1000)).toEqual([]);
    expect(await escalations.listOpen(10)).toEqual([]);
    expect(await redis("ZCARD", `${escalationPrefix}wake`)).toBe(0);
  });

  it("of another kind are damaged, and keep nobody from the others", async () => {
    const { address } = await startRedis();
    const redis = await redisCommand(address);
    let damages = 0;
    const { escalations } = await open(address, { damaged: () => (damages += 1) });
    const odd = await escalations.put(record({ wake: 1 }));
    const sound = await escalations.put(record({ wake: 2 }));
    await redis("DEL", `${escalationPrefix}record:${odd?.key}`);
    await redis("LPUSH", `${escalationPrefix}record:${odd?.key}`, "not ours");
    expect(await escalations.leaseDue(Date.now(), 1, 60_000)).toEqual([sound]);
    expect(damages).toBe(1);
    expect(await escalations.sweep(Date.now())).toBe(2);
  });

  it("are not kept from anybody by a node whose clock is a year ahead", async () => {
    const { address } = await startRedis();
    const { escalations } = await open(address);
    const one = await escalations.put(record({ wake: 1 }));
    await escalations.leaseDue(Date.now() + 31_536_000_000, 10, 200);
    await expect.poll(() => escalations.leaseDue(Date.now(), 10, 200)).toEqual([one]);
  });

  it("need no more rights than the documentation says", async () => {
    const { address, port } = await startRedis();
    const admin = await redisCommand(address);
    const rights =
      "~afterword:conversation:* ~afterword:escalation:* +getex +set +ping +select +eval +get +del +hget +hmget +hset +time +zadd +zrangebyscore +zrem +zrevrange";
    await admin("ACL", "SETUSER", "afterword", "on", ">word", ...rights.split(" "));
    const sealing = await createSealing([newKey]);
    const store = await open(`redis://afterword:word@127.0.0.1:${port}/2`, { sealing });
    await store.put(keyOf(), emptyMemory);
    const { escalations } = store;
    const one = await escalations.put(fullRecord({ wake: 1 }));
    expect(await escalations.findByEventId(one?.eventId ?? "")).toEqual(one);
    expect(await escalations.leaseDue(Date.now(), 10, 1000)).toEqual([one]);
    expect(await escalations.listOpen(10)).toEqual([one]);
    expect(await escalations.claim("name", "a", 1000)).toBe(true);
    await escalations.release("name", "a");
    await escalations.delete(one?.key ?? "");
    await escalations.put(record());
    expect(await escalations.sweep(Date.now())).toBe(1);
  });

  it("are out of reach without a right, which the error names by Redis's code", async () => {
    const { address, port } = await startRedis();
    const admin = await redisCommand(address);
    const rights = "~afterword:* +getex +set +ping +select +eval +hmget";
    await admin("ACL", "SETUSER", "afterword", "on", ">word", ...rights.split(" "));
    const { escalations } = await open(`redis://afterword:word@127.0.0.1:${port}`);
    await expect((async () => await escalations.listOpen(10))()).rejects.toMatchObject({
      code: "database-unusable",
      message: `the store redis://127.0.0.1:${port}/0 cannot be used: NOPERM`,
    });
  });

  it("outlive a restart of the server with an append-only file", async () => {
    const { address, kill, start } = await startRedis(durable());
    const first = await open(address);
    const written = await first.escalations.put(fullRecord());
    await kill();
    await start();
    const second = await open(address);
    expect(await second.escalations.get(written?.key ?? "")).toEqual(written);
  });
});

describe("an encrypted Redis", () => {
  it("holds no word of the conversation, and no event id", async () => {
    const { address } = await startRedis();
    const redis = await redisCommand(address);
    const store = await open(address, { sealing: await createSealing([newKey]) });
    const written = await store.escalations.put(fullRecord());
    const key = keyOf();
    await store.put(key, { ...emptyMemory, variables: { name: "Wilhelmina" } });
    const keys = await redis("KEYS", "*");
    const texts = [
      JSON.stringify(keys),
      await redis("GET", redisPrefix + key),
      JSON.stringify(await redis("HGETALL", `${escalationPrefix}record:${written?.key}`)),
    ].join("");
    expect(texts).toContain("sealed:1:");
    for (const secret of ["Wilhelmina", "example.test", "Hello", written?.eventId ?? "?"])
      expect(texts).not.toContain(secret);
  });

  it("is read with a former key while the new one writes", async () => {
    const { address } = await startRedis();
    const first = await open(address, { sealing: await createSealing([oldKey]) });
    const written = await first.escalations.put(fullRecord());
    const sealing = await createSealing([newKey, oldKey]);
    const second = await open(address, { sealing });
    expect(await second.escalations.get(written?.key ?? "")).toEqual(written);
  });

  it.each([
    ["with another key", [oldKey]],
    ["without a key", []],
  ])("refuses to open %s, also when it is reached later only", async (_, keys) => {
    const server = await startRedis(durable());
    const { address } = server;
    const first = await open(address, { sealing: await createSealing([newKey]) });
    const written = await first.escalations.put(record());
    const wrong = await createSealing(keys);
    await expect(open(address, { sealing: wrong })).rejects.toMatchObject({
      code: "config-invalid",
      message: expect.stringContaining("state.key"),
    });
    await server.kill();
    const reports: string[] = [];
    const late = await open(address, { sealing: wrong, reports });
    await server.start();
    await expect
      .poll(() => late.escalations.get("x").catch(String), { timeout: 40_000 })
      .toContain("state.key");
    await expect((async () => await late.put(keyOf(), emptyMemory))()).rejects.toThrow("state.key");
    expect(reports.at(-1)).toContain("state.key");
    const again = await open(address, { sealing: await createSealing([newKey]) });
    expect(await again.escalations.get(written?.key ?? "")).toEqual(written);
  });
});

/** A kill loses nothing that was confirmed; by default, Redis may write it a second later. */
const durable = (): readonly string[] => [
  ...["--appendonly", "yes", "--appendfsync", "always"],
  ...["--dir", createFolder()],
];

interface Opening {
  readonly damaged?: () => void;
  readonly sealing?: Sealing | undefined;
  readonly reports?: string[];
}

async function open(
  address: string,
  { damaged = () => undefined, sealing, reports = [] }: Opening = {},
): Promise<StateStore> {
  const store = await openRedisStore({
    address,
    damaged,
    ...(sealing === undefined ? {} : { sealing }),
    health: () => ({
      failed: (detail) => void reports.push(detail),
      works: () => undefined,
    }),
  });
  onTestFinished(() => store.close());
  return store;
}
