import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createDocsRoutes } from "../../../src/backend/docs/routes.ts";
import { loadReferenceParts } from "../../../src/backend/pages/load-page.ts";
import { fieldsOf } from "../../../src/backend/docs/schema-fields.ts";
import { DOCUMENTED } from "../../../src/backend/docs/products.ts";
import { describeOperation } from "../../../src/api/describe-operation.ts";
import { loadConfig } from "../../../src/config/load/load.ts";
import { serve } from "../../../src/runtime/node/serve.ts";
import { workspace } from "../../config/workspace.ts";
import type { Json } from "../client.ts";

const routes = createDocsRoutes({ version: "1.2.3", parts: loadReferenceParts });
const operations = DOCUMENTED.flatMap((product) => product.operations);

async function get(path: string): Promise<string> {
  const response = await routes.request(path);
  expect(response.status).toBe(200);
  return response.text();
}

const published = async (): Promise<Json> => JSON.parse(await get("/docs/openapi.json"));

/** Every object in a JSON value, the value itself included. */
function objectsIn(value: Json): Json[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap((member) => objectsIn(member))];
}

describe("the OpenAPI document", () => {
  test("is a 3.1 document with a title, a version and every operation, each once", async () => {
    const document = await published();
    expect(document.openapi).toBe("3.1.0");
    expect(document.info).toMatchObject({ title: expect.any(String), version: "1.2.3" });
    const described = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
      Object.entries<Json>(methods).map(([method, { operationId }]) => [operationId, method, path]),
    );
    expect(described.toSorted()).toEqual(
      operations.map(({ id, method, path }) => [id, method.toLowerCase(), path]).toSorted(),
    );
    const ids = operations.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("names the address that clients reach, also behind a proxy below a path", async () => {
    const { servers, paths } = await published();
    expect(Object.keys(paths)).toContain("/v1/auth");
    for (const base of ["https://bot.example.com/", "https://www.example.com/bot/"]) {
      expect(new URL(servers[0].url, `${base}docs/openapi.json`).href).toBe(base);
    }
  });

  test("describes the five interfaces, in the order in which a reader needs them", async () => {
    const { tags } = await published();
    const names = ["auth", "chatbot", "knowledge", "ticketing", "chat"];
    expect(tags.map(({ name }: Json) => name)).toEqual(names);
  });

  test("declares the parameter online of the agents' list as a boolean", async () => {
    const { paths } = await published();
    const agents = Object.values<Json>(paths).find((one) => one.get?.operationId === "chat.agents");
    const online = agents.get.parameters.find(({ name }: Json) => name === "online");
    expect(online.schema).toMatchObject({ title: "boolean" });
  });

  test("has no broken reference", async () => {
    const document = await published();
    const references = objectsIn(document).flatMap(({ $ref }) =>
      $ref === undefined ? [] : [$ref],
    );
    expect(references.length).toBeGreaterThan(0);
    for (const reference of new Set<string>(references)) {
      expect(reference).toMatch(/^#\//);
      const found = reference
        .slice(2)
        .split("/")
        .reduce((at: Json, name) => at?.[name], document);
      expect([reference, found]).toEqual([reference, expect.any(Object)]);
    }
  });

  test("declares every path parameter, and no parameter twice", async () => {
    const { paths } = await published();
    for (const [path, methods] of Object.entries<Json>(paths)) {
      expect(path).toMatch(/^\//);
      for (const { parameters } of Object.values<Json>(methods)) {
        const inPath = parameters.filter((one: Json) => one.in === "path");
        expect(inPath.map(({ name }: Json) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
        expect(inPath.every(({ required }: Json) => required === true)).toBe(true);
        const names = parameters.map((one: Json) => `${one.in} ${one.name}`);
        expect(new Set(names).size).toBe(names.length);
      }
    }
    // Two templates that differ in names only would be the same path.
    const shapes = Object.keys(paths).map((path) => path.replaceAll(/\{\w+\}/g, "{}"));
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  test("says of every operation who may call it, what comes back, and what may go wrong", async () => {
    const { paths, components, tags } = await published();
    const schemes = Object.keys(components.securitySchemes);
    for (const operation of Object.values<Json>(paths).flatMap((one) => Object.values<Json>(one))) {
      expect(operation.summary).toMatch(/\S/);
      expect(tags.map(({ name }: Json) => name)).toContain(operation.tags[0]);
      for (const name of operation.security.flatMap((one: Json) => Object.keys(one))) {
        expect(schemes).toContain(name);
      }
      const codes = Object.keys(operation.responses);
      expect(codes.every((code) => /^[1-5]\d\d$/.test(code))).toBe(true);
      expect(codes).toContain("401");
      for (const { description } of Object.values<Json>(operation.responses)) {
        expect(description).toMatch(/\S/);
      }
      if (operation.requestBody !== undefined) {
        expect(operation.requestBody.content["application/json"].schema).toEqual(
          expect.any(Object),
        );
      }
    }
  });

  test("allows further members in every object, and requires none that it does not describe", async () => {
    const schemas = objectsIn(await published()).filter(
      ({ properties }) => properties !== undefined,
    );
    expect(schemas.length).toBeGreaterThan(100);
    for (const { properties, required = [], additionalProperties } of schemas) {
      expect(additionalProperties).not.toBe(false);
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(required));
    }
  });

  test("states where a person's own token replaces the app's secret", async () => {
    const { paths } = await published();
    expect(paths["/chat/v1/chats/{id}/messages"].post.security).toEqual([
      { app: [], secret: [] },
      { app: [], person: [] },
    ]);
    expect(paths["/chat/v1/settings"].put.security).toEqual([{ app: [], secret: [] }]);
  });

  test("states that tickets and figures need an agent's token, for which no secret will do", async () => {
    const { paths } = await published();
    for (const path of [
      "/chat/v1/tickets",
      "/chat/v1/chats/{id}/tickets",
      "/chat/v1/figures/{id}",
    ]) {
      expect([path, paths[path].get.security]).toEqual([path, [{ app: [], person: [] }]]);
    }
  });

  test("lists the statuses that an operation answers, and no others", async () => {
    const { paths } = await published();
    const answersOf = (path: string): Json => paths[path].post.responses;
    const parts = answersOf("/ticketing/v1/tickets/{id}/subtickets");
    expect(Object.keys(parts)).toEqual(expect.arrayContaining(["302", "413"]));
    expect(parts["422"]).toBeUndefined();
    expect(answersOf("/ticketing/v1/tickets")["422"].description).toContain("missing");
    // A body is read before its sender is known.
    for (const path of ["/v1/auth", "/chat/v1/agents/login"]) {
      expect(answersOf(path)["413"].description).toBe("The body is larger than 16 KiB.");
    }
  });

  test("describes every field of a body that is not named after a common thing", async () => {
    const common =
      /(?:^|\.)(?:name|title|message|text|url|password|\{name\}|[A-Z]\w+day(?:\[\]\.(?:from|to))?)$/;
    const undescribed = operations.flatMap((operation) =>
      fieldsOf(describeOperation(operation).body)
        .filter(({ name, about }) => about === "" && !common.test(name))
        .map(({ name }) => `${operation.id} ${name}`),
    );
    expect(undescribed).toEqual([]);
  });

  test("gives each system the errors that its clients read", async () => {
    const { paths } = await published();
    const errorOf = (path: string): string =>
      paths[path].get.responses["401"].content["application/json"].schema.$ref.split("/").at(-1);
    expect(errorOf("/chatbot/v1/conversation/history")).toBe("Errors");
    expect(errorOf("/ticketing/v1/tickets")).toBe("ErrorAndErrors");
    expect(errorOf("/knowledge/v1/contents")).toBe("ErrorAndErrors");
  });
});

describe("the page", () => {
  test("shows every operation with its address, its fields and its errors", async () => {
    const page = await get("/docs");
    for (const { id, method, path, summary } of operations) {
      const from = page.indexOf(`<article id="${id}"`);
      expect([id, from > 0]).toEqual([id, true]);
      const article = textOf(page.slice(from, page.indexOf("</article>", from)));
      expect(article).toContain(`${method} ${path}`);
      expect(article).toContain(textOf(summary.replaceAll("`", "")));
      expect(article).toContain("401");
    }
  });

  test("shows nested fields by their path, with type, values and whether they must be there", async () => {
    const page = await get("/docs");
    const article = page.slice(page.indexOf('id="chatbot.send"')).split("</article>")[0] ?? "";
    const rows = [...article.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) => textOf(row ?? ""));
    expect(rows).toContain("answers[].options list of object or null");
    expect(rows).toContain("answers[].options[].value integer");
    expect(rows).toContain("answers[].options[].revisitableLink optional string");
    expect(rows).toContain("answers[].intent.score number");
    // What should be sent, not all that is accepted.
    expect(rows).toContain(
      "message optional string What the reader typed; an empty first message brings the welcome; at most 10,485,760 characters",
    );
    expect(rows.find((row) => row.startsWith("answers[].flags"))).toContain("follow-up-question");
  });

  test("shows how long texts, lists and objects may be, and what parameters mean", async () => {
    const rowsOf = async (id: string): Promise<readonly string[]> => {
      const page = await get("/docs");
      const article = page.slice(page.indexOf(`id="${id}"`)).split("</article>")[0] ?? "";
      return [...article.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) => textOf(row ?? ""));
    };
    const ticket = await rowsOf("ticketing.createTicket");
    expect(ticket).toContain("message string HTML; at most 500,000 characters");
    expect(ticket).toContain("creator integer or UUID Id of the user whose ticket it is");
    expect(ticket).toContain("queue optional integer Number of a queue; the default is 1");
    expect(ticket).toContain(
      "attachments optional list of integer or UUID Ids of uploaded files; at most 100 entries",
    );
    expect(await rowsOf("chat.transfer")).toContain(
      "userId string Id of the agent who is asked; at most 200 characters",
    );
    const event = await rowsOf("knowledge.track");
    expect(event.find((row) => row.startsWith("type string One of click, "))).toMatch(/your own$/);
    const conversion = await rowsOf("knowledge.setSessionUser");
    expect(conversion).toContain("data object at most 10,000 characters as JSON");
    const user = await rowsOf("chat.createUser");
    expect(user).toContain("contact optional string E-mail address; at most 254 characters");
    expect(user).toContain(
      "extraInfo optional object at most 65,536 characters as JSON; anything else about the person",
    );
    expect(await rowsOf("chat.users")).toContain(
      "length optional integer The most entries, 1 to 200; the default is 50",
    );
  });

  test("has no broken link, no id twice, and nothing from elsewhere", async () => {
    for (const address of ["/docs", "/docs/"]) {
      const page = await get(address);
      const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(new Set(ids).size).toBe(ids.length);
      const links = [...page.matchAll(/<a\s+href="([^"]+)"/g)].map(([, href]) => href ?? "");
      expect(links.length).toBeGreaterThan(operations.length);
      for (const link of links.filter((one) => one.startsWith("#"))) {
        expect(ids).toContain(link.slice(1));
      }
      const [json = "", ...others] = links.filter((one) => !one.startsWith("#"));
      expect(others).toEqual([]);
      const target = new URL(json, `http://backend.test${address}`);
      expect((await routes.request(target.pathname)).status).toBe(200);
      expect(page.replace(/BASE=.*/, "")).not.toMatch(
        /<script>|<style|<iframe|<img| on\w+=| style=|https?:(?!\/\/127\.0\.0\.1)/,
      );
    }
  });

  test("may run and load nothing but its own script and style, which are beside it", async () => {
    const response = await routes.request("/docs");
    const policy = response.headers.get("content-security-policy")?.split("; ") ?? [];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    const parts = [...(await response.text()).matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)];
    expect(parts.map(([, part = ""]) => part.replace(/^docs\/\w+\//, ""))).toEqual([
      "shared/scheme.js",
      "shared/tokens.css",
      "shared/base.css",
      "docs.css",
      "docs.js",
    ]);
    for (const [, part] of parts) expect((await routes.request(`/${part}`)).status).toBe(200);
    expect((await routes.request("/docs/0/docs.js")).status).toBe(404);
  });

  test("is plain where nothing reads its style and script", async () => {
    const plain = await createDocsRoutes({ version: "1" }).request("/docs");
    expect(await plain.text()).not.toMatch(/<script|<link rel="stylesheet"|\{\{/);
  });

  test("is compressed to less than 150 KB, and not sent again to a client that has it", async () => {
    const headers = { "accept-encoding": "gzip" };
    const response = await routes.request("/docs", { headers });
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect((await response.arrayBuffer()).byteLength).toBeLessThan(150_000);
    const again = { "if-none-match": response.headers.get("etag") ?? "" };
    expect((await routes.request("/docs", { headers: again })).status).toBe(304);
  });

  test("has a curl line for each operation, with its credentials and what it requires", async () => {
    const page = await get("/docs");
    const lines = [...page.matchAll(/aria-label="curl"><code>(.*?)<\/code>/gs)];
    const calls = lines.map(([, line]) => textOf(line ?? ""));
    expect(calls.length).toBe(operations.length);
    const call = calls.find((one) => one.includes("/v1/auth")) ?? "";
    expect(call).toContain('curl -X POST "$BASE/v1/auth"');
    expect(call).toContain('-H "x-vendor-key: $KEY"');
    expect(call).toContain(`-d '{"secret":"…"}'`);
  });

  test("has a curl line that sends the parameters an operation needs", async () => {
    const page = await get("/docs");
    const callOf = (id: string): string => {
      const article = page.slice(page.indexOf(`id="${id}"`)).split("</article>")[0] ?? "";
      return textOf(/aria-label="curl"><code>(.*?)<\/code>/s.exec(article)?.[1] ?? "");
    };
    expect(callOf("knowledge.contentsByIds")).toContain('"$BASE/knowledge/v1/contents/ids?ids=1"');
    expect(callOf("knowledge.detectLanguageOf")).toMatch(/\/language-detector\?query=\w+%20/);
    expect(callOf("ticketing.publicUser")).toContain("/users/public?address=ana%40example.com");
    expect(callOf("ticketing.createUser")).toContain('"address":"ana@example.com"');
    expect(callOf("chatbot.send")).toMatch(/-d '\{"message":"\w/);
  });

  test("tells operations for agents alone from those for users too", async () => {
    const page = await get("/docs");
    const articleOf = (id: string): string =>
      textOf(page.slice(page.indexOf(`id="${id}"`)).split("</article>")[0] ?? "");
    for (const id of ["chat.agents", "chat.notes", "chat.accept", "chat.changeCannedAnswers"]) {
      expect([id, articleOf(id)]).toEqual([id, expect.stringContaining(". Agents send their own")]);
    }
    expect(articleOf("chat.sendMessage")).toContain(". Users and agents send their own token");
  });

  test("shows the enabled systems, and authentication always", async () => {
    const some = createDocsRoutes({ version: "1", products: ["ticketing"] });
    const page = await (await some.request("/docs")).text();
    expect(page).toContain('id="ticketing.createTicket"');
    expect(page).toContain('id="auth.authorize"');
    expect(page).not.toContain('id="chatbot.send"');
    const document: Json = await (await some.request("/docs/openapi.json")).json();
    expect(document.tags.map(({ name }: Json) => name)).toEqual(["auth", "ticketing"]);
  });
});

function textOf(markup: string): string {
  return markup
    .replaceAll(/<\/?code>/g, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&#39;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ")
    .trim();
}

describe("the curl lines", () => {
  const shellOf = (page: string): string =>
    /<code id="shell">(.*?)<\/code>/s.exec(page)?.[1]?.replaceAll("&quot;", '"') ?? "";

  test("take the demo's credentials only where they work, and the address of the request", async () => {
    const demo = createDocsRoutes({ version: "1.2.3", demo: "domain-key" });
    const page = await (await demo.request("http://127.0.0.1:8799/docs")).text();
    expect(shellOf(page)).toMatch(/^BASE=http:\/\/127\.0\.0\.1:8799\nKEY=demo-key\n.*demo-secret/);
    for (const name of ["KEY", "TOKEN", "SESSION", "APP", "SECRET", "AGENT"]) {
      expect(shellOf(page)).toMatch(new RegExp(`^${name}=`, "m"));
    }
    const own = await (await routes.request("http://bot.example/docs/")).text();
    expect(shellOf(own)).toMatch(/^BASE=http:\/\/bot\.example\nKEY=YOUR_KEY\n/);
    expect(shellOf(own)).not.toContain("demo");
    const named = createDocsRoutes({
      version: "1.2.3",
      base: () => "https://bot.example.com/outer",
    });
    const given = await (await named.request("http://embedded/docs")).text();
    expect(shellOf(given)).toMatch(/^BASE=https:\/\/bot\.example\.com\/outer\n/);
  });
});

test("in front of a vendor the page names the vendor's key header, this address and no demo", async () => {
  const place = await workspace({
    "afterword.yaml": `version: 1
data: ./data
listen: { publicUrl: "https://bot.example.com/outer" }
upstream: { auth: "https://api.example.com", keyHeader: x-inbenta-key }
instances: [{ name: bot, match: {}, created: 2018-06-01 }]
`,
  });
  const config = await loadConfig(join(place, "afterword.yaml"), { env: {} });
  const running = await serve({ config, port: 0, env: {}, log: () => {} });
  onTestFinished(() => running.close());
  const page = await (await fetch(`${running.url}/docs`)).text();
  expect(page).toContain("BASE=https://bot.example.com/outer\nKEY=YOUR_KEY\n");
  const document = await (await fetch(`${running.url}/docs/openapi.json`)).text();
  for (const text of [page, document]) {
    expect(text).toContain("x-inbenta-key");
    expect(text).not.toMatch(/x-vendor-key|demo-key|demo-secret/);
  }
});
