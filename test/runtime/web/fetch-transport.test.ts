import { once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createFetchTransport } from "../../../src/runtime/web/fetch-transport.ts";
import { exchange, request, upstream } from "./upstream.ts";

const transport = createFetchTransport();

/** Pairs of the requested fields. */
function fields(headers: readonly string[], ...names: string[]): string[][] {
  const pairs = headers.flatMap((name, i) => (i % 2 === 0 ? [[name, headers[i + 1] ?? ""]] : []));
  return pairs.filter(([name]) => names.includes(name ?? ""));
}

describe("a request", () => {
  test("is the path and query as given, the end-to-end fields, and the URL's own Host", async () => {
    const seen = vi.fn<(method?: string, url?: string, headers?: string[]) => void>();
    const origin = await upstream((req, res) => {
      seen(req.method, req.url, req.rawHeaders);
      res.end();
    });
    await exchange(
      transport,
      request(origin, {
        method: "DELETE",
        path: "/a%2Fb//c/?q=a%20b&q=&e=%e9&u=http://x/../y",
        headers: [
          ["Host", "other.example"],
          ["X-Key", "k"],
          ["Connection", "close"],
          ["Expect", "100-continue"],
          ["Origin", "https://shop.example"],
          ["Cookie", "a=1"],
          ["Bad Name", "x"],
          ["Transfer-Encoding", "chunked"],
          ["Upgrade", "h2c"],
          ["Keep-Alive", "x"],
          ["X-Last", "\u00e9"],
        ].flat(),
      }),
    );
    const [method, url, headers = []] = seen.mock.calls[0] ?? [];
    expect([method, url]).toEqual(["DELETE", "/a%2Fb//c/?q=a%20b&q=&e=%e9&u=http://x/../y"]);
    const lower = headers.map((part, i) => (i % 2 === 0 ? part.toLowerCase() : part));
    expect(fields(lower, "host")).toEqual([["host", new URL(origin).host]]);
    expect(fields(lower, "x-key", "origin", "cookie", "x-last")).toHaveLength(4);
    expect(Object.fromEntries(fields(lower, "x-key", "origin", "cookie", "x-last"))).toEqual({
      cookie: "a=1",
      origin: "https://shop.example",
      "x-key": "k",
      "x-last": "\u00e9",
    });
    expect(fields(lower, "expect", "upgrade", "transfer-encoding", "bad name")).toEqual([]);
  });

  test("a # in the path is encoded: the URL parser would cut the rest off", async () => {
    const origin = await upstream((req, res) => res.end(req.url));
    const answer = await exchange(transport, request(origin, { path: "/a#b?c#d" }));
    expect(answer.body.toString()).toBe("/a%23b?c%23d");
  });

  test.each([
    "/a/../b",
    "/a/%2E%2e/b",
    "/..",
    "/.",
    "/a/..\\b",
    "/a\\.%2e/b",
    "a",
    "@evil.example/",
  ])("the path %s, which would lead elsewhere, is refused unsent", async (path) => {
    const fetch = vi.fn<typeof globalThis.fetch>();
    const answer = await exchange(
      createFetchTransport({ fetch }),
      request("http://api.example.com", { path }),
    );
    expect(answer.error).toMatchObject({ kind: "refused", sent: false });
    expect(fetch).not.toHaveBeenCalled();
  });

  test.each([
    "embedded:chatbot",
    "ftp://a.example",
    "http://a.example/base",
    "http://u:p@a.example",
    "http://",
  ])("the origin %s is refused unsent", async (origin) => {
    const fetch = vi.fn<typeof globalThis.fetch>();
    const sent = { ...request("http://a.example"), origin };
    const answer = await exchange(createFetchTransport({ fetch }), sent);
    expect(answer.error).toMatchObject({ kind: "refused", sent: false });
    expect(fetch).not.toHaveBeenCalled();
  });

  test.each(["127.0.0.1", "localhost", "printer.local", "[::1]", "169.254.169.254"])(
    "an untrusted address on %s is refused unsent, a trusted one is asked",
    async (host) => {
      const fetch = vi.fn<typeof globalThis.fetch>().mockResolvedValue(new Response(null));
      const guarded = createFetchTransport({ fetch });
      const refused = await exchange(guarded, request(`https://${host}`, { trusted: false }));
      expect(refused.error).toMatchObject({ kind: "refused", sent: false });
      expect(fetch).not.toHaveBeenCalled();
      const allowed = await exchange(guarded, request(`https://${host}`, { trusted: true }));
      expect(allowed.error).toBeNull();
    },
  );
});

describe("a response", () => {
  test("arrives in order: head, data, end", async () => {
    const origin = await upstream((_, res) => {
      res.writeHead(201, "Made It", { "X-A": "1", "Set-Cookie": ["a=1, 2", "b=2"] });
      res.end("body");
    });
    const answer = await exchange(transport, request(origin));
    expect(answer.calls).toEqual(["head", "data", "end"]);
    expect([answer.status, answer.reason]).toEqual([201, "Made It"]);
    expect(fields(answer.headers, "x-a", "set-cookie")).toEqual([
      ["set-cookie", "a=1, 2"],
      ["set-cookie", "b=2"],
      ["x-a", "1"],
    ]);
    expect(answer.body.toString()).toBe("body");
  });

  test("a redirect is passed on, not followed", async () => {
    const origin = await upstream((req, res) => {
      res.writeHead(req.url === "/" ? 302 : 200, { Location: "/elsewhere" });
      res.end();
    });
    const answer = await exchange(transport, request(origin));
    expect(answer.status).toBe(302);
    expect(fields(answer.headers, "location")).toEqual([["location", "/elsewhere"]]);
  });

  test("a redirect that the platform hides is a failure, not an empty answer", async () => {
    const hidden = Object.create(new Response(null), {
      type: { value: "opaqueredirect" },
      status: { value: 0 },
    });
    const hiding = createFetchTransport({ fetch: async () => hidden });
    const answer = await exchange(hiding, request("https://a.example"));
    expect(answer.error).toMatchObject({ kind: "broken" });
    expect(answer.calls).toEqual(["fail"]);
  });

  test("a reason phrase in raw bytes never gives a char above 0xFF", async () => {
    const server = createServer((socket) => {
      socket.once("data", () =>
        socket.end(Buffer.from("HTTP/1.1 200 \xc7a va\r\nContent-Length: 2\r\n\r\nok", "latin1")),
      );
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const answer = await exchange(transport, request(`http://127.0.0.1:${port}`));
    expect(answer.reason).toMatch(/^[\0-\xff]*$/);
    expect(answer.body.toString()).toBe("ok");
  });

  test.each([
    ["HEAD", 200],
    ["GET", 204],
    ["GET", 304],
  ])(
    "%s with %d ends without data and keeps the fields of the coded body",
    async (method, status) => {
      const origin = await upstream((_, res) => {
        const length = status === 204 ? {} : { "Content-Length": "1234" };
        res.writeHead(status, { ...length, "Content-Encoding": "gzip", ETag: '"x"' });
        res.end();
      });
      const answer = await exchange(transport, request(origin, { method }));
      expect(answer.calls).toEqual(["head", "end"]);
      const kept = fields(answer.headers, "content-encoding", "etag", "content-length").map(
        ([name]) => name,
      );
      const all = ["content-encoding", "content-length", "etag"];
      expect(kept).toEqual(status === 204 ? ["content-encoding", "etag"] : all);
    },
  );

  test("the platform's own fetch is called without a receiver", async () => {
    const own = vi.fn<typeof fetch>().mockResolvedValue(new Response("x"));
    vi.stubGlobal("fetch", own);
    onTestFinished(() => void vi.unstubAllGlobals());
    await exchange(createFetchTransport(), request("https://a.example"));
    expect([undefined, globalThis]).toContain(own.mock.contexts[0]);
    expect(own).toHaveBeenCalledOnce();
  });
});
