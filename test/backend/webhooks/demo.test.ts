import { describe, expect, test } from "vitest";
import type { Submission } from "../../../src/backend/forms/types.ts";
import { createWebhookCaller } from "../../../src/backend/webhooks/caller.ts";
import { DEMO_WEBHOOKS } from "../../../src/backend/forms/demo-webhooks.ts";

const transport = {
  send: () => Promise.reject(new Error("nothing may leave the process")),
  close: () => Promise.resolve(),
};

function submission(url: string, order: string): Submission {
  const webhook = { url, timeout: 1_000, secret: null, headers: {} };
  return {
    form: "order",
    content: 1,
    title: "Order",
    answers: [],
    language: "en",
    values: { order },
    fields: ["order"],
    attempt: 1,
    begun: 1,
    webhook,
  };
}

describe("the demo's order service", () => {
  const caller = createWebhookCaller({
    allow: [],
    transport,
    now: Date.now,
    embedded: DEMO_WEBHOOKS,
  });

  test.each([
    ["W-1001", { kind: "accepted" }],
    ["w-1404", { kind: "invalid-fields", fields: ["order"] }],
    ["W-1405", { kind: "invalid-fields", fields: ["customer"] }],
    ["W-1500", { kind: "failed", reason: "invalid-response" }],
  ])("answers the order %s with %j", async (order, outcome) => {
    expect(await caller.submit(submission("embedded:orders", order), "s")).toMatchObject(outcome);
  });

  test("is the only embedded service, and exists only when it is configured", async () => {
    const refused = { kind: "failed", reason: "refused" };
    expect(await caller.submit(submission("embedded:others", "W-1"), "s")).toMatchObject(refused);
    const without = createWebhookCaller({ allow: [], transport, now: Date.now });
    expect(await without.submit(submission("embedded:orders", "W-1"), "s")).toMatchObject(refused);
  });
});
