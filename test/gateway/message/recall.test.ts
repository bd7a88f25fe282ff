import { describe, expect, it } from "vitest";
import {
  type ConversationMemory,
  type ConversationStore,
  nothingKnown,
  createMemoryStore,
} from "../../../src/conversation/memory.ts";
import { createMetrics, type Metrics } from "../../../src/gateway/metrics.ts";
import { createRecall, patience, type Recall } from "../../../src/gateway/message/recall.ts";
import { createNodePlatform } from "../../../src/runtime/node/platform.ts";
import { instance } from "../../fixtures/config.ts";

const shop = instance({ name: "shop" });
const session = ["X-Inbenta-Session", "Bearer abc"];
const french: ConversationMemory = { ...nothingKnown, lang: "fr" };
const never = new Promise<never>(() => undefined);

describe("conversation memory in the gateway", () => {
  it("knows a conversation by its instance and its session, without Bearer", async () => {
    const { recall } = recalling(createMemoryStore(() => 0));
    await recall.remember(shop, "abc", french);
    expect(await recall.of(shop, session)).toEqual(french);
    expect(await recall.of(shop, ["x-inbenta-session", "abc"])).toEqual(french);
    expect(await recall.of(shop, [])).toBe(nothingKnown);
    expect(await recall.of(shop, ["x-inbenta-session", "Bearer "])).toBe(nothingKnown);
    await recall.change(shop, [], () => french);
    expect(await recall.of(instance({ name: "other" }), session)).toBe(nothingKnown);
  });

  it("shows the store a hash, never the session", async () => {
    const keys: string[] = [];
    const { recall } = recalling({
      get: (key) => (keys.push(key), null),
      put: (key) => void keys.push(key),
    });
    await recall.of(shop, session);
    await recall.remember(shop, "abc", french);
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(keys[1]).toBe(keys[0]);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("broken");
      },
    ],
    ["rejects", () => Promise.reject(new Error("broken"))],
  ])("goes on, and counts, when the store %s", async (_, fail) => {
    const { recall, failures } = recalling({ get: fail, put: fail });
    expect(await recall.of(shop, session)).toBeNull();
    await recall.remember(shop, "abc", french);
    await recall.change(shop, session, () => french);
    expect(failures()).toEqual({ read: 2, write: 1 });
  });

  it("goes on, and counts, when the store does not answer", async () => {
    const { recall, failures } = recalling({ get: () => never, put: () => never });
    expect(await recall.of(shop, session)).toBeNull();
    await recall.remember(shop, "abc", french);
    await recall.change(shop, session, () => french);
    expect(failures()).toEqual({ wait: 3 });
  });

  it("takes an answer that came in time, though this process was held up when it came", async () => {
    // What sockets and threads bring is looked at after what timers have to do; so is what an
    // immediate brings.
    const heldUp = <Value>(value: Value): Promise<Value> => {
      const answer = new Promise<Value>((resolve) => void setImmediate(() => resolve(value)));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, patience + 10);
      return answer;
    };
    const { recall, failures } = recalling({
      get: (key) => Promise.resolve(key).then(() => heldUp(french)),
      put: (key) => Promise.resolve(key).then(() => heldUp(undefined)),
    });
    expect(await recall.of(shop, session)).toEqual(french);
    await recall.remember(shop, "abc", french);
    expect(failures()).toEqual({});
  });

  it("changes what is remembered and keeps the rest", async () => {
    const { recall } = recalling(createMemoryStore(() => 0));
    await recall.remember(shop, "abc", french);
    await recall.change(shop, session, (memory) => ({ ...memory, variables: { name: "Ada" } }));
    expect(await recall.of(shop, session)).toEqual({ ...french, variables: { name: "Ada" } });
  });

  it("changes a conversation that it never saw begin", async () => {
    const { recall } = recalling(createMemoryStore(() => 0));
    await recall.change(shop, session, (memory) => ({ ...memory, env: "test" }));
    expect(await recall.of(shop, session)).toEqual({ ...nothingKnown, env: "test" });
  });

  it("writes nothing over a conversation that could not be read", async () => {
    const written: ConversationMemory[] = [];
    const { recall } = recalling({
      get: () => Promise.reject(new Error("late")),
      put: (_, memory) => void written.push(memory),
    });
    await recall.change(shop, session, (memory) => ({ ...memory, variables: { name: "Ada" } }));
    expect(written).toEqual([]);
  });
});

function recalling(store: ConversationStore): {
  recall: Recall;
  failures(): Record<string, number>;
} {
  const metrics: Metrics = createMetrics();
  const platform = createNodePlatform({
    transport: { send: () => () => undefined },
    log: () => undefined,
  });
  const counted = /^afterword_memory_failures_total\{doing="(\w+)"\} (\d+)$/gm;
  return {
    recall: createRecall(store, platform, metrics),
    failures: () =>
      Object.fromEntries(
        Array.from(metrics.text().matchAll(counted), ([, doing = "", n]) => [doing, Number(n)]),
      ),
  };
}
