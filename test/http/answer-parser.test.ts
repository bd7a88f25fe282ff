import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { AnswerParser } from "../../src/http/answer-parser.ts";
import { loadLlhttp } from "../../src/http/llhttp.ts";
import { feed, refusedChunks, refusedFields } from "./messages.ts";

const llhttp = loadLlhttp();

describe("the parser of answers", () => {
  it("keeps names, values and the reason phrase byte for byte, in their order", () => {
    const read = readAll([
      "HTTP/1.1 200 Sch\xf6n\r\nX-B: \xe9 1\r\nx-a:2\r\nX-Empty:\r\nX-B: 3\r\n\r\n",
    ]);
    expect(read.parser.reason).toBe("Sch\xf6n");
    expect(read.parser.headers).toEqual(["X-B", "\xe9 1", "x-a", "2", "X-Empty", "", "X-B", "3"]);
  });

  it("reads on a processor without SIMD too", () => {
    const modules = vi.spyOn(WebAssembly, "Module").mockImplementationOnce(function () {
      throw new WebAssembly.CompileError("no SIMD");
    });
    onTestFinished(() => modules.mockRestore());
    const parser = new AnswerParser(loadLlhttp());
    expect(modules).toHaveBeenCalledTimes(2);
    parser.expect(false);
    expect(parser.read(Buffer.from("HTTP/1.1 204 Nothing\r\nA: 1\r\n\r\n"))).toBe("complete");
    expect([parser.status, parser.headers]).toEqual([204, ["A", "1"]]);
  });

  it("gives the same answer wherever its bytes are cut", () => {
    const bytes =
      "HTTP/1.1 103 Early\r\nLink: </a>\r\n\r\nHTTP/1.1 200 All right\r\nEmpty:\r\nA: 1\r\nTransfer-Encoding: chunked\r\n\r\n" +
      "5\r\nhello\r\n6;x=y\r\n world\r\n0\r\nT: v\r\nU:\r\n\r\n";
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: bytes.length }), { maxLength: 8 }), (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const parts = places.slice(1).map((place, i) => bytes.slice(places[i], place));
        const { progress, body, parser } = readAll(parts.filter((part) => part !== ""));
        expect([progress, body, parser.status, parser.reason]).toEqual([
          "complete",
          "hello world",
          200,
          "All right",
        ]);
        expect(parser.headers).toEqual(["Empty", "", "A", "1", "Transfer-Encoding", "chunked"]);
        expect(parser.trailers).toEqual(["T", "v", "U", ""]);
      }),
    );
    const { progress, body } = readAll(bytes.split(""));
    expect([progress, body]).toEqual(["complete", "hello world"]);
  });

  it.each<readonly [string, string]>([
    ...refusedFields,
    ["a negative length", "Content-Length: -5\r\n"],
  ])("refuses %s", (_, fields) => {
    const { progress } = readAll([`HTTP/1.1 200 OK\r\n${fields}\r\n5\r\nhello\r\n0\r\n\r\n`]);
    expect(progress).toBe("broken");
  });

  it.each<readonly [string, string]>([
    ["no HTTP", "SSH-2.0-server\r\n\r\n"],
    ["HTTP/2", "HTTP/2.0 200 OK\r\n\r\n"],
    ["a status of two digits", "HTTP/1.1 20 OK\r\n\r\n"],
    ["a status of four digits", "HTTP/1.1 2000 OK\r\n\r\n"],
    ["a request", "GET / HTTP/1.1\r\n\r\n"],
    [
      "an upgrade that nobody asked for",
      "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
    ],
    ...refusedChunks.map(([what, body]) => [what, chunked(body)] as const),
  ])("refuses %s", (_, bytes) => {
    expect(readAll([bytes]).progress).toBe("broken");
  });

  it("refuses a head of more than 64 KiB, in one field or in many", () => {
    const long = `HTTP/1.1 200 OK\r\nX: ${"a".repeat(70_000)}\r\n\r\n`;
    const many = `HTTP/1.1 200 OK\r\n${"X: a\r\n".repeat(20_000)}\r\n`;
    for (const bytes of [long, many]) {
      const parts = [bytes.slice(0, 60_000), bytes.slice(60_000)];
      expect(readAll(parts).progress).toBe("broken");
    }
  });

  it("knows that no body follows a HEAD, a 204 and a 304", () => {
    const head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n";
    expect(readAll([head], true).progress).toBe("complete");
    expect(readAll([head]).progress).toBe("more");
    for (const status of [204, 304]) {
      const bytes = `HTTP/1.1 ${status} X\r\nContent-Length: 5\r\n\r\n`;
      expect(readAll([bytes]).progress).toBe("complete");
    }
  });

  it("separates an answer from the bytes after it", () => {
    const answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    const { parser, progress, body } = readAll([`${answer}HTTP/1.1 200 OK\r\n`]);
    expect([progress, body, parser.used]).toEqual(["complete", "hello", answer.length]);
  });

  it("takes a body without a length until the connection ends, and no other", () => {
    const open = readAll(["HTTP/1.1 200 OK\r\n\r\nhello"]);
    expect([open.progress, open.body, open.parser.keepAlive]).toEqual(["more", "hello", false]);
    expect(open.parser.finish()).toBe(true);
    for (const bytes of [
      "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello",
      chunked("5\r\nhello\r\n"),
      "HTTP/1.1 200 OK\r\nX: 1\r\n",
      "",
    ]) {
      expect(readAll(bytes === "" ? [] : [bytes]).parser.finish()).toBe(false);
    }
  });

  it("reads one answer after the other on the same connection", () => {
    const { parser } = readAll(["HTTP/1.1 200 OK\r\nContent-Length: 1\r\nA: 1\r\n\r\na"]);
    parser.next();
    parser.expect(false);
    const second = Buffer.from("HTTP/1.0 404 No\r\nContent-Length: 0\r\n\r\n");
    expect(parser.read(second)).toBe("complete");
    expect([parser.status, parser.reason, parser.headers, parser.keepAlive]).toEqual([
      404,
      "No",
      ["Content-Length", "0"],
      false,
    ]);
  });
});

function chunked(body: string): string {
  return `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${body}`;
}

function readAll(parts: readonly string[], bodiless = false) {
  const parser = new AnswerParser(llhttp);
  parser.expect(bodiless);
  return { parser, ...feed(parser, parts) };
}
