import { join } from "node:path";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { createFolder } from "../fixtures/folder.ts";
import {
  createGateway,
  createRewriter,
  directAnswers,
  FLAGS,
  isAfterwordError,
  LOCALES,
} from "../../src/runtime/web/index.ts";
import { readPackageVersion } from "../../src/config/load/package-root.ts";
import { loadConfig, serve } from "../../src/runtime/node/index.ts";
import { startScriptedUpstream } from "../../src/testing/index.ts";
import { SPECIFICATION } from "../direct-answers/specification.ts";

const file = join(import.meta.dirname, "../../config/afterword.yaml");
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (body: Uint8Array): string => new TextDecoder().decode(body);
const engine = '{"answers":[{"message":"Sorry","messageList":["Sorry"],"flags":["no-results"]}]}';

describe("the library", () => {
  it("rewrites a body that somebody else fetched", async () => {
    const rewriter = createRewriter({ config: await loadConfig(file) });
    const { body, changed, trace } = rewriter.rewrite(bytes(engine), {
      instance: "shop",
      locale: "fr",
    });
    expect(changed).toBe(true);
    expect(text(body)).not.toContain("Sorry");
    expect(trace.steps.map(({ flag, reason }) => [flag, reason])).toEqual([
      ["no-results", "rewritten"],
      ["no-results", "rewritten"],
    ]);
    const same = bytes('{"answers":[{"message":"Here you are","flags":[]}]}');
    expect(rewriter.rewrite(same, {}).body).toBe(same);
  });

  it("leaves a body alone when its instance is unknown, and says so", async () => {
    const rewriter = createRewriter({ config: await loadConfig(file) });
    const body = bytes(engine);
    const result = rewriter.rewrite(body, { instance: "my-bot", locale: "fr" });
    expect(result.body).toBe(body);
    expect(result.trace).toMatchObject({ gate: "unknown-instance", instance: "my-bot", steps: [] });
  });

  it("refuses a fixed instance that is unknown when the middleware is made", async () => {
    const config = await loadConfig(file);
    let thrown: unknown = null;
    try {
      directAnswers({ config, instance: "my-bot" });
    } catch (error) {
      thrown = error;
    }
    expect(isAfterwordError(thrown) && thrown.code).toBe("unknown-instance");
    expect(String(thrown)).toContain('no instance "my-bot" (it has: shop, modern)');

    const app = new Hono();
    app.use("/fixed", directAnswers({ config, instance: "shop", locale: "fr", channel: "web" }));
    app.use("/found", directAnswers({ config, instance: () => "my-bot" }));
    for (const path of ["/fixed", "/found"]) {
      app.get(path, (c) => c.body(engine, 200, { "content-type": "application/json" }));
    }
    expect(await (await app.request("/fixed")).text()).toContain("malheureusement");
    expect(await (await app.request("/found")).text()).toBe(engine);
  });

  it("works as a middleware in a foreign Hono app", async () => {
    const config = await loadConfig(file);
    const app = new Hono();
    app.use(
      "/bot/*",
      directAnswers({ config, locale: (c) => c.req.query("lang"), instance: () => "shop" }),
    );
    app.post("/bot/message", (c) =>
      c.body(engine, 200, { "content-type": "application/json", "x-kept": "1" }),
    );
    app.post("/other", (c) => c.body(engine, 200, { "content-type": "application/json" }));
    const french = await app.request("/bot/message?lang=fr", { method: "POST" });
    const text = await french.text();
    expect(text).not.toContain("Sorry");
    expect(french.headers.get("x-kept")).toBe("1");
    expect(french.headers.get("content-length") ?? String(bytes(text).length)).toBe(
      String(bytes(text).length),
    );
    expect(await (await app.request("/other", { method: "POST" })).text()).toBe(engine);
  });

  it("is a gateway over Request and Response", async () => {
    const upstream = await startScriptedUpstream({
      handler: ({ target }) => ({
        headers: ["Content-Type", "application/json"],
        body: target === "/v1/apis" ? '{"apis":{"x":"https://bot.example"}}' : engine,
      }),
    });
    const config = await loadConfig(file);
    const addresses = {
      ...config.upstream,
      auth: upstream.origin,
      apis: { chatbot: upstream.origin },
    };
    const instances = config.instances.map((instance) => ({ ...instance, upstream: addresses }));
    const app = createGateway({
      config: { ...config, upstream: addresses, instances, insights: null },
      routeKeys: ["sixteen characters or more"],
    });
    expect((await app.request("/_afterword/health")).status).toBe(200);
    expect(Object.keys(await (await app.request("/_afterword/version")).json())).toEqual([
      "snapshot",
    ]);
    const headers = { "x-inbenta-key": "demo-key", "content-type": "application/json" };
    const apis = await app.request("https://edge.example/v1/apis", { headers });
    expect(await apis.text()).toContain('"https://edge.example/r/');
    const answer = await app.request("/v1/conversation/message", {
      method: "POST",
      headers,
      body: "{}",
    });
    const body = (await answer.json()) as { answers: { message: string; flags: string[] }[] };
    expect(body.answers[0]?.message).not.toBe("Sorry");
    expect(body.answers[0]?.flags).toEqual(["no-results"]);
    await upstream.close();
  });

  it("refuses route keys that protect nothing", async () => {
    const config = await loadConfig(file);
    const untyped: { readonly routeKeys: readonly string[] } = JSON.parse("{}");
    for (const given of [{ routeKeys: [] }, { routeKeys: ["short"] }, untyped]) {
      const failure: unknown = (() => {
        try {
          return createGateway({ config: { ...config, insights: null }, ...given });
        } catch (error) {
          return error;
        }
      })();
      expect(isAfterwordError(failure) && failure.code).toBe("route-keys-missing");
    }
  });

  it.each(["managed", "signal"] as const)(
    "warns that createGateway hands no reader over, where the configuration asks for it: mode %s",
    async (mode) => {
      const config = await loadConfig(file);
      const instances = config.instances.map((instance) => ({
        ...instance,
        escalation: { ...instance.escalation, mode },
      }));
      const names = instances.map(({ name }) => name).join(", ");
      expect(() =>
        createGateway({ config: { ...config, instances }, routeKeys: ["sixteen characters"] }),
      ).toThrow(
        expect.objectContaining({
          code: "config-invalid",
          message: expect.stringMatching(
            new RegExp(`${names} would hand .*\\(escalation\\.mode: ${mode}\\).* use serve\\(\\)`),
          ),
        }),
      );
    },
  );

  it("warns that createGateway counts nothing, where the configuration asks for it", async () => {
    const config = await loadConfig(file);
    expect(config.insights).not.toBeNull();
    expect(() => createGateway({ config, routeKeys: ["sixteen characters"] })).toThrow(
      expect.objectContaining({
        code: "config-invalid",
        message: expect.stringMatching(/`insights`.* use serve\(\).* insights: null/),
      }),
    );
  });

  it("serves byte for byte on Node", async () => {
    const data = createFolder();
    const config = await loadConfig(file);
    const running = await serve({
      config: { ...config, data, backend: { ...config.backend, database: join(data, "b.db") } },
      port: 0,
      env: { AFTERWORD_LOG: "silent" },
    });
    expect((await fetch(`${running.url}/_afterword/health`)).status).toBe(200);
    const shown = await fetch(`${running.url}/_afterword/version`);
    expect(await shown.json()).toMatchObject({ version: readPackageVersion() });
    await running.close();
    await expect(fetch(`${running.url}/_afterword/health`)).rejects.toThrow(/fetch failed/);
  });

  it("knows the flags and the locales", () => {
    expect(FLAGS).toEqual(expect.arrayContaining(Object.keys(SPECIFICATION)));
    expect(LOCALES).toEqual(expect.arrayContaining(["en", "fr", "pt-BR", "zh-Hant"]));
  });
});
