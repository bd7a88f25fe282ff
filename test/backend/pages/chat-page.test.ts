import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { LOCALES } from "../../../src/locales/shipped.ts";
import { lineOf } from "../../escalation/hand-over/bed.ts";
import { open } from "../client.ts";
import type { App } from "../client.ts";

async function get(
  app: App,
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return app.request(path, { headers });
}

async function config(app: App, headers: Record<string, string> = {}): Promise<string> {
  return (await get(app, "/?file=config.json", headers)).text();
}

/** For tests that need no settings of their own. */
let app: App;
beforeAll(async () => {
  ({ app } = await open());
});

describe("the chat page", () => {
  test.each(["/", "/?lang=fr", "/page", "http://embedded/page/"])(
    "is served at %s",
    async (path) => {
      const answer = await get(app, path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(await answer.text()).toMatch(/^<!doctype html>/);
      expect((await app.request(path, { method: "HEAD" })).status).toBe(200);
    },
  );

  test("runs and loads only its own files", async () => {
    for (const path of ["/", "/?file=page.js", "/?file=page.css", "/?file=config.json"]) {
      const { headers } = await get(app, path);
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(headers.get("content-security-policy")).not.toContain("unsafe");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
    const html = await (await get(app, "/")).text();
    const unnamed = html.replaceAll(/href="data:[^"]*"/g, "");
    expect(unnamed).not.toMatch(/<script(?![^>]* src=)|<style|style=|\son\w+=|https?:/);
  });

  test("finds its parts under its own address, behind any path prefix", async () => {
    const html = await (await get(app, "/")).text();
    const parts = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].flatMap(([, url]) => url ?? []);
    const local = parts.filter((url) => !/^(?:#|data:|\.\/)/.test(url));
    expect(local.map((url) => url.replace(/=[0-9a-f]{24}\//, "=")).toSorted()).toStrictEqual([
      "?file=base.css",
      "?file=page.css",
      "?file=page.js",
      "?file=scheme.js",
      "?file=tokens.css",
      "?file=why.css",
    ]);
    for (const part of local) expect((await get(app, `/${part}`)).status).toBe(200);
    for (const [part, type] of [
      ["?file=page.js", "text/javascript; charset=utf-8"],
      ["?file=scheme.js", "text/javascript; charset=utf-8"],
      ["?file=page.css", "text/css; charset=utf-8"],
      ["?file=config.json", "application/json"],
    ]) {
      const answer = await get(app, `/${part}`);
      expect([answer.status, answer.headers.get("content-type")]).toStrictEqual([200, type]);
    }
  });

  test("is compressed, and its parts are kept for as long as they stay the same", async () => {
    const accept = { "accept-encoding": "gzip, br" };
    const page = await get(app, "/", accept);
    expect(page.headers.get("content-encoding")).toBe("gzip");
    expect(page.headers.get("cache-control")).toBe("private, no-cache");
    const known = { "if-none-match": page.headers.get("etag") ?? "" };
    expect((await get(app, "/", known)).status).toBe(304);
    const html = await (await get(app, "/")).text();
    const [script = ""] = /\?file=[0-9a-f]{24}\/page\.js/.exec(html) ?? [];
    const part = await get(app, `/${script}`, accept);
    expect(part.headers.get("content-encoding")).toBe("gzip");
    expect(part.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    // Everything that it imports and reads has the same version in its address.
    const code = await (await get(app, `/${script}`)).text();
    const version = script.slice("?file=".length, -"page.js".length);
    const imported = [...code.matchAll(/from "\.\/\?file=([^"]+)"/g)].map(([, name = ""]) => name);
    expect(imported.length).toBeGreaterThan(3);
    for (const name of [...imported, `${version}words-fr.json`]) {
      expect(name.startsWith(version)).toBe(true);
      expect((await get(app, `/?file=${name}`)).status).toBe(200);
    }
    const old = script.replace(/[0-9a-f]{24}/, "0".repeat(24));
    expect((await get(app, `/${old}`)).status).toBe(404);
    const settings = await get(app, `/?file=${version}config.json`);
    expect(settings.headers.get("cache-control")).toBe("no-store");
  });

  test.each(["node.ts", "../node.ts", "__proto__", "constructor", ""])(
    "has no part called %j",
    async (name) => {
      expect((await get(app, `/?file=${encodeURIComponent(name)}`)).status).toBe(404);
    },
  );

  test("contains the demo credentials only while they work, and only for this machine", async () => {
    const own = [{ apiKey: "own-key", secret: "own-secret", project: "shop" }];
    const { app } = await open({ credentials: own });
    expect(JSON.parse(await config(app)).demo).toStrictEqual([
      { apiKey: "demo-key", domainKey: "demo-domain-key", project: "shop" },
      { apiKey: "demo-modern", domainKey: "demo-domain-key", project: "modern" },
    ]);
    expect(await config(app, { "x-forwarded-for": "192.0.2.1" })).not.toContain("secret");
    const without = await open({ demo: false, credentials: own });
    expect(await config(without.app)).not.toMatch(/secret|own-key/);
  });

  test("offers every shipped table, beginning with those of the first view", async () => {
    const { languages } = JSON.parse(await config(app));
    expect(languages.toSorted()).toStrictEqual([...LOCALES].toSorted());
    expect(languages.slice(0, 6)).toStrictEqual(["en", "fr", "es", "de", "ja", "ar"]);
  });

  test("has yes and no buttons in every shipped language, with the words of its texts", async () => {
    const script = await (await get(app, "/?file=parts.js")).text();
    const { findPolarLabels } = await import(`data:text/javascript,${encodeURIComponent(script)}`);
    const served: unknown = JSON.parse(await config(app));
    const buttons = LOCALES.map((tag) => [tag, findPolarLabels(served, tag)]);
    const texts = LOCALES.map((tag) => [tag, [lineOf(tag, "yes"), lineOf(tag, "no")]]);
    expect(buttons).toStrictEqual(texts);
    expect(findPolarLabels(served, "xx")).toStrictEqual(["Yes", "No"]);
  });

  test("never writes HTML into the document", async () => {
    const pages = new URL("../../../src/pages/chat/", import.meta.url);
    const scripts = ["page.js", "log.js", "start.js", "client.js"].map((name) =>
      readFile(new URL(name, pages), "utf8"),
    );
    const script = (await Promise.all(scripts)).join("\n");
    expect(script).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function/,
    );
  });
});
