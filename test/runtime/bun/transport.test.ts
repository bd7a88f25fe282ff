import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createServer as createTlsServer } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testCertificates } from "../node/certificates.ts";
import { type Carrier, rawUpstream, startCarrier } from "./carrier.ts";

const { caFile, key, cert } = testCertificates();
const hello = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

describe("the connections of Bun's transport", () => {
  let carrier: Carrier;
  beforeAll(() => {
    carrier = startCarrier({ NODE_EXTRA_CA_CERTS: caFile });
  });
  afterAll(() => carrier.stop());

  it("send head and body as given, without the fields of framing, and add only the length", async () => {
    const upstream = await rawUpstream((socket) => socket.write(hello));
    const outcome = await carrier.carry(upstream.origin, {
      headers: ["Host", "a.example", "X-Case", "\xe9", "x-dup", "1", "X-Dup", "2"].concat([
        ...["Connection", "close", "Transfer-Encoding", "chunked", "Content-Length", "99"],
        ...["Expect", "100-continue", "Host", "b.example"],
      ]),
      path: "/v1/x?a=%20b",
    });
    expect(outcome).toMatchObject({ body: "hello", trailers: [], failure: null });
    expect(upstream.said).toEqual([
      "POST /v1/x?a=%20b HTTP/1.1\r\nHost: a.example\r\nX-Case: \xe9\r\nx-dup: 1\r\nX-Dup: 2\r\ncontent-length: 2\r\n\r\n{}",
    ]);
  });

  it.each([
    ["a value that would end its line", ["X-Split", "a\r\nX-Evil: 1"]],
    ["a name that is none", ["X Y", "1"]],
  ])("leave %s to fetch, which does without", async (_what, bad) => {
    const upstream = await rawUpstream((socket) => socket.write(hello));
    const headers = ["Host", "a.example", "X-Good", "1", ...bad];
    expect(await carrier.carry(upstream.origin, { headers })).toMatchObject({ body: "hello" });
    expect(upstream.said[0]).toMatch(/^POST .*\r\nX-Good: 1\r\n/is);
    expect(upstream.said[0]).not.toMatch(/evil|X Y/i);
  });

  it("are used again, one request at a time", async () => {
    let together = 1;
    const waiting: Socket[] = [];
    const upstream = await rawUpstream((socket) => {
      waiting.push(socket);
      if (waiting.length < together) return;
      for (const each of waiting.splice(0)) each.write(hello);
    });
    for (let i = 0; i < 3; i++) await carrier.carry(upstream.origin);
    await sleep(120);
    await carrier.carry(upstream.origin);
    expect(upstream.sockets).toHaveLength(1);
    together = 3;
    await Promise.all([1, 2, 3].map(() => carrier.carry(upstream.origin)));
    expect(upstream.sockets).toHaveLength(3);
  });

  it.each([
    ["more bytes than the answer has", `${hello}x`],
    ["a second answer in the same piece", hello + hello],
    ["Connection: close", hello.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")],
    ["HTTP/1.0", hello.replace("1.1", "1.0")],
    ["Keep-Alive: timeout=1", hello.replace("\r\n\r\n", "\r\nKeep-Alive: timeout=1\r\n\r\n")],
  ])("are not used again after %s", async (_, answer) => {
    const upstream = await rawUpstream((socket) => socket.write(answer));
    expect(await carrier.carry(upstream.origin)).toMatchObject({ body: "hello", failure: null });
    expect(await carrier.carry(upstream.origin)).toMatchObject({ body: "hello", failure: null });
    expect(upstream.sockets).toHaveLength(2);
  });

  it("are closed when an answer comes that nobody asked for, and it reaches nobody", async () => {
    const upstream = await rawUpstream((socket, _, connection) => {
      socket.write(hello);
      if (connection === 0) setTimeout(() => socket.write(hello.replace("hello", "EVIL!")), 30);
    });
    await carrier.carry(upstream.origin);
    await expect.poll(() => upstream.sockets[0]?.destroyed).toBe(true);
    expect(await carrier.carry(upstream.origin)).toMatchObject({ body: "hello" });
    expect(upstream.sockets).toHaveLength(2);
  });

  it("are opened anew when the upstream closed the unused one, without an error", async () => {
    const upstream = await rawUpstream((socket) => {
      socket.write(hello);
      setTimeout(() => socket.end(), 20);
    });
    for (let i = 0; i < 3; i++) {
      expect(await carrier.carry(upstream.origin)).toMatchObject({ body: "hello", failure: null });
      await sleep(200);
    }
    expect(upstream.sockets).toHaveLength(3);
  });

  it("are closed after four seconds without use", async () => {
    const upstream = await rawUpstream((socket) => socket.write(hello));
    await carrier.carry(upstream.origin);
    await expect.poll(() => upstream.sockets[0]?.destroyed).toBe(true);
  });

  it("never send a request twice, however they end", async () => {
    const upstream = await rawUpstream((socket) => socket.destroy());
    const outcome = await carrier.carry(upstream.origin);
    expect(outcome.failure).toMatchObject({ kind: "broken", sent: true });
    await sleep(50);
    expect(upstream.said).toHaveLength(1);
  });

  it.each([
    ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello"],
    [
      "a length and chunks",
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nhello",
    ],
    ["a folded field", "HTTP/1.1 200 OK\r\nA: 1\r\n b\r\nContent-Length: 5\r\n\r\nhello"],
    ["no HTTP", "220 mail.example ESMTP\r\n\r\n"],
    ["an upgrade", "HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"],
    ["a head without an end", `HTTP/1.1 200 OK\r\nX: ${"a".repeat(200_000)}`],
  ])("tell %s from an answer, and close", async (_, answer) => {
    const upstream = await rawUpstream((socket) => socket.write(answer, "latin1"));
    const { head, body, failure } = await carrier.carry(upstream.origin);
    expect({ head, body }).toEqual({ head: null, body: "" });
    expect(failure).toMatchObject({ kind: "broken", detail: "not HTTP/1.1", sent: true });
    await expect.poll(() => upstream.sockets[0]?.destroyed).toBe(true);
  });

  it("tell an answer that breaks off from a whole one", async () => {
    for (const start of [
      "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello",
      "HTTP/1.1 200 OK\r\nA: ",
    ]) {
      const upstream = await rawUpstream((socket) => socket.end(start));
      const { trailers, failure } = await carrier.carry(upstream.origin);
      expect({ trailers, failure }).toMatchObject({ trailers: null, failure: { kind: "broken" } });
    }
  });

  it("take an answer without a length to its end, and interim answers for nothing", async () => {
    const upstream = await rawUpstream((socket) => {
      socket.write("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nA: b\r\n\r\n");
      socket.end("HTTP/1.1 200 Sch\xf6n\r\nX: \xe9\r\n\r\nhello", "latin1");
    });
    expect(await carrier.carry(upstream.origin)).toEqual({
      head: { status: 200, reason: "Sch\xf6n", headers: ["X", "\xe9"] },
      body: "hello",
      trailers: [],
      failure: null,
    });
  });

  it("bring chunks and trailers, wherever they are cut", async () => {
    const answer =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\nT: 1\r\n\r\n";
    const upstream = await rawUpstream((socket) => void drip(socket, answer));
    for (let i = 0; i < 2; i++) {
      expect(await carrier.carry(upstream.origin)).toMatchObject({
        body: "hello world",
        trailers: ["T", "1"],
      });
    }
    expect(upstream.sockets).toHaveLength(1);
  });

  it("expect no body after HEAD", async () => {
    const upstream = await rawUpstream((socket) =>
      socket.write(hello.replace("\r\n\r\nhello", "\r\n\r\n")),
    );
    for (let i = 0; i < 2; i++) {
      expect(await carrier.carry(upstream.origin, { method: "HEAD", body: null })).toMatchObject({
        body: "",
        failure: null,
      });
    }
    expect(upstream.sockets).toHaveLength(2);
    expect(upstream.said[0]).not.toContain("content-length");
  });

  it("hold a large answer back while nobody reads, and bring all of it to its end", async () => {
    const size = 20_000_000;
    let taken = 0;
    const upstream = await rawUpstream((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\nConnection: close\r\n\r\n`);
      socket.end(Buffer.alloc(size, "x"));
    });
    const beforeBody = async (): Promise<void> => {
      const socket = upstream.sockets[0];
      // By then a sender that is not held back has long written all of it.
      await sleep(400);
      taken = (socket?.bytesWritten ?? size) - (socket?.writableLength ?? 0);
    };
    const outcome = await carrier.carry(upstream.origin, { beforeBody });
    expect(outcome.failure).toBeNull();
    expect(outcome.body.length).toBe(size);
    expect(taken).toBeLessThan(size);
  });

  it("send a large request whole, however slowly it is taken", async () => {
    const body = "y".repeat(8_000_000);
    const upstream = await rawUpstream((socket, said) => {
      socket.pause();
      setTimeout(() => socket.resume(), 1);
      if (said.endsWith(body)) socket.write(hello);
    });
    expect(await carrier.carry(upstream.origin, { body })).toMatchObject({ body: "hello" });
  });

  it("send a body that comes in pieces, measured or in chunks", async () => {
    const upstream = await rawUpstream((socket, said) => {
      if (said.endsWith("0\r\n\r\n") || said.endsWith("abc")) socket.write(hello);
    });
    const pieces = ["a", "bc"];
    const measured = ["Host", "a", "Content-Length", "3"];
    for (const headers of [["Host", "a"], measured]) {
      expect(
        await carrier.carry(upstream.origin, { path: "/v1/x", pieces, headers }),
      ).toMatchObject({
        body: "hello",
        failure: null,
      });
    }
    expect(upstream.said.join("")).toBe(
      "POST /v1/x HTTP/1.1\r\nHost: a\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n2\r\nbc\r\n0\r\n\r\n" +
        "POST /v1/x HTTP/1.1\r\nHost: a\r\ncontent-length: 3\r\n\r\nabc",
    );
    const large = Array.from({ length: 200 }, () => "x".repeat(50_000));
    const slow = await rawUpstream((socket, said) => {
      if (said.endsWith("0\r\n\r\n")) socket.write(hello);
    });
    expect(await carrier.carry(slow.origin, { pieces: large })).toMatchObject({ body: "hello" });
    expect(slow.said.join("").length).toBeGreaterThan(10_000_000);
  });

  it("are closed when the request is cancelled, before the head and within the body", async () => {
    for (const start of ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"]) {
      const upstream = await rawUpstream((socket) => void (start === "" || socket.write(start)));
      const outcome = await carrier.carry(upstream.origin, { cancelAfter: 100 });
      expect(outcome).toMatchObject({ cancelled: true, failure: null });
      await expect.poll(() => upstream.sockets[0]?.destroyed).toBe(true);
    }
  });

  it("are closed when a time is up: for the head, between bytes, for the whole", async () => {
    const upstream = await rawUpstream((socket, said) => {
      if (said.includes("/silent")) return;
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello");
    });
    const failures = [];
    for (const order of [
      { path: "/silent", timeouts: { connect: 50, headers: 50 } },
      { timeouts: { idle: 100 } },
      { timeouts: { total: 100 } },
    ]) {
      failures.push((await carrier.carry(upstream.origin, order)).failure?.detail);
    }
    expect(failures).toEqual(["headers timeout", "idle timeout", "total timeout"]);
    await expect.poll(() => upstream.sockets.every(({ destroyed }) => destroyed)).toBe(true);
  });

  it("say when there is none, and that nothing has been sent", async () => {
    const { failure } = await carrier.carry("http://127.0.0.1:1");
    expect(failure).toEqual({ kind: "unreachable", detail: "ECONNREFUSED", sent: false });
  });

  it("never lead to an address that is not public, unless it is named in the configuration", async () => {
    const upstream = await rawUpstream((socket) => socket.write(hello));
    const { failure } = await carrier.carry(upstream.origin, { trusted: false });
    expect(failure).toMatchObject({ kind: "refused", sent: false });
    expect(upstream.sockets).toHaveLength(0);
  });

  it("leave everything to fetch where a proxy is set", async () => {
    const proxy = await rawUpstream((socket) => socket.write(hello));
    const behind = startCarrier({ HTTP_PROXY: proxy.origin });
    const outcome = await behind.carry("http://upstream.example", { path: "/a" });
    behind.stop();
    expect(outcome).toMatchObject({ body: "hello", failure: null });
    expect(proxy.said[0]).toMatch(/^POST http:\/\/upstream\.example\/a HTTP\/1\.1\r\n/);
  });

  describe("with TLS", () => {
    const secured = (names: string[] = [], host = "127.0.0.1") =>
      rawUpstream(
        (socket) => socket.write(hello),
        (each) => {
          const server = createTlsServer({ key, cert, ALPNProtocols: ["http/1.1"] }, (socket) => {
            names.push(`${socket.servername} ${socket.alpnProtocol}`);
            each(socket);
          });
          server.on("tlsClientError", () => undefined);
          return server;
        },
        host,
      );
    const at = (origin: string, host: string) =>
      origin.replace(/^http:..[\d.]+/, `https://${host}`);

    it("ask for the host by its name, and are used again", async () => {
      const names: string[] = [];
      const upstream = await secured(names);
      for (let i = 0; i < 2; i++) {
        expect(await carrier.carry(at(upstream.origin, "localhost"))).toMatchObject({
          body: "hello",
        });
      }
      expect(names).toEqual(["localhost http/1.1"]);
    });

    it("check the certificate against an address that has no name", async () => {
      const upstream = await secured();
      expect(await carrier.carry(at(upstream.origin, "127.0.0.1"))).toMatchObject({
        body: "hello",
      });
    });

    it("send nothing to whom nobody vouches for, or who is another", async () => {
      const stranger = startCarrier();
      const upstream = await secured();
      const unknown = await stranger.carry(at(upstream.origin, "localhost"));
      stranger.stop();
      const another = await secured([], "127.0.0.2");
      const other = await carrier.carry(at(another.origin, "127.0.0.2"));
      expect([unknown.failure?.sent, other.failure?.sent]).toEqual([false, false]);
      expect([unknown.failure?.detail, other.failure?.detail]).toEqual([
        "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
        "ERR_TLS_CERT_ALTNAME_INVALID",
      ]);
      expect(upstream.said.concat(another.said).join("")).toBe("");
    });

    it("carry a large request and a large answer", async () => {
      const body = "z".repeat(3_000_000);
      const upstream = await rawUpstream(
        (socket, said) => {
          if (!said.endsWith(body)) return;
          socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
        },
        (each) => createTlsServer({ key, cert }, each),
      );
      const outcome = await carrier.carry(at(upstream.origin, "localhost"), {
        body,
        beforeBody: () => sleep(100),
      });
      expect(outcome.failure).toBeNull();
      expect(outcome.body === body).toBe(true);
    });
  });
});

async function drip(socket: { write(bytes: string): unknown }, text: string): Promise<void> {
  for (const char of text) {
    socket.write(char);
    await sleep(1);
  }
}
