import { describe, expect, test, vi } from "vitest";
import { createWebExchange } from "../../../src/runtime/web/gateway.ts";

const utf8 = new TextEncoder();

function createExchange(init: RequestInit = {}): ReturnType<typeof createWebExchange> {
  return createWebExchange(new Request("http://gateway.example/", init));
}

describe("an answer that is sent whole", () => {
  test("has the status, reason, headers and bytes that were sent", async () => {
    const { exchange, response } = createExchange();
    const headers = ["X-A", "1", "Set-Cookie", "a=1", "Set-Cookie", "b=2", "Content-Length", "2"];
    exchange.reply.send(418, "Ça va", headers, utf8.encode("ok"));
    const answer = await response;
    expect([answer.status, answer.statusText]).toEqual([418, "Ça va"]);
    expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(answer.headers.get("content-length")).toBe("2");
    expect(await answer.text()).toBe("ok");
    expect(exchange.reply.started).toBe(true);
  });

  test.each([["snow ☃"], ["line\nbreak"], ["bell\u0007"]])(
    "drops the reason phrase %j",
    async (reason) => {
      const { exchange, response } = createExchange();
      exchange.reply.send(200, reason, [], utf8.encode("ok"));
      expect((await response).statusText).toBe("");
    },
  );

  test("omits only fields that Headers refuses", async () => {
    const { exchange, response } = createExchange();
    const bad = ["bad name", "1", "x-snow", "☃", "x-break", "a\r\nb: c", "x-nul", "a\0b", "", "1"];
    exchange.reply.send(200, "OK", ["x-first", "é", ...bad, "x-last", "1"], null);
    expect([...(await response).headers]).toEqual([
      ["x-first", "é"],
      ["x-last", "1"],
    ]);
  });

  test.each([
    ["GET", 204],
    ["GET", 205],
    ["GET", 304],
    ["HEAD", 200],
  ])("to %s with status %d has no body, whatever is sent or written", async (method, status) => {
    const whole = createExchange({ method });
    whole.exchange.reply.send(status, "", ["Content-Length", "2"], utf8.encode("ok"));
    expect((await whole.response).body).toBeNull();
    expect((await whole.response).headers.get("content-length")).toBe("2");

    const streamed = createExchange({ method });
    streamed.exchange.reply.head(status, "", ["Content-Length", "2"]);
    expect(streamed.exchange.reply.write(utf8.encode("ok"))).toBe(true);
    streamed.exchange.reply.end();
    expect((await streamed.response).body).toBeNull();
  });

  test.each([101, 600, 999])(
    "of status %d, which no Response can have, is a 502",
    async (status) => {
      const { exchange, response } = createExchange();
      const gone = vi.fn<() => void>();
      exchange.reply.onGone(gone);
      exchange.reply.head(status, "", []);
      expect(exchange.reply.write(utf8.encode("x"))).toBe(true);
      const answer = await response;
      expect(answer.status).toBe(502);
      expect(await answer.json()).toMatchObject({ errors: [{ code: 502 }] });
      expect(gone).toHaveBeenCalledOnce();
    },
  );

  test("is sent once, and later calls are dropped", async () => {
    const { exchange, response } = createExchange();
    exchange.reply.send(200, "OK", [], utf8.encode("first"));
    exchange.reply.send(500, "", [], utf8.encode("second"));
    exchange.reply.head(500, "", []);
    exchange.reply.write(utf8.encode("third"));
    exchange.reply.end();
    exchange.reply.abort();
    expect(await (await response).text()).toBe("first");
  });
});

describe("a streamed answer", () => {
  test("arrives chunk by chunk, before its end is written", async () => {
    const { exchange, response } = createExchange();
    exchange.reply.head(200, "OK", ["Content-Type", "text/event-stream"]);
    const reader = (await response).body!.getReader();
    exchange.reply.write(utf8.encode("one"));
    expect((await reader.read()).value).toEqual(utf8.encode("one"));
    exchange.reply.write(new Uint8Array(0));
    exchange.reply.write(utf8.encode("two"));
    exchange.reply.end(["X-Trailer", "dropped"]);
    expect((await reader.read()).value).toEqual(utf8.encode("two"));
    expect((await reader.read()).done).toBe(true);
  });

  test("asks the writer to wait, and calls it back when the reader has made room", async () => {
    const { exchange, response } = createExchange();
    const drained = vi.fn<() => void>();
    exchange.reply.onDrain(drained);
    exchange.reply.head(200, "OK", []);
    const body = (await response).body!;
    const chunk = new Uint8Array(40_000);
    expect(exchange.reply.write(chunk)).toBe(true);
    expect(exchange.reply.write(chunk)).toBe(false);
    await waitForStreams();
    expect(drained).not.toHaveBeenCalled();
    const reader = body.getReader();
    await reader.read();
    await waitForStreams();
    expect(drained).toHaveBeenCalledOnce();
    await reader.read();
    await waitForStreams();
    expect(drained).toHaveBeenCalledOnce();
  });

  test("leaves the buffer of a chunk intact", async () => {
    const { exchange, response } = createExchange();
    const shared = utf8.encode("one two");
    exchange.reply.head(200, "OK", []);
    exchange.reply.write(shared.subarray(0, 3));
    exchange.reply.end();
    expect(await (await response).text()).toBe("one");
    expect(shared).toEqual(utf8.encode("one two"));
  });

  test("that is aborted delivers what was written, and then fails", async () => {
    const { exchange, response } = createExchange();
    exchange.reply.head(200, "OK", ["Content-Length", "100"]);
    exchange.reply.write(utf8.encode("one"));
    exchange.reply.write(utf8.encode("two"));
    exchange.reply.abort();
    const reader = (await response).body!.getReader();
    expect((await reader.read()).value).toEqual(utf8.encode("one"));
    expect((await reader.read()).value).toEqual(utf8.encode("two"));
    await expect(reader.read()).rejects.toMatchObject({ code: "upstream-broken" });
  });

  test("that is aborted while the reader waits fails at once", async () => {
    const { exchange, response } = createExchange();
    exchange.reply.head(200, "OK", []);
    const reading = (await response).text();
    exchange.reply.abort();
    await expect(reading).rejects.toMatchObject({ code: "upstream-broken" });
  });

  test("that is aborted before its head is a 502 that a handler can return", async () => {
    const { exchange, response } = createExchange();
    exchange.reply.abort();
    expect((await response).status).toBe(502);
    expect((await response).headers.get("content-type")).toBe("application/json");
  });
});

describe("a client that goes away", () => {
  test("is noticed by its signal before the head, and the response is settled", async () => {
    const client = new AbortController();
    const { exchange, response } = createExchange({ signal: client.signal });
    const gone = vi.fn<() => void>();
    exchange.reply.onGone(gone);
    client.abort();
    expect((await response).status).toBe(499);
    expect(gone).toHaveBeenCalledOnce();
  });

  test("that is gone before a listener is added is still noticed", () => {
    const { exchange } = createExchange({ signal: AbortSignal.abort() });
    const gone = vi.fn<() => void>();
    exchange.reply.onGone(gone);
    expect(gone).toHaveBeenCalledOnce();
  });

  test("is noticed by its signal while it reads, and its read ends", async () => {
    const client = new AbortController();
    const { exchange, response } = createExchange({ signal: client.signal });
    const gone = vi.fn<() => void>();
    exchange.reply.onGone(gone);
    exchange.reply.head(200, "OK", []);
    const reading = (await response).text();
    client.abort(new Error("left"));
    await expect(reading).rejects.toThrow("left");
    expect(gone).toHaveBeenCalledOnce();
  });

  test("is noticed when it cancels the body, and later writes are harmless", async () => {
    const { exchange, response } = createExchange();
    const gone = vi.fn<() => void>();
    exchange.reply.onGone(gone);
    exchange.reply.head(200, "OK", []);
    exchange.reply.write(utf8.encode("one"));
    await (await response).body!.cancel();
    expect(gone).toHaveBeenCalledOnce();
    expect(exchange.reply.write(utf8.encode("two"))).toBe(true);
    exchange.reply.end();
    exchange.reply.abort();
    expect(gone).toHaveBeenCalledOnce();
  });

  test("after the end of the answer is ignored", async () => {
    const client = new AbortController();
    const { exchange, response } = createExchange({ signal: client.signal });
    const gone = vi.fn<() => void>();
    exchange.reply.onGone(gone);
    exchange.reply.head(200, "OK", []);
    exchange.reply.write(utf8.encode("all"));
    exchange.reply.end();
    client.abort();
    expect(gone).not.toHaveBeenCalled();
    expect(await (await response).text()).toBe("all");
  });
});

// A getter on each reply would give each its own hidden class in V8, which keeps the whole exchange
// until the next full garbage collection.
test("a reply inherits its getters", () => {
  const { reply } = createExchange().exchange;
  expect(Object.getOwnPropertyDescriptor(reply, "started")).toBeUndefined();
  expect(reply.started).toBe(false);
});

function waitForStreams(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
