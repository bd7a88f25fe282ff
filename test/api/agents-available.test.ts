import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readAgentsAvailable } from "../../src/api/chatbot/client.ts";
import { createClients } from "../../src/api/clients.ts";
import { demoGateway } from "../clients/scenarios/gateway.ts";

let gateway: Awaited<ReturnType<typeof demoGateway>>;
beforeAll(async () => {
  gateway = await demoGateway();
});
afterAll(() => gateway.close());

async function conversation() {
  const auth = { url: gateway.url, apiKey: "demo-key", secret: "demo-secret" };
  return createClients({ auth }).chatbot.start({ lang: "en" });
}

describe("whether agents are there", () => {
  test.each([
    ["agents_available", "true", true],
    ["agents_available", "TRUE", true],
    ["agents_available", "False", false],
    ["agent_available", "TRUE", true],
    ["AGENT_AVAILABLE", "false", false],
  ])("is read from %s as %j", async (name, value, told) => {
    const one = await conversation();
    await one.setVariable(name, value);
    expect(await one.areAgentsAvailable()).toBe(told);
  });

  test("goes out as agents_available, true or false in small letters", async () => {
    const one = await conversation();
    await one.setAgentsAvailable(true);
    expect((await one.variables()).get("agents_available")).toBe("true");
    await one.setAgentsAvailable(false);
    expect((await one.variables()).get("agents_available")).toBe("false");
  });

  test("is not known while no answer has said it, or one said something else", () => {
    expect(readAgentsAvailable(new Map())).toBe(null);
    expect(readAgentsAvailable(new Map([["agents_available", "perhaps"]]))).toBe(null);
  });
});
