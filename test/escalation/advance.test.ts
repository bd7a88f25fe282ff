import { expect, test } from "vitest";
import { DEFAULT_ESCALATION } from "../../src/config/escalation-config.ts";
import { createAdvancer } from "../../src/escalation/advance.ts";
import { createRecords } from "../../src/escalation/records.ts";
import type { Scope } from "../../src/escalation/scope.ts";
import { createChatService } from "../../src/escalation/services/chat-service.ts";
import { createMemoryEscalations } from "../../src/escalation/stores/memory.ts";
import { record } from "./suites/records.ts";

test("why there is nobody to talk to is said once, however many steps fail after that", async () => {
  const now = (): number => 1_000_000;
  const store = createMemoryEscalations({ now });
  const records = createRecords(store, now);
  const refused = { kind: "refused", status: 403, problem: "no" } as const;
  const scope: Scope = {
    settings: { ...DEFAULT_ESCALATION, ladder: ["agents", "ticket"] },
    // A chat that does not answer has no agent.
    chat: createChatService({
      send: () => Promise.reject(new Error("no connection")),
      base: "http://127.0.0.1:9",
      appId: "a",
      secret: "s",
    }),
    ticket: { find: () => Promise.resolve(refused), create: () => Promise.resolve(refused) },
    room: () => 1,
    say: (_, key) => key,
    now,
    save: (one) => records.save(one),
    load: ({ key, instance }) => records.load(key, instance),
  };
  const reaching = { name: "reaching", step: 0, since: 1, why: "" } as const;
  const begun = await records.save(record({ epoch: 1, phase: reaching }));
  const { phase, messages } = await createAdvancer(store, "here", null).advance(scope, begun);
  expect(phase.name).toBe("bot");
  expect(messages.map(({ text }) => text)).toEqual(["escalation.no-agents", "escalation.not-now"]);
});
