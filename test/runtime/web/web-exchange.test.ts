import { describe, expect, test } from "vitest";
import { createWebExchange } from "../../../src/runtime/web/gateway.ts";
import { streamBody } from "../../fixtures/request-body.ts";

const utf8 = new TextEncoder();

function streamOf(...chunks: string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(utf8.encode(chunk));
      controller.close();
    },
  });
}

function post(body: BodyInit, more: RequestInit = {}): Request {
  return new Request("http://gateway.example/", {
    method: "POST",
    body,
    duplex: "half",
    ...more,
  } as RequestInit);
}

async function text(chunks: AsyncIterable<Uint8Array> | null): Promise<string | null> {
  if (chunks === null) return null;
  const read = await Array.fromAsync(chunks);
  return Buffer.concat(read).toString();
}

describe("the request's head", () => {
  test.each([
    ["http://gateway.example", "/"],
    ["http://gateway.example/v1/apis", "/v1/apis"],
    ["http://gateway.example/v1/apis?", "/v1/apis?"],
    [
      "http://gateway.example/a%2Fb//c/?q=a%20b&q=%e9&x=http://y/z#part",
      "/a%2Fb//c/?q=a%20b&q=%e9&x=http://y/z",
    ],
    ["http://gateway.example?a=/b", "/?a=/b"],
  ])("the target of %s is %s", (url, target) => {
    expect(createWebExchange(new Request(url)).exchange.target).toBe(target);
  });

  test("Host comes from the URL where the request has none, and stays where it has one", () => {
    const made = createWebExchange(new Request("http://gateway.example:8080/"));
    expect(made.exchange.headers).toEqual(["host", "gateway.example:8080"]);
    const sent = new Request("http://a.example/", { headers: { host: "b.example" } });
    expect(createWebExchange(sent).exchange.headers).toEqual(["host", "b.example"]);
  });

  test("each Set-Cookie is a line of its own", () => {
    const headers = new Headers([
      ["X-B", "1"],
      ["Set-Cookie", "a=1; Expires=Thu, 01 Jan 2026 00:00:00 GMT"],
      ["Set-Cookie", "b=2"],
      ["X-B", "2"],
    ]);
    const { exchange } = createWebExchange(new Request("http://h.example/", { headers }));
    expect(exchange.headers).toEqual(
      [
        ["host", "h.example"],
        ["set-cookie", "a=1; Expires=Thu, 01 Jan 2026 00:00:00 GMT"],
        ["set-cookie", "b=2"],
        ["x-b", "1, 2"],
      ].flat(),
    );
  });

  test("there is no socket to name a peer of", () => {
    expect(createWebExchange(new Request("http://h.example/")).exchange.peer).toBeNull();
  });
});

describe("the request's body", () => {
  test("is null when there is none", () => {
    expect(createWebExchange(new Request("http://h.example/")).exchange.body).toBeNull();
  });

  test.each([
    ["5", 5],
    ["0", 0],
    ["5, 5", null],
    ["-1", null],
    ["99999999999999999999", null],
    [undefined, null],
  ])("a Content-Length of %s is a length of %s", (value, length) => {
    const headers: Record<string, string> = value === undefined ? {} : { "content-length": value };
    const { exchange } = createWebExchange(post("hello", { headers }));
    expect(exchange.body?.length).toBe(length);
  });

  test("is empty where a length was declared and nothing came", async () => {
    const declared = { method: "POST", headers: { "content-length": "5" } };
    const { exchange } = createWebExchange(new Request("http://h.example/", declared));
    expect((await exchange.body?.peek(10))?.bytes).toHaveLength(0);
    const again = createWebExchange(new Request("http://h.example/", declared));
    expect(await Array.fromAsync(streamBody(again.exchange.body))).toEqual([]);
  });

  test.each([
    { chunks: ["abcd"], limit: 4, bytes: "abcd", rest: null },
    { chunks: ["ab", "cd"], limit: 4, bytes: "abcd", rest: null },
    { chunks: ["abcde"], limit: 4, bytes: "abcd", rest: "e" },
    { chunks: ["ab", "cd", "ef", "gh"], limit: 4, bytes: "abcd", rest: "efgh" },
    { chunks: ["ab", "cde", "f"], limit: 4, bytes: "abcd", rest: "ef" },
    { chunks: [], limit: 4, bytes: "", rest: null },
    { chunks: ["", "a", ""], limit: 4, bytes: "a", rest: null },
  ])("peeking $limit bytes of $chunks gives $bytes and then $rest", async (row) => {
    const { exchange } = createWebExchange(post(streamOf(...row.chunks)));
    const peeked = await exchange.body?.peek(row.limit);
    expect(Buffer.from(peeked?.bytes ?? []).toString()).toBe(row.bytes);
    expect(await text(peeked?.rest ?? null)).toBe(row.rest);
  });

  test("streams whole, however large", async () => {
    const body = new Uint8Array(1_000_000).map((_, i) => i % 251);
    const { exchange } = createWebExchange(post(body));
    const read = await Array.fromAsync(streamBody(exchange.body));
    expect(Buffer.concat(read).equals(body)).toBe(true);
  });

  test("can be read once only", async () => {
    const { exchange } = createWebExchange(post("hello"));
    await exchange.body?.peek(10);
    await expect(exchange.body?.peek(10)).rejects.toThrow(TypeError);
  });

  test("that is not made of bytes is refused", async () => {
    const strings = new ReadableStream({ start: (controller) => controller.enqueue("text") });
    const { exchange } = createWebExchange(post(strings));
    await expect(exchange.body?.peek(10)).rejects.toThrow("made of bytes");
  });

  test("ends in an error when the client goes away in the middle of it", async () => {
    const client = new AbortController();
    let cancelled: unknown = null;
    const endless = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(utf8.encode("first")),
      cancel: (reason) => void (cancelled = reason),
    });
    const { exchange } = createWebExchange(post(endless, { signal: client.signal }));
    const peeking = exchange.body?.peek(1000);
    client.abort(new Error("left"));
    await expect(peeking).rejects.toMatchObject({ code: "client-gone" });
    expect(cancelled).toMatchObject({ message: "left" });
  });

  test("is stopped when its reader stops early", async () => {
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(utf8.encode("more")),
      cancel: () => void (cancelled = true),
    });
    const { exchange } = createWebExchange(post(endless));
    for await (const chunk of streamBody(exchange.body)) {
      if (chunk.length > 0) break;
    }
    expect(cancelled).toBe(true);
  });
});
