import { expect, test } from "vitest";
import { createMemoryStore, emptyMemory } from "../../../src/conversation/memory.ts";
import type { ConversationStore } from "../../../src/conversation/memory.ts";
import type { Core } from "../../../src/gateway/core.ts";
import { readLineContext } from "../../../src/gateway/escalation/reader-request.ts";
import { createMetrics } from "../../../src/gateway/exchange/metrics.ts";
import type { GatewayRequest } from "../../../src/gateway/exchange/request.ts";
import { createRecall } from "../../../src/gateway/message/recall.ts";
import { createRewriter } from "../../../src/gateway/rewriter/rewriter.ts";
import { loadConfig } from "../../../src/runtime/node/index.ts";
import { createNodePlatform } from "../../../src/runtime/node/platform.ts";

const config = await loadConfig("config/afterword.yaml");
const platform = createNodePlatform({
  transport: { send: () => () => undefined },
  log: () => undefined,
});

/** The language in which a reader is answered if their hand-over continued in Spanish. */
async function readLocale(store: ConversationStore): Promise<string> {
  const recall = createRecall(store, platform, createMetrics());
  const core = { recall, platform } as unknown as Core;
  const exchange = { headers: ["X-Inbenta-Session", "Bearer abc"] };
  const snapshot = { config, rewriter: createRewriter({ config }) };
  const request = { exchange, snapshot } as unknown as GatewayRequest;
  const [shop] = config.instances;
  if (shop === undefined) throw new Error("no instance");
  return (await readLineContext(core, request, shop, new Uint8Array(0), "es")).locale;
}

test("a hand-over keeps its language while the store of conversations does not answer", async () => {
  const never = new Promise<never>(() => undefined);
  expect(await readLocale({ get: () => never, put: () => never })).toBe("es");
});

test("a known conversation has its own language", async () => {
  const store = createMemoryStore(() => 0);
  expect(await readLocale(store)).toBe("en");
  expect(await readLocale({ ...store, get: () => ({ ...emptyMemory, lang: "fr" }) })).toBe("fr");
});
