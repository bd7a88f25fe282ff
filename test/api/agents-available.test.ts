import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readAgentsAvailable } from "../../src/api/chatbot/client.ts";
import { createClients } from "../../src/api/clients.ts";
import { startDemoGateway } from "../clients/scenarios/gateway.ts";

let gateway: Awaited<ReturnType<typeof startDemoGateway>>;
beforeAll(async () => {
  gateway = await startDemoGateway();
});
afterAll(() => gateway.close());

async function conversation() {
  const auth = { url: gateway.url, apiKey: "demo-key", secret: "demo-secret" };
  return createClients({ auth }).chatbot.start({ lang: "en" });
}

describe("the availability of agents", () => {
  test.each([
    ["agents_available", "true", true],
    ["agents_available", "TRUE", true],
    ["agents_available", "False", false],
    ["agent_available", "TRUE", true],
    ["AGENT_AVAILABLE", "false", false],
  ])("is read from %s as %j", async (name, value, expected) => {
    const one = await conversation();
    await one.setVariable(name, value);
    expect(await one.areAgentsAvailable()).toBe(expected);
  });

  test("is sent as agents_available, true or false in lower case", async () => {
    const one = await conversation();
    await one.setAgentsAvailable(true);
    expect((await one.variables()).get("agents_available")).toBe("true");
    await one.setAgentsAvailable(false);
    expect((await one.variables()).get("agents_available")).toBe("false");
  });

  test("is unknown until an answer states it, and when an answer states something else", () => {
    expect(readAgentsAvailable(new Map())).toBe(null);
    expect(readAgentsAvailable(new Map([["agents_available", "perhaps"]]))).toBe(null);
  });
});
