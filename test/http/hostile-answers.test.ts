// Suite: slow
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ascii, freeAgain, receive, request, transport } from "../runtime/node/support.ts";
import { refusedChunks, refusedFields } from "./messages.ts";
import { rawUpstream } from "./raw-upstream.ts";
import { turns } from "../fixtures/turns.ts";
import { runs } from "../fixtures/runs.ts";

const hello = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
const evil = hello.replace("hello", "EVIL!");
const post = { method: "POST", body: Buffer.from("{}") };

describe("an answer that is not clear about where it ends", () => {
  it.each([
    ...refusedFields.map(([what, fields]) => [what, `HTTP/1.1 200 OK\r\n${fields}\r\nhello`]),
    ...refusedChunks.map(([what, body]) => [
      what,
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${body}`,
    ]),
    ["an upgrade", "HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"],
    ["a head without an end", `HTTP/1.1 200 OK\r\nX: ${"a".repeat(200_000)}`],
    ["no HTTP", "220 mail.example ESMTP\r\n\r\n"],
  ])("is broken, and its connection is closed: %s", async (_what, answer) => {
    const upstream = await rawUpstream((socket) => socket.write(answer + evil, "latin1"));
    const over = transport();
    const { failure, body } = await receive(over, request(upstream.origin, post));
    const detail = expect.stringMatching(/^not HTTP\/1\.1(: the header [\w-]+ cannot be read)?$/);
    expect(failure).toEqual({ kind: "broken", detail, sent: true });
    expect(ascii(body)).not.toContain("EVIL!");
    await expect.poll(() => upstream.sockets[0]?.destroyed).toBe(true);
    await receive(over, request(upstream.origin, post));
    expect(upstream.sockets).toHaveLength(2);
  });
});

describe("the log of an answer that cannot be read", () => {
  it.each([
    ["Content-Length", "Content-Length: 5, 5"],
    ["content-length", "X-A: 1\r\nContent-Length: 5\r\ncontent-length: 5"],
    ["Content-Type", "Content-Length: 5\r\nContent-Type : application/json"],
    ["Transfer-Encoding", "Content-Length: 5\r\nTransfer-Encoding: chunked"],
  ])("names the header %s", async (name, fields) => {
    const answer = `HTTP/1.1 200 OK\r\n${fields}\r\n\r\nhello`;
    const upstream = await rawUpstream((socket) => socket.write(answer, "latin1"));
    const { failure } = await receive(transport(), request(upstream.origin, post));
    expect(failure?.detail).toBe(`not HTTP/1.1: the header ${name} cannot be read`);
  });

  it("names none where the first line is no HTTP", async () => {
    const upstream = await rawUpstream((socket) => socket.write("Server: mail\r\n\r\n"));
    const { failure } = await receive(transport(), request(upstream.origin, post));
    expect(failure?.detail).toBe("not HTTP/1.1");
  });
});

describe("a connection is used once", () => {
  it.each([
    ["more bytes than the answer has", `${hello}x`],
    ["a second answer in the same piece", hello + evil],
    ["Connection: close", hello.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")],
    ["HTTP/1.0", hello.replace("1.1", "1.0")],
    ["Keep-Alive: timeout=1", hello.replace("\r\n\r\n", "\r\nKeep-Alive: timeout=1\r\n\r\n")],
  ])("after %s", async (_what, answer) => {
    const upstream = await rawUpstream((socket) => socket.write(answer));
    const over = transport();
    for (let i = 0; i < 2; i++) {
      const { body, failure } = await receive(over, request(upstream.origin, post));
      expect([ascii(body), failure]).toEqual(["hello", null]);
      await freeAgain();
    }
    expect(upstream.sockets).toHaveLength(2);
  });

  it.each([
    ["204", "Content-Length: 43"],
    ["204", "Transfer-Encoding: chunked"],
    ["304", "content-length: 43"],
    ["304", "Transfer-Encoding: chunked"],
  ])("after a %s that announces a body: %s", async (status, field) => {
    const upstream = await rawUpstream((socket, _said, connection) => {
      // The body, which looks like an answer, comes with the next request at the earliest.
      socket.write(connection === 0 ? `HTTP/1.1 ${status} X\r\n${field}\r\n\r\n` : hello);
    });
    const over = transport();
    expect((await receive(over, request(upstream.origin, post))).status).toBe(Number(status));
    await freeAgain();
    expect(ascii((await receive(over, request(upstream.origin, post))).body)).toBe("hello");
    expect(upstream.sockets).toHaveLength(2);
  });

  it("but serves again after one that announces none, as to a preflight", async () => {
    const upstream = await rawUpstream((socket) =>
      socket.write("HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n"),
    );
    const over = transport();
    for (let i = 0; i < 2; i++) {
      expect((await receive(over, request(upstream.origin, post))).status).toBe(204);
      await freeAgain();
    }
    expect(upstream.sockets).toHaveLength(1);
  });

  it("when an answer comes later that nobody asked for, and it reaches nobody", async () => {
    const upstream = await rawUpstream((socket, _said, connection) => {
      socket.write(hello);
      if (connection === 0) void turns().then(() => socket.write(evil));
    });
    const over = transport();
    await receive(over, request(upstream.origin, post));
    await expect.poll(() => upstream.sockets[0]?.destroyed).toBe(true);
    expect(ascii((await receive(over, request(upstream.origin, post))).body)).toBe("hello");
    expect(upstream.sockets).toHaveLength(2);
  });
});

it("answers cut anywhere are the same answers, on one connection", async () => {
  const answer =
    "HTTP/1.1 200 Sch\xf6n\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\nT: 1\r\n\r\n";
  let cuts: readonly number[] = [];
  const upstream = await rawUpstream((socket) => {
    const ends = [0, ...cuts.toSorted((a, b) => a - b), answer.length];
    const pieces = ends.slice(1).map((end, i) => answer.slice(ends[i], end));
    const writeNext = (): void => {
      const piece = pieces.shift();
      if (piece === undefined) return;
      socket.write(piece, "latin1");
      setImmediate(writeNext);
    };
    writeNext();
  });
  const over = transport();
  const places = fc.array(fc.integer({ min: 1, max: answer.length - 1 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(places, async (chosen) => {
      cuts = chosen;
      const got = await receive(over, request(upstream.origin, post));
      expect([got.status, got.reason, ascii(got.body), got.trailers, got.failure]).toEqual([
        200,
        "Sch\xf6n",
        "hello world",
        ["T", "1"],
        null,
      ]);
      await freeAgain();
    }),
    { numRuns: runs(100) },
  );
  expect(upstream.sockets).toHaveLength(1);
});
