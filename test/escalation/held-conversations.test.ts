import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { EscalationRecord } from "../../src/escalation/stores/record.ts";
import { createHeldConversations } from "../../src/escalation/held-conversations.ts";
import { loadConfig } from "../../src/runtime/node/index.ts";
import { record, talking } from "./suites/records.ts";

test("a store that fails once does not take a conversation from the person who holds it", async () => {
  const { conversations, store, pass, snapshot, shop, held, faults } = await bed();
  store.fails = true;
  await conversations.ready(snapshot);
  expect(faults).toHaveLength(1);
  store.fails = false;
  pass(10_000);
  // No message waits for this.
  expect(conversations.ready(snapshot)).toBe(null);
  await expect.poll(() => conversations.holds(held.key)).toBe(true);
  expect(conversations.has(shop.name)).toBe(true);
});

test("a store that goes on failing is not asked with every message", async () => {
  const { conversations, store, pass, snapshot } = await bed();
  store.fails = true;
  for (let message = 0; message < 100; message++) {
    await conversations.ready(snapshot);
    pass(100);
  }
  expect(store.asked).toBeGreaterThan(1);
  expect(store.asked).toBeLessThanOrEqual(3);
});

test("a store that has answered is not asked again before the configuration changes", async () => {
  const { conversations, store, pass, snapshot, held } = await bed();
  for (let message = 0; message < 10; message++) {
    await conversations.ready(snapshot);
    pass(60_000);
  }
  expect(store.asked).toBe(1);
  await conversations.ready({ ...snapshot });
  expect(store.asked).toBe(2);
  expect(conversations.holds(held.key)).toBe(true);
});

async function bed() {
  const shipped = new URL("../../config/afterword.yaml", import.meta.url);
  const config = await loadConfig(fileURLToPath(shipped));
  const [shop] = config.instances;
  if (shop === undefined) throw new Error("no instance");
  const held = record({ instance: shop.name, phase: talking });
  let now = 1_000_000;
  const store = {
    fails: false,
    asked: 0,
    async listOpen(): Promise<readonly EscalationRecord[]> {
      store.asked++;
      if (store.fails) throw new Error("the state store did not answer");
      return [held];
    },
  };
  const faults: unknown[] = [];
  const conversations = createHeldConversations(
    store,
    (error) => void faults.push(error),
    () => now,
  );
  const pass = (milliseconds: number): void => void (now += milliseconds);
  return { conversations, store, pass, snapshot: { config }, shop, held, faults };
}
