import { expect, onTestFinished, test } from "vitest";
import { addMessage } from "../../../src/escalation/records/messages.ts";
import { createRecords } from "../../../src/escalation/records/records.ts";
import { createMemoryEscalations } from "../../../src/escalation/stores/memory.ts";
import type { EscalationStore } from "../../../src/escalation/stores/store.ts";
import type { Core } from "../../../src/gateway/core.ts";
import type { Exchange } from "../../../src/gateway/exchange/exchange.ts";
import { ListenedConversation } from "../../../src/gateway/escalation/listened-conversation.ts";
import { loadConfig } from "../../../src/runtime/node/index.ts";
import { record } from "../../escalation/suites/records.ts";

const config = await loadConfig("config/afterword.yaml");
const core = {
  snapshot: () => ({ config }),
  platform: { now: Date.now },
} as unknown as Core;

/** A client that reads everything at once. */
function client() {
  const chunks: Uint8Array[] = [];
  const reply = {
    head: () => undefined,
    write: (chunk: Uint8Array) => chunks.push(chunk) > 0,
    end: () => undefined,
    onDrain: () => undefined,
    onGone: () => undefined,
    started: true,
  };
  const exchange = { method: "GET", headers: [], reply } as unknown as Exchange;
  return { exchange, text: () => Buffer.concat(chunks).toString() };
}

/** A conversation with five streams, and a count of the store's calls. */
async function listenedTo() {
  const memory = createMemoryEscalations({ now: Date.now });
  const calls = { get: 0, put: 0 };
  const store: EscalationStore = {
    ...memory,
    get: (key) => {
      calls.get++;
      return memory.get(key);
    },
    put: (one) => {
      calls.put++;
      return memory.put(one);
    },
  };
  const records = createRecords(store, Date.now);
  const stored = await records.save(record());
  const listened = new ListenedConversation(
    { core, records, store, advance: async (one) => one, every: 10, perRequest: false },
    stored,
  );
  onTestFinished(() => listened.end());
  const clients = Array.from({ length: 5 }, client);
  for (const { exchange } of clients) listened.open(exchange, stored, () => undefined);
  const say = (text: string) =>
    records.change(stored.key, stored.instance, (now) => addMessage(now, { kind: "agent", text }));
  const delivered = async () => (await memory.get(stored.key))?.delivered;
  return { clients, say, calls, delivered };
}

test("five streams cost one save per message, and one look at a time", async () => {
  const { clients, say, calls, delivered } = await listenedTo();
  await expect.poll(() => calls.get).toBeGreaterThan(2);
  calls.put = 0;
  await say("one");
  await expect.poll(delivered).toBe(1);
  for (const { text } of clients) expect(text().match(/event: answer/g)).toHaveLength(1);
  const looks = calls.get;
  await expect.poll(() => calls.get).toBeGreaterThan(looks + 2);
  // The message itself, and that it has been delivered.
  expect(calls.put).toBe(2);
});
