import { describe, expect, it } from "vitest";
import { createWorker, type WorkerBindings } from "../../../src/runtime/worker/worker.ts";
import { config, instance, tables } from "../../fixtures/config.ts";

const keys = { AFTERWORD_ROUTE_KEYS: "a route key of good length" };
const deployed = config(tables({ en: { welcome: "Hi" } }));
const context = { waitUntil: () => {} };

async function ask(bindings: WorkerBindings, path = "/_afterword/health", given = deployed) {
  const worker = createWorker(given, "1.2.3");
  const response = await worker.fetch(new Request(`https://bot.example${path}`), bindings, context);
  return { status: response.status, text: await response.text() };
}

describe("a worker", () => {
  it.each([
    ["without AFTERWORD_ROUTE_KEYS", {}, "AFTERWORD_ROUTE_KEYS is not set"],
    ["with an empty one", { AFTERWORD_ROUTE_KEYS: " , " }, "AFTERWORD_ROUTE_KEYS is not set"],
    ["with a short one", { AFTERWORD_ROUTE_KEYS: "short" }, "less than 16 characters"],
  ])("%s answers 503 and says what to do", async (_, bindings, message) => {
    const { status, text } = await ask(bindings);
    expect(status).toBe(503);
    expect(JSON.parse(text)).toEqual({
      errors: [{ code: 503, message: expect.stringContaining(message) }],
    });
    expect(text).toContain("npx wrangler secret put AFTERWORD_ROUTE_KEYS");
    expect(text).not.toContain('short"');
  });

  it.each([
    [
      "a kill switch that is neither on nor off",
      { AFTERWORD_DISABLE: "treu" },
      "1, true, yes or on",
    ],
    ["an admin token that can be guessed", { AFTERWORD_ADMIN_TOKEN: "x" }, "16 characters"],
  ])("with %s answers 503 and says what to do", async (_, bindings, message) => {
    const { status, text } = await ask({ ...keys, ...bindings });
    expect([status, text]).toEqual([503, expect.stringContaining(message)]);
  });

  it("with its keys is alive and says what runs", async () => {
    expect(await ask(keys)).toEqual({ status: 200, text: '{"status":"ok"}' });
    const { text } = await ask(keys, "/_afterword/version");
    expect(JSON.parse(text)).toEqual({ version: "1.2.3", snapshot: "0".repeat(64) });
  });

  it("says which binding a credential waits for", async () => {
    const credentials = {
      apiKey: "${afterword-worker-binding:SHOP_KEY}",
      secret: null,
      chatApp: null,
      chatSecret: null,
      room: null,
    };
    const given = { ...deployed, instances: [instance({ credentials })] };
    expect((await ask(keys, "/_afterword/health", given)).text).toContain("needs SHOP_KEY");
    expect((await ask({ ...keys, SHOP_KEY: "x" }, "/_afterword/health", given)).status).toBe(200);
  });

  it("names the binding that counts need when its object is missing", async () => {
    const insights = { store: "file", questions: false, retention: 86_400_000, webhook: null };
    const { status, text } = await ask(keys, "/_afterword/health", { ...deployed, insights });
    expect([status, text]).toEqual([503, expect.stringContaining("bind AFTERWORD_INSIGHTS")]);
  });

  it("reaches a host through the service binding that is named for it", async () => {
    const asked: string[] = [];
    const VENDOR = {
      fetch: async (url: string) => {
        asked.push(url);
        return Response.json({ accessToken: "t" });
      },
    };
    const services = { ...keys, VENDOR, AFTERWORD_SERVICES: "api.example.com=VENDOR" };
    const worker = createWorker(deployed, "");
    const login = new Request("https://bot.example/v1/auth", { method: "POST", body: "{}" });
    const response = await worker.fetch(login, services, context);
    expect([await response.json(), asked]).toEqual([
      { accessToken: "t" },
      ["https://api.example.com/v1/auth"],
    ]);
    expect((await ask({ ...keys, AFTERWORD_SERVICES: "api.example.com=OTHER" })).text).toContain(
      "no service binding OTHER",
    );
    expect((await ask({ ...keys, AFTERWORD_SERVICES: "api.example.com" })).text).toContain(
      "is not HOST=BINDING",
    );
  });

  it("reports which texts are in force, where others can be pushed", async () => {
    const AFTERWORD_TEXTS = {
      get: async () => null,
      put: async () => {},
      delete: async () => {},
      list: async () => ({ keys: [] }),
    };
    const { text } = await ask({ ...keys, AFTERWORD_TEXTS }, "/_afterword/version");
    expect(JSON.parse(text)).toMatchObject({
      overrides: { version: null, pushed: null, refused: [] },
    });
  });
});
