import { describe, expect, it } from "vitest";
import { receive, request, transport } from "../runtime/node/support.ts";
import { rawUpstream } from "./raw-upstream.ts";

const hello = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
const hidden = "GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n";

describe("a request that could hide another", () => {
  it.each([
    ["a value that ends its line", { headers: ["Host", "a", "X", `a\r\n\r\n${hidden}`] }],
    ["a value with a line feed", { headers: ["Host", "a", "X", "a\nY: b"] }],
    ["a value with a carriage return", { headers: ["Host", "a", "X", "a\rY: b"] }],
    ["a value with a zero byte", { headers: ["Host", "a", "X", "a\0"] }],
    ["a value beyond one byte", { headers: ["Host", "a", "X", "\u010d\u010a"] }],
    ["a name that ends its line", { headers: ["Host", "a", "X: a\r\nY", "b"] }],
    ["a name with a blank", { headers: ["Host", "a", "Content-Length ", "5"] }],
    ["a name of no bytes", { headers: ["Host", "a", "", "5"] }],
    ["a Host that ends its line", { headers: ["Host", `a\r\n\r\n${hidden}`] }],
    ["a path that ends its line", { path: `/ HTTP/1.1\r\nHost: a\r\n\r\n${hidden}` }],
    ["a path with a blank", { path: "/a HTTP/1.1" }],
    ["a path with a byte beyond one", { path: "/\u010d\u010a" }],
    ["a path in authority-form", { path: "a.example:443" }],
    ["a method with a blank", { method: "GET /hidden HTTP/1.1\r\nX: " }],
    ["a tunnel", { method: "CONNECT" }],
  ])("is not sent at all: %s", async (_what, bad) => {
    const upstream = await rawUpstream((socket) => socket.write(hello));
    const over = transport();
    const got = await receive(over, request(upstream.origin, bad));
    expect(got.failure).toMatchObject({ kind: "unreachable", sent: false });
    expect(upstream.sockets).toEqual([]);
  });
});

describe("the framing of a request is ours alone", () => {
  const framing = [
    ["Content-Length", "0"],
    ["content-length", "99"],
    ["Transfer-Encoding", "chunked"],
    ["Transfer-Encoding", "identity"],
    ["Connection", "close, Content-Length"],
    ["Keep-Alive", "timeout=5"],
    ["Expect", "100-continue"],
    ["Upgrade", "h2c"],
    ["Host", "b.example"],
  ].flat();

  it.each([
    ["a body", "POST", Buffer.from("hello"), "content-length: 5\r\n\r\nhello"],
    ["a body of no bytes", "POST", Buffer.alloc(0), "content-length: 0\r\n\r\n"],
    ["no body where one is expected", "POST", null, "content-length: 0\r\n\r\n"],
    ["no body", "GET", null, "\r\n"],
  ])("with %s, whatever fields it is given", async (_what, method, body, end) => {
    const upstream = await rawUpstream((socket) => socket.write(hello));
    const headers = ["Host", "a.example", "X", "1", ...framing];
    const got = await receive(transport(), request(upstream.origin, { method, body, headers }));
    expect(got.failure).toBeNull();
    expect(upstream.received).toEqual([
      `${method} / HTTP/1.1\r\nHost: a.example\r\nX: 1\r\n${end}`,
    ]);
  });

  it("with a body in pieces: chunks, or the length where it is a number", async () => {
    const upstream = await rawUpstream((socket, text) => {
      if (text.endsWith("0\r\n\r\n") || text.endsWith("hello")) socket.write(hello);
    });
    const bodies = [];
    for (const length of ["5", "+5", "5, 5", "0x5", "5\t"]) {
      const headers = ["Host", "a", "Transfer-Encoding", "chunked", "Content-Length", length];
      const sent = { method: "POST", headers, body: pieces("he", "", "llo") };
      const got = await receive(transport(), request(upstream.origin, sent));
      expect(got.failure).toBeNull();
      bodies.push(upstream.received.at(-1)?.replace(/^.*Host: a\r\n/s, ""));
    }
    const chunks = "transfer-encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n";
    expect(bodies).toEqual(["content-length: 5\r\n\r\nhello", chunks, chunks, chunks, chunks]);
  });
});

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}
