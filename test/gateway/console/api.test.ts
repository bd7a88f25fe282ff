import { createHash } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FLAGS } from "../../../src/direct-answers/flags.ts";
import { LOCALES } from "../../../src/locales/shipped.ts";
import { readLabelledTokens } from "../../../src/gateway/exchange/admin.ts";
import { createWebGateway } from "../../../src/runtime/web/gateway.ts";
import { load, workspace } from "../../config/workspace.ts";
import { flagged } from "../harness.ts";
import { ADMIN, CONFIG, served } from "./console.ts";

const FILES = {
  "messages/fr.yaml":
    'no-results: "Rien pour « {{query}} »."\nwelcome:\n  text: "Salut <b>vous"\n  channels: { voice: "Allô" }\n',
};

describe("the console's API", () => {
  it("refuses a request without a token, also on loopback, and explains how to get one", async () => {
    const { api } = await served(FILES);
    for (const path of ["session", "texts", "openapi.json", "nothing"]) {
      const { status, headers, body } = await api(path, { token: "" });
      expect(status).toBe(401);
      expect(headers.get("www-authenticate")).toBe("Bearer");
      expect(JSON.stringify(body)).toContain("AFTERWORD_ADMIN_TOKEN");
      expect(headers.get("access-control-allow-origin")).toBeNull();
    }
    expect((await api("session", { token: "wrong-token-of-somebody" })).status).toBe(401);
  });

  it("is opened on loopback by the token that a start makes", async () => {
    const { api, running } = await served(FILES, {});
    expect((await api("session", { token: running.adminToken ?? "" })).status).toBe(200);
  });

  it("shows every line in every language, with its source and what the check found", async () => {
    const { api } = await served(FILES);
    const { status, body } = await api("texts?instance=shop");
    expect(status).toBe(200);
    const { keys, locales, cells } = body as {
      keys: { key: string; engine: string }[];
      locales: string[];
      cells: Record<string, Record<string, { state: string; text: string; from?: string }>>;
    };
    // The flags, and the title above related contents.
    expect(keys).toHaveLength(FLAGS.length + 1);
    expect(locales.length).toBeGreaterThanOrEqual(LOCALES.length);
    expect(cells["no-results"]?.["fr"]).toEqual({
      state: "own",
      text: "Rien pour « {{query}} ».",
    });
    expect(cells["no-results"]?.["de"]?.state).toBe("shipped");
    expect((await api("findings?instance=shop")).body).toMatchObject({
      findings: expect.arrayContaining([
        expect.objectContaining({ key: "welcome", locale: "fr", code: "markup", line: 3 }),
      ]),
    });
    const voice = await api("texts?instance=shop&channel=voice&lines=all");
    const spoken = voice.body as { cells: typeof cells; keys: unknown[] };
    expect(spoken.cells["welcome"]?.["fr"]?.text).toBe("Allô");
    expect(spoken.keys.length).toBeGreaterThan(keys.length);
    // Default content hides three flags there.
    const bank = (await api("texts?instance=bank")).body as { cells: typeof cells };
    expect(bank.cells["welcome"]?.["fr"]?.state).toBe("never");
  });

  it("compresses what it answers for clients that take gzip", async () => {
    const { running } = await served(FILES);
    const size = async (coding: string) => {
      const headers = { authorization: `Bearer ${ADMIN}`, "accept-encoding": coding };
      const answer = await fetch(`${running.url}/_afterword/api/texts?instance=shop`, { headers });
      expect(await answer.json()).toHaveProperty("cells");
      expect(answer.headers.get("vary")).toBe("Accept-Encoding");
      expect(answer.headers.get("content-encoding")).toBe(coding === "gzip" ? "gzip" : null);
      return Number(answer.headers.get("content-length"));
    };
    expect(await size("gzip")).toBeLessThan((await size("identity")) / 2);
  });

  it("shows one line with all its texts, their files, previews, and conditions", async () => {
    const { api } = await served(FILES);
    const { body } = await api("texts/fr/no-results?instance=shop");
    expect(body).toMatchObject({
      key: "no-results",
      engine: "Sorry, we could not find any answers to your question.",
      state: "own",
      places: [{ id: "no-results", file: "messages/fr.yaml", line: 1 }],
    });
    const { wordings, previews, readers } = body as {
      wordings: { origin: string; locale: string; rule: string }[];
      previews: { kind: string; text: string }[];
      readers: { tag: string; reason: string }[];
    };
    expect(wordings.slice(0, 2)).toMatchObject([{ origin: "own" }, { origin: "shipped" }]);
    const texts = new Map(previews.map(({ kind, text }) => [kind, text]));
    expect(texts.get("typed")).toContain("&lt;elephants&gt; &amp; co");
    expect(texts.get("clicked")).not.toContain("{{");
    expect(readers.map(({ tag }) => tag)).toContain("fr-CH");
    expect((await api("texts/fr/nothing")).status).toBe(404);
    expect((await api("texts/xx/welcome")).status).toBe(404);
  });

  it("explains every situation, and an answer that is pasted", async () => {
    const { api } = await served(FILES);
    const { situations } = (await api("situations")).body as {
      situations: { key: string; body: string }[];
    };
    expect(situations.map(({ key }) => key)).toEqual(FLAGS);
    for (const { key, body } of situations) {
      const answer = await api("explain", { json: { instance: "shop", locale: "fr", body } });
      expect(answer.body).toMatchObject({
        changed: true,
        locale: "fr",
        places: [{ flag: key, reason: "rewritten" }],
      });
    }
    const { body } = await api("explain", {
      json: { body: flagged("no-results"), locale: "fr", question: "Des éléphants ?" },
    });
    expect(body).toMatchObject({
      places: [
        {
          engine: "Sorry, we could not find any answers to your question.",
          // The question is isolated: it may run from right to left.
          reader: "Rien pour « \u2068Des éléphants ?\u2069 ».",
          source: { origin: "own", locale: "fr", rule: "no-results" },
        },
      ],
    });
    const usual = '\uFEFF{"answers":[{"message":"Monday.","flags":[]},{"message":7},3]}';
    expect((await api("explain", { json: { body: usual } })).body).toMatchObject({
      places: [
        { engine: "Monday.", reader: "Monday." },
        { engine: null, reader: null },
      ],
    });
    const odd = [
      [{ json: { body: 7 } }, 422],
      [{ json: [] }, 422],
      [{ json: { body: "{}", instance: "none" } }, 404],
      [{ json: {}, headers: { "content-type": "text/plain" } }, 415],
      [{ method: "PUT" }, 405],
    ] as const;
    for (const [options, status] of odd) {
      expect((await api("explain", options)).status).toBe(status);
    }
  });

  it("explains an answer of at most 500 parts", async () => {
    const { api } = await served(FILES);
    const explain = (parts: number) => {
      const answers = Array.from({ length: parts }, () => ({ message: "Monday.", flags: [] }));
      return api("explain", { json: { body: JSON.stringify({ answers }) } });
    };
    const most = await explain(500);
    expect([most.status, (most.body as { places: unknown[] }).places.length]).toEqual([200, 500]);
    expect(await explain(501)).toMatchObject({
      status: 422,
      body: { errors: [{ message: "An answer with more than 500 parts is not explained." }] },
    });
  });

  it("lists the latest requests with what was decided, and never a text", async () => {
    const body = flagged("no-results", "SECRET WORDS");
    const { api, running } = await served(FILES, { AFTERWORD_ADMIN_TOKEN: ADMIN }, body);
    const say = async (headers: Record<string, string>): Promise<void> => {
      const response = await fetch(`${running.url}/conversation/message`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-inbenta-key": "shop-key", ...headers },
        body: '{"message":"SECRET QUESTION"}',
      });
      await response.arrayBuffer();
    };
    await say({ "x-afterword-locale": "fr" });
    await say({ "x-afterword-locale": "fr", "x-afterword-debug": ADMIN });
    await (await fetch(`${running.url}/nowhere/SECRET`)).arrayBuffer();
    await (await fetch(`${running.url}/r/forged/SECRET`)).arrayBuffer();
    const answer = await api("requests");
    const { requests } = answer.body as { requests: Record<string, unknown>[] };
    expect(requests).toMatchObject([
      { route: "unknown", status: 404 },
      { route: "unknown", status: 404, method: "GET" },
      { outcome: "rewritten" },
      {
        route: "/conversation/message",
        method: "POST",
        status: 200,
        instance: "shop",
        locale: "fr",
        flag: "no-results",
        outcome: "rewritten",
      },
    ]);
    expect(JSON.stringify(requests)).not.toMatch(/SECRET|Rien/);
    for (let more = 0; more < 210; more++) await say({});
    const { requests: most } = (await api("requests")).body as {
      requests: { instance: string | null }[];
    };
    expect(most.filter(({ instance }) => instance === "shop")).toHaveLength(200);
    // A busy instance does not displace the entries of others.
    expect(most.filter(({ instance }) => instance !== "shop")).toHaveLength(2);
    const bank = (await api("requests?instance=bank")).body as { requests: unknown[] };
    expect(bank.requests).toHaveLength(2);
  });

  it("says of each message that the kill switch left it alone", async () => {
    const env = { AFTERWORD_ADMIN_TOKEN: ADMIN, AFTERWORD_DISABLE: "1" };
    const { api, running } = await served(FILES, env, flagged("no-results"));
    const headers = { "content-type": "application/json", "x-inbenta-key": "shop-key" };
    const init = { method: "POST", headers, body: "{}" };
    await (await fetch(`${running.url}/conversation/message`, init)).arrayBuffer();
    const { requests } = (await api("requests")).body as { requests: unknown[] };
    expect(requests).toMatchObject([{ route: "/conversation/message", outcome: "disabled" }]);
  });

  it("never says of a message without an answer that the kill switch left it alone", async () => {
    const env = { AFTERWORD_ADMIN_TOKEN: ADMIN, AFTERWORD_DISABLE: "1" };
    const files = {
      ...FILES,
      "afterword.yaml": CONFIG.replaceAll("${UPSTREAM}", "http://127.0.0.1:9"),
    };
    const { api, running } = await served(files, env);
    const headers = { "content-type": "application/json", "x-inbenta-key": "shop-key" };
    const init = { method: "POST", headers, body: "{}" };
    expect((await fetch(`${running.url}/conversation/message`, init)).status).toBe(502);
    const { requests } = (await api("requests")).body as { requests: unknown[] };
    expect(requests).toMatchObject([{ status: 502, outcome: null }]);
  });

  it("reports the state of each part, with what the check found in the files", async () => {
    const { api } = await served(FILES);
    const { body } = await api("health");
    expect(body).toMatchObject({
      version: "1.2.3",
      upstream: { state: "unused" },
      reload: { state: "ok" },
      readable: true,
    });
    const { findings } = body as { findings: { file: string; code: string }[] };
    expect(findings).toContainEqual(
      expect.objectContaining({ code: "markup", file: "messages/fr.yaml", line: 3 }),
    );
  });

  it("describes itself", async () => {
    const { api } = await served({});
    const { body } = await api("openapi.json");
    const { servers, paths, components } = body as {
      servers: { url: string }[];
      paths: Record<string, object>;
      components: { schemas: object };
    };
    const behindProxy = "https://www.example.com/bot/_afterword/api/openapi.json";
    expect(new URL(servers[0]!.url, behindProxy).href).toBe("https://www.example.com/bot/");
    expect(paths).toMatchObject({
      "/_afterword/api/texts/{locale}/{key}": {
        get: {
          parameters: [
            { name: "locale", in: "path", required: true },
            { name: "key", in: "path", required: true },
            { name: "instance", in: "query", required: false, schema: { type: "string" } },
            { name: "channel", description: expect.stringContaining("Default") },
            { name: "draft" },
          ],
          responses: { 401: { description: expect.any(String) } },
        },
      },
      "/_afterword/api/draft/publish": {
        post: {
          requestBody: {
            content: {
              "application/json": {
                schema: {
                  properties: { files: { type: "object" }, warnings: { type: "boolean" } },
                },
              },
            },
          },
        },
      },
      "/_afterword/health": { get: { security: [] } },
      "/_afterword/metrics": {
        get: { security: [{ token: [] }], responses: { 200: { content: { "text/plain": {} } } } },
      },
    });
    const references = JSON.stringify(body).match(/#\/components\/schemas\/\w+/g) ?? [];
    const known = Object.keys(components.schemas).map((name) => `#/components/schemas/${name}`);
    expect(new Set(references)).toEqual(new Set(known));
    const gateway = createWebGateway({
      config: await load({ "afterword.yaml": CONFIG }, { UPSTREAM: "https://api.example.com" }),
      routeKeys: ["a text of at least sixteen characters"],
    });
    const routed = gateway.app.routes.map(({ path }) => path).filter((path) => !path.includes("*"));
    for (const path of routed) expect(Object.keys(paths)).toContain(path);
    const ids = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }: { operationId: string }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("labelled tokens", () => {
  const TOKENS = "ana@shop:view:ana-has-a-long-token,bo:edit:fr+de:bo-has-a:long-token";

  it("open the API alone, with their role, for their instances", async () => {
    const { api, running } = await served(FILES, { AFTERWORD_ADMIN_TOKENS: TOKENS });
    const ana = { token: "ana-has-a-long-token" };
    const { body } = await api("session", ana);
    expect(body).toMatchObject({ label: "ana", role: "view", bots: [{ name: "shop" }] });
    expect(JSON.stringify(body)).not.toContain("long-token");
    expect((await api("texts?instance=shop", ana)).status).toBe(200);
    expect((await api("texts?instance=bank", ana)).status).toBe(404);
    expect((await api("coverage", ana)).body).toMatchObject([{ instance: "shop" }]);
    expect((await api("session", { token: "bo-has-a:long-token" })).body).toMatchObject({
      role: "edit",
      languages: ["fr", "de"],
    });
    for (const path of ["metrics", "escalations"]) {
      const headers = { authorization: `Bearer ${ana.token}`, origin: "http://localhost" };
      const response = await fetch(`${running.url}/_afterword/${path}`, { headers });
      expect(response.status).toBe(404);
    }
  });

  it.each([
    ["ana:view:short", /ana needs at least 16 characters/],
    ["ana:owner:long-enough-to-be-one", /entry 1 is not/],
    ["a:view:long-enough-to-be-one,a:view:long-enough-to-be-two", /label a twice/],
  ])("%s is refused at the start", (given, message) => {
    expect(() => readLabelledTokens(given)).toThrow(message);
    expect(() => readLabelledTokens(given)).not.toThrow(/long-enough/);
  });

  it("stand in a file as hashes, which is read again when it changes", async () => {
    const directory = await workspace({});
    const file = join(directory, "tokens");
    const hash = (token: string): string => createHash("sha256").update(token).digest("hex");
    const line = (token: string): string => `# who\nana:view:sha256:${hash(token)}\n`;
    await writeFile(file, line("ana-has-a-long-token"));
    const { api, logs } = await served(FILES, { AFTERWORD_ADMIN_TOKENS_FILE: file });
    const status = async (token: string): Promise<number> =>
      (await api("session", { token })).status;
    expect(await status("ana-has-a-long-token")).toBe(200);
    // The hash grants no access.
    expect(await status(hash("ana-has-a-long-token"))).toBe(401);
    await writeFile(file, line("ana-has-another-long-token"));
    expect(await status("ana-has-a-long-token")).toBe(401);
    expect(await status("ana-has-another-long-token")).toBe(200);
    await writeFile(file, "ana:queen:whatever-it-may-be");
    expect(await status("ana-has-another-long-token")).toBe(200);
    expect(logs.filter(({ event }) => event === "admin-tokens-refused")).toHaveLength(1);
    await rm(file);
    expect(await status("ana-has-another-long-token")).toBe(401);
  });

  it("are protected from guesses: the address has to wait, and is told how long", async () => {
    const { api } = await served(FILES);
    const statuses: number[] = [];
    for (let tries = 0; tries < 7; tries++) {
      const { status, headers } = await api("session", { token: `wrong-token-${tries}` });
      statuses.push(status);
      if (status === 429) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  });
});
