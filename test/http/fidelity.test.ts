import { describe, expect, it } from "vitest";
import {
  ascii,
  freeAgain,
  receive,
  request,
  transport,
  upstream,
} from "../runtime/node/support.ts";
import { turns } from "../fixtures/turns.ts";

describe("a request", () => {
  it("keeps order, case and duplicates of the headers", async () => {
    const to = await upstream();
    const headers = [
      "Host",
      "a.example:1",
      "X-Odd",
      "1",
      "x-ODD",
      "2",
      "Cookie",
      "b=\u00e9",
      "X-Odd",
      "",
    ];
    await receive(transport(), request(to, { path: "/p?q=%7E\u00e9", headers }));
    expect(ascii(to.requests[0]!.head)).toBe(
      "GET /p?q=%7E\u00e9 HTTP/1.1\r\nHost: a.example:1\r\nX-Odd: 1\r\nx-ODD: 2\r\nCookie: b=\u00e9\r\nX-Odd: \r\n\r\n",
    );
  });

  it("leaves out what it frames itself and what the client may not demand", async () => {
    const to = await upstream();
    const headers = [
      "Host", "a", "Expect", "100-continue", "Connection", "x-gone", "Keep-Alive", "timeout=1",
      "Transfer-Encoding", "chunked", "Upgrade", "h2c", "CONTENT-LENGTH", "999", "host", "second", "X-Kept", "1",
    ]; // prettier-ignore
    const body = Buffer.from("abc");
    const answer = await receive(transport(), request(to, { method: "POST", headers, body }));
    expect(answer.failure).toBeNull();
    expect(to.requests[0]!.headers).toEqual([
      "Host", "a", "X-Kept", "1", "content-length", "3",
    ]); // prettier-ignore
    expect(ascii(to.requests[0]!.body)).toBe("abc");
  });

  it("sends a streamed body in chunks as they come, and with its length when that is known", async () => {
    const to = await upstream();
    const over = transport();
    await receive(over, request(to, { method: "PUT", body: withEmptyPiece() }));
    const headers = ["Host", "a", "Content-Length", "5"];
    await receive(over, request(to, { method: "PUT", body: withEmptyPiece(), headers }));
    expect(to.requests.map((one) => [ascii(one.body), one.chunks])).toEqual([
      ["abcde", [2, 3]],
      ["abcde", []],
    ]);
  });

  it("says that an empty POST is empty", async () => {
    const to = await upstream();
    await receive(transport(), request(to, { method: "POST" }));
    expect(to.requests[0]!.headers.slice(-2)).toEqual(["content-length", "0"]);
  });

  it("uses one connection for one request after the other", async () => {
    const to = await upstream();
    const over = transport();
    for (let i = 0; i < 3; i++) {
      await receive(over, request(to));
      await freeAgain();
    }
    expect([to.connections, to.requests.length]).toEqual([1, 3]);
  });

  it("reports a header that HTTP forbids without sending anything", async () => {
    const to = await upstream();
    const answer = await receive(transport(), request(to, { headers: ["Host", "a", "X", "a\nb"] }));
    expect(answer.failure).toMatchObject({ sent: false });
    expect(answer.failure!.detail).not.toContain("a\nb");
    expect(to.requests).toEqual([]);
  });
});

describe("a response", () => {
  it("keeps status, reason, order, case and duplicates", async () => {
    const headers = [
      "Set-Cookie",
      "a=1",
      "x-A",
      "\u00e9",
      "X-a",
      "",
      "set-cookie",
      "b=2",
      "DATE",
      "never",
    ];
    const to = await upstream({
      handler: () => ({ status: 299, reason: "D\u00e9j\u00e0 Vu  2", headers, body: "body" }),
    });
    const answer = await receive(transport(), request(to));
    expect(answer).toMatchObject({ status: 299, reason: "D\u00e9j\u00e0 Vu  2", failure: null });
    expect(answer.headers).toEqual([...headers, "content-length", "4"]);
    expect(ascii(answer.body)).toBe("body");
  });

  it.each([
    ["UTF-8 bytes", "caf\u00c3\u00a9"],
    ["Latin-1 bytes that are no UTF-8", "caf\u00e9 \u00ff"],
    ["nothing", ""],
  ])("keeps a reason phrase of %s, also when it comes in two pieces", async (_name, reason) => {
    const to = await upstream({
      handler: ({ target }) => {
        const line = Buffer.from(`HTTP/1.1 200 ${reason}\r\nContent-Length: 0\r\n\r\n`, "latin1");
        return { raw: target === "/cut" ? inTwo(line, 15) : line };
      },
    });
    const over = transport();
    expect(await receive(over, request(to))).toMatchObject({ reason, failure: null });
    expect(await receive(over, request(to, { path: "/cut" }))).toMatchObject({ reason });
  });

  it("keeps a body's coding and bytes", async () => {
    const body = Buffer.from([0x1f, 0x8b, 0, 255, 13, 10]);
    const to = await upstream({ handler: () => ({ headers: ["Content-Encoding", "gzip"], body }) });
    const answer = await receive(transport(), request(to));
    expect(answer.body).toEqual(body);
    expect(answer.headers).toContain("Content-Encoding");
  });

  it("passes trailers on with their case and duplicates", async () => {
    const to = await upstream({
      handler: () => ({
        headers: ["Transfer-Encoding", "chunked"],
        body: ["a", "b"],
        trailers: ["X-T", "1", "x-t", "2"],
      }),
    });
    const answer = await receive(transport(), request(to));
    expect(ascii(answer.body)).toBe("ab");
    expect(answer.trailers).toEqual(["X-T", "1", "x-t", "2"]);
  });

  it.each([
    ["a 103", "HTTP/1.1 103 Early\r\nLink: x\r\n\r\n"],
    ["a 100 nobody asked for", "HTTP/1.1 100 Continue\r\n\r\n"],
    [
      "several",
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Wait\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n",
    ],
  ])("waits for the answer behind interim ones: %s", async (_what, interim) => {
    const raw = `${interim}HTTP/1.1 200 Fine\r\nContent-Length: 2\r\n\r\nok`;
    const to = await upstream({ handler: () => ({ raw }) });
    let heads = 0;
    const answer = await receive(transport(), request(to), { head: () => heads++ });
    expect(answer).toMatchObject({ status: 200, reason: "Fine", headers: ["Content-Length", "2"] });
    expect(heads).toBe(1);
  });

  it.each([
    ["HEAD", 200, ["Content-Length", "42"]],
    ["GET", 304, ["ETag", "x", "Content-Length", "42"]],
    ["GET", 204, ["X", "1"]],
  ])("takes %s %i for complete without a body", async (method, status, headers) => {
    const to = await upstream({ handler: () => ({ status, headers }) });
    const answer = await receive(transport(), request(to, { method }));
    expect(answer).toMatchObject({ status, headers, failure: null });
    expect(answer.body).toHaveLength(0);
  });

  it("reads a body that ends with the connection", async () => {
    const to = await upstream({
      handler: () => ({ raw: "HTTP/1.0 200 OK\r\n\r\nall", close: true }),
    });
    expect(ascii((await receive(transport(), request(to))).body)).toBe("all");
  });

  it("takes a head of 40 KB", async () => {
    const to = await upstream({ handler: () => ({ headers: ["X", "y".repeat(40_000)] }) });
    expect((await receive(transport(), request(to))).headers[1]).toHaveLength(40_000);
  });
});

async function* inTwo(bytes: Buffer, at: number): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(0, at);
  await turns();
  yield bytes.subarray(at);
}

async function* withEmptyPiece(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("ab");
  yield new Uint8Array(0);
  yield Buffer.from("cde");
}
