// Suite: slow
import { readdir, readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createDeskRoutes } from "../../../src/backend/pages/desk-page.ts";
import { withServedImports } from "../../../src/backend/pages/load-page.ts";
import { open } from "../client.ts";

const client = new URL("../../../src/pages/desk/", import.meta.url);

async function desk(): Promise<
  (path: string, headers?: Record<string, string>) => Promise<Response>
> {
  const { app, close } = await open();
  await close();
  return async (path, headers = {}) => app.request(path, { headers });
}

/** Addresses of the page's parts, as the page names them. */
async function partsOf(answer: Response): Promise<readonly string[]> {
  const html = await answer.text();
  return [...html.matchAll(/(?:src|href)="([^"]+)"/g)]
    .flatMap(([, url]) => url ?? [])
    .filter((url) => !url.startsWith("data:") && /\.(?:js|css)$/.test(url));
}

describe("the desk", () => {
  test.each([
    "/desk",
    "/desk/",
    "/desk?x=1",
    "http://embedded/page/desk",
    "http://embedded/page/desk/",
  ])("is served at %s, with every part at its place", async (path) => {
    const get = await desk();
    const answer = await get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const at = new URL(path, "http://localhost");
    const parts = await partsOf(answer);
    expect(parts.length).toBeGreaterThan(20);
    for (const part of parts) {
      const found = await get(new URL(part, at).href);
      expect([part, found.status]).toEqual([part, 200]);
      expect(found.headers.get("content-type")).toMatch(
        /^text\/(?:javascript|css); charset=utf-8$/,
      );
      expect(found.headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  test("serves modules that import each other by relative addresses alone", async () => {
    const get = await desk();
    const parts = await partsOf(await get("/desk"));
    const [, base = ""] = /^(desk\/[^/]+\/)/.exec(parts[0] ?? "") ?? [];
    const known = new Set(parts.map((part) => part.slice(base.length)));
    const seen = new Set<string>();
    for (const part of parts.filter((one) => one.endsWith(".js"))) {
      const source = await (await get(`/${part}`)).text();
      for (const [, name = ""] of source.matchAll(/(?:\bfrom ?|\bimport ?\(?)"([^"]+)"/g)) {
        expect(name).toMatch(/^(?:\.\/|(?:\.\.\/)+)(?:[\w-]+\/)*[\w-]+\.js$/);
        const { pathname } = new URL(name, `http://localhost/${part}`);
        seen.add(pathname.slice(base.length + 1));
        expect([name, (await get(pathname)).status]).toEqual([name, 200]);
      }
    }
    // All of them are preloaded, except for views that open later; of the texts, only those of one
    // language.
    expect([...seen].filter((name) => !known.has(name)).toSorted()).toEqual([
      "views/app/person.js",
      "views/figures/figures.js",
      "views/tickets/tickets.js",
    ]);
    const texts = await get(`/${base}words-ar.json`);
    expect([texts.headers.get("content-type"), (await texts.json()).signIn]).toEqual([
      "application/json",
      expect.stringMatching(/\p{Script=Arabic}/u),
    ]);
    expect([...seen].filter((name) => /preact|htm/.test(name)).toSorted()).toEqual([
      "htm-preact.js",
      "htm.js",
      "preact-hooks.js",
      "preact.js",
    ]);
  });

  test("runs and loads only its own files, and writes nothing as HTML", async () => {
    const get = await desk();
    const page = await get("/desk");
    const policy = page.headers.get("content-security-policy")?.split("; ") ?? [];
    expect(policy).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "img-src blob: data:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
    expect(page.headers.get("referrer-policy")).toBe("no-referrer");
    const html = await page.text();
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|style=|\son\w+=/);
    const names = await readdir(client, { recursive: true });
    expect(names).toContain("views/chats/list.ts");
    for (const name of names.filter((one) => /\.\w+$/.test(one))) {
      const source = await readFile(new URL(name, client), "utf8");
      expect([
        name,
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|document\.cookie/.test(
          source,
        ),
      ]).toEqual([name, false]);
    }
    // What outlives the tab is how the agent is called, never a token or a text.
    const saved = await readFile(new URL("saved.ts", client), "utf8");
    expect(saved.match(/\("desk-.*"localStorage"\)/g)).toEqual([
      '("desk-alerts", "localStorage")',
      '("desk-alerts", alerts, "localStorage")',
    ]);
  });

  test("is kept by browsers: parts for good, the page as long as it has not changed", async () => {
    const get = await desk();
    const page = await get("/desk");
    const etag = page.headers.get("etag") ?? "";
    expect(page.headers.get("cache-control")).toBe("private, no-cache");
    expect((await get("/desk", { "if-none-match": etag })).status).toBe(304);
    expect((await get("/desk", { "if-none-match": `"other", ${etag}` })).status).toBe(304);
    expect((await get("/desk", { "if-none-match": '"other"' })).status).toBe(200);
    const [part = ""] = await partsOf(page);
    const answer = await get(`/${part}`);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    const known = { "if-none-match": answer.headers.get("etag") ?? "" };
    const again = await get(`/${part}`, known);
    expect([again.status, await again.text()]).toEqual([304, ""]);
    const [, version = "", name = ""] = part.split("/");
    for (const missing of [
      `desk/${"0".repeat(version.length)}/${name}`,
      `desk/${version}/load.ts`,
      `desk/${version}/views`,
      `desk/${version}/views/main.js`,
      `desk/${version}/../routes.ts`,
      `desk/${version}/__proto__`,
      `desk/${version}`,
    ]) {
      expect([missing, (await get(`/${missing}`)).status]).toEqual([missing, 404]);
    }
  });

  test("is compressed for clients that accept it", async () => {
    const get = await desk();
    const plain = await get("/desk");
    const packed = await get("/desk", { "accept-encoding": "br;q=1, gzip" });
    expect([plain.headers.get("content-encoding"), packed.headers.get("content-encoding")]).toEqual(
      [null, "gzip"],
    );
    expect(packed.headers.get("vary")).toBe("accept-encoding");
    const bytes = gunzipSync(new Uint8Array(await packed.arrayBuffer()));
    expect(bytes.toString()).toBe(await plain.text());
    for (const refused of ["gzip;q=0", "identity", "br"]) {
      const answer = await get("/desk", { "accept-encoding": refused });
      expect([refused, answer.headers.get("content-encoding")]).toEqual([refused, null]);
    }
  });

  test("names the demo app only while it works and only for this machine, and never a secret", async () => {
    const { app } = await open();
    const html = async (made: typeof app, headers = {}): Promise<string> =>
      (await made.request("/desk", { headers })).text();
    expect(await html(app)).toContain('<meta name="demo-app" content="demo-app" />');
    expect(await html(app, { "x-forwarded-for": "192.0.2.1" })).not.toContain("demo-app");
    expect(await html((await open({ demo: false })).app)).not.toContain("demo-app");
    expect(await html(app)).not.toMatch(/secret/i);
  });

  test("tries again when its files could not be read the first time", async () => {
    let fails = true;
    const files = async (): Promise<{ html: string; parts: ReadonlyMap<string, string> }> => {
      if (fails) throw new Error("no such file");
      return { html: "{{base}} {{head}}", parts: new Map([["main.js", "1"]]) };
    };
    const routes = createDeskRoutes({ files, demo: false, pages: () => [] });
    routes.onError(() => new Response(null, { status: 500 }));
    expect((await routes.request("/desk")).status).toBe(500);
    fails = false;
    expect((await routes.request("/desk")).status).toBe(200);
  });
});

describe("the addresses of imports", () => {
  test("match the served files, however the line is written", () => {
    const written = [
      'import { h } from "preact";',
      'import{html as m}from"htm/preact";',
      'export * from "./a.ts";',
      'import "./b.ts";',
      'const c = import("./c.ts");',
      'const text = "from preact";',
      "//# sourceMappingURL=x.map",
    ];
    expect(withServedImports(written.join("\n"), "main.js").split("\n")).toEqual([
      'import { h } from "./preact.js";',
      'import{html as m}from"./htm-preact.js";',
      'export * from "./a.js";',
      'import "./b.js";',
      'const c = import("./c.js");',
      'const text = "from preact";',
      "",
    ]);
    expect(() => withServedImports('import x from "zod";', "main.js")).toThrow("zod");
    const view = 'import { h } from "preact";import "../a.ts";import "./b.ts";';
    expect(withServedImports(view, "views/list.js")).toBe(
      'import { h } from "../preact.js";import "../a.js";import "./b.js";',
    );
    expect(withServedImports('import "preact";import "../../a.ts";', "views/chats/chat.js")).toBe(
      'import "../../preact.js";import "../../a.js";',
    );
    expect(() => withServedImports('import "../../a.ts";', "views/list.js")).toThrow("../../a.ts");
  });
});
