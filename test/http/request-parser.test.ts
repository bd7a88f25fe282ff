import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadLlhttp } from "../../src/http/llhttp.ts";
import { RequestParser } from "../../src/http/request-parser.ts";
import { feed, refusedChunks, refusedFields } from "./messages.ts";

const llhttp = loadLlhttp();

describe("the parser of requests", () => {
  it("keeps method, target, names and values byte for byte, in their order", () => {
    const { parser } = readAll([
      "PROPFIND /a/../%2e?q=\\ HTTP/1.1\r\nX-B: \xe9 1\r\nx-a:2\r\nX-Empty:\r\nX-B: 3\r\n\r\n",
    ]);
    expect([parser.method, parser.target, parser.current]).toEqual([
      "PROPFIND",
      "/a/../%2e?q=\\",
      true,
    ]);
    expect(parser.headers).toEqual(["X-B", "\xe9 1", "x-a", "2", "X-Empty", "", "X-B", "3"]);
  });

  it("gives the same request wherever its bytes are cut", () => {
    const bytes =
      "\r\nPOST http://b.example/x HTTP/1.1\r\nEmpty:\r\nA: 1\r\nTransfer-Encoding: chunked\r\n\r\n" +
      "5\r\nhello\r\n6;x=y\r\n world\r\n0\r\nT: v\r\nU:\r\n\r\n";
    const expectWhole = ({ progress, body, parser }: ReturnType<typeof readAll>): void => {
      expect([progress, body, parser.method, parser.target]).toEqual([
        "complete",
        "hello world",
        "POST",
        "http://b.example/x",
      ]);
      expect(parser.headers).toEqual(["Empty", "", "A", "1", "Transfer-Encoding", "chunked"]);
      expect(parser.trailers).toEqual(["T", "v", "U", ""]);
    };
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: bytes.length }), { maxLength: 8 }), (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const parts = places.slice(1).map((place, i) => bytes.slice(places[i], place));
        expectWhole(readAll(parts.filter((part) => part !== "")));
      }),
    );
    expectWhole(readAll(bytes.split("")));
  });

  it.each<readonly [string, string]>([
    ...refusedFields,
    ["a coding after chunks", "Transfer-Encoding: chunked, gzip\r\n"],
    ["a coding without chunks", "Transfer-Encoding: gzip\r\n"],
  ])("refuses %s", (_, fields) => {
    const { progress } = readAll([`POST / HTTP/1.1\r\n${fields}\r\n5\r\nhello\r\n0\r\n\r\n`]);
    expect(progress).toBe("broken");
  });

  it.each<readonly [string, string]>([
    ["no HTTP", "hello\r\n\r\n"],
    ["an answer", "HTTP/1.1 200 OK\r\n\r\n"],
    ["HTTP/0.9", "GET /\r\n\r\n"],
    ["HTTP/2", "GET / HTTP/2.0\r\n\r\n"],
    ["HTTP/2 without asking", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["a method in small letters", "get / HTTP/1.1\r\n\r\n"],
    ["a target that is none", "GET nonsense HTTP/1.1\r\n\r\n"],
    ["no target", "GET HTTP/1.1\r\n\r\n"],
    ["a byte beyond ASCII in the target", "GET /\xe9 HTTP/1.1\r\n\r\n"],
    ["a zero byte in the target", "GET /\0 HTTP/1.1\r\n\r\n"],
    ...refusedChunks.map(([what, body]) => [what, chunked(body)] as const),
  ])("refuses %s", (_, bytes) => {
    expect(readAll([bytes]).progress).toBe("broken");
  });

  it.each([
    ["target", `GET /${"a".repeat(40_000)} HTTP/1.1\r\n\r\n`],
    ["field", `GET / HTTP/1.1\r\nX: ${"a".repeat(40_000)}\r\n\r\n`],
    ["name", `GET / HTTP/1.1\r\n${"a".repeat(40_000)}: a\r\n\r\n`],
    ["number of fields", `GET / HTTP/1.1\r\n${"X: a\r\n".repeat(10_000)}\r\n`],
    ["trailer", chunked(`0\r\nX: ${"a".repeat(40_000)}\r\n\r\n`)],
  ])("refuses more than 32 KiB of it, and says why: %s", (_, bytes) => {
    const { progress, parser } = readAll([bytes.slice(0, 20_000), bytes.slice(20_000)]);
    expect([progress, parser.tooLarge]).toEqual(["broken", true]);
  });

  it.each([
    ["HTTP/1.1", "HTTP/1.1", "", true],
    ["HTTP/1.1 that closes", "HTTP/1.1", "Connection: close\r\n", false],
    ["HTTP/1.0", "HTTP/1.0", "", false],
    ["HTTP/1.0 that goes on", "HTTP/1.0", "Connection: keep-alive\r\n", true],
  ])("knows whether the connection goes on: %s", (_, version, fields, keepAlive) => {
    const { parser, progress } = readAll([`GET / ${version}\r\n${fields}\r\n`]);
    expect([progress, parser.keepAlive]).toEqual(["complete", keepAlive]);
  });

  it.each([
    ["an upgrade", "GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n", ""],
    [
      "an upgrade with a body",
      "POST / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: x\r\nContent-Length: 3\r\n\r\nabc",
      "abc",
    ],
    ["a tunnel", "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n", ""],
  ])("takes %s for a request that ends where it ends", (_, bytes, body) => {
    const read = readAll([`${bytes}\x00rest`]);
    expect([read.progress, read.body, read.parser.upgrade, read.parser.used]).toEqual([
      "complete",
      body,
      true,
      bytes.length,
    ]);
  });

  it("reads one request after the other, out of the same bytes", () => {
    const first = "POST /1 HTTP/1.1\r\nContent-Length: 1\r\nA: 1\r\n\r\na";
    const { parser } = readAll([`${first}GET /2 HTTP/1.1\r\n\r\n`]);
    expect([parser.target, parser.used]).toEqual(["/1", first.length]);
    parser.next();
    expect(parser.read(Buffer.from("GET /2 HTTP/1.1\r\n\r\n"))).toBe("complete");
    expect([parser.method, parser.target, parser.headers, parser.trailers]).toEqual([
      "GET",
      "/2",
      [],
      [],
    ]);
  });
});

function chunked(body: string): string {
  return `POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n${body}`;
}

function readAll(parts: readonly string[]) {
  const parser = new RequestParser(llhttp);
  parser.next();
  return { parser, ...feed(parser, parts) };
}
