import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadConfig, serve } from "../../src/runtime/node/index.ts";
import { rawRequest } from "../../src/testing/index.ts";
import { workspace } from "../config/workspace.ts";
import { withBench } from "./harness.ts";
import { createFolder } from "../fixtures/folder.ts";

const get = (path: string, ...headers: string[]): string =>
  [`GET ${path} HTTP/1.1`, "Connection: close", ...headers, "", ""].join("\r\n");

describe("in front of a vendor", () => {
  it("the root shows a browser on this machine what it can open, and no other client", () =>
    withBench({}, async ({ port, upstream }) => {
      const seen = async (request: string): Promise<string> => {
        const { status, body } = await rawRequest(port, request);
        return `${status} ${new TextDecoder().decode(body)}`;
      };
      const local = `Host: 127.0.0.1:${port}`;
      const page = await seen(get("/", local));
      expect(page).toMatch(/^200 Afterword is running\./);
      expect(page).toContain("/_afterword/ready");
      const html = await seen(get("/", local, "Accept: text/html,*/*;q=0.8"));
      expect(html).toMatch(/^200 <!doctype html>/);
      expect(html).toContain('<a href="_afterword/console">');
      expect(html).toContain('<a href="docs">');
      expect(await seen(get("/?x=1", local))).toBe(page);
      const refused = [
        get("/", "Host: bot.example.com"),
        get("/", local, "X-Forwarded-For: 203.0.113.9"),
        get("/", local, "Origin: https://evil.example"),
        get("/desk", local),
        `POST / HTTP/1.1\r\n${local}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      ];
      for (const request of refused) {
        expect(await seen(request)).toMatch(/^404 .*There is nothing at this address/);
      }
      expect(upstream.requests).toEqual([]);
    }));

  it("the reference of the interfaces is at /docs, for everybody", () =>
    withBench(
      { env: { AFTERWORD_ADMIN_TOKEN: "0123456789abcdef" } },
      async ({ port, upstream }) => {
        const base = `http://127.0.0.1:${port}`;
        const page = await fetch(`${base}/docs`);
        expect([page.status, page.headers.get("content-encoding")]).toEqual([200, "gzip"]);
        const etag = page.headers.get("etag") ?? "";
        expect(await page.text()).toContain(">Interfaces behind Afterword</h1>");
        const again = await fetch(`${base}/docs`, { headers: { "If-None-Match": etag } });
        expect(again.status).toBe(304);
        const document = await fetch(`${base}/docs/openapi.json`);
        expect(await document.json()).toMatchObject({ openapi: "3.1.0" });
        expect((await fetch(`${base}/docs/other`)).status).toBe(404);
        expect((await fetch(`${base}/docs`, { method: "POST" })).status).toBe(405);
        expect(upstream.requests).toEqual([]);
      },
    ));

  it("a browser is redirected to a page whose name is written in other letters", () =>
    withBench({ env: { AFTERWORD_ADMIN_TOKEN: "0123456789abcdef" } }, async ({ port }) => {
      const led = async (path: string, accept = "text/html,*/*"): Promise<string> => {
        const headers = { accept };
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
          headers,
          redirect: "manual",
        });
        return `${answer.status} ${answer.headers.get("location")}`;
      };
      expect(await led("/Docs?x=1")).toBe("302 docs");
      expect(await led("/DESK")).toBe("302 desk");
      expect(await led("/_Afterword/Console")).toBe("302 ../_afterword/console");
      expect(await led("//evil.example/Docs")).toBe("302 docs");
      expect(await led("/Docs", "application/json")).toBe("404 null");
      expect(await led("/Console")).toBe("404 null");
      expect(await led("/Other")).toBe("404 null");
    }));

  it("the root is 404 where an admin token is set", () =>
    withBench({ env: { AFTERWORD_ADMIN_TOKEN: "0123456789abcdef" } }, async ({ port }) => {
      const { status } = await rawRequest(port, get("/", `Host: 127.0.0.1:${port}`));
      expect(status).toBe(404);
    }));
});

describe("with the embedded backend", () => {
  it("the reference of the interfaces is at /docs, for people and for programs", async () => {
    const directory = await workspace({ "afterword.yaml": "version: 1\nupstream: embedded\n" });
    const data = createFolder();
    const config = await loadConfig(join(directory, "afterword.yaml"), { env: {} });
    const running = await serve({
      config: { ...config, data },
      port: 0,
      env: {},
      version: "1.2.3",
      log: () => {},
    });
    onTestFinished(() => running.close());
    const page = await fetch(`${running.url}/docs`);
    expect([page.status, page.headers.get("content-type")]).toEqual([
      200,
      "text/html; charset=utf-8",
    ]);
    const [, address = ""] = /href="(docs[^"]+openapi.json)"/.exec(await page.text()) ?? [];
    const document = await fetch(new URL(address, page.url));
    const { openapi, info, paths } = (await document.json()) as {
      openapi: string;
      info: { version: string };
      paths: object;
    };
    expect([openapi, info.version]).toEqual(["3.1.0", "1.2.3"]);
    expect(Object.keys(paths)).toContain("/ticketing/v1/tickets");
    // The gateway also serves the paths that it names.
    expect((await fetch(`${running.url}/ticketing/v1/tickets`)).status).toBe(401);
  });
});
