import { describe, expect, it } from "vitest";
import type { Exchange } from "../../../../src/gateway/exchange/exchange.ts";
import { NodeReply } from "../../../../src/runtime/node/server/reply.ts";
import { rawConnect, rawRequest } from "../../../../src/testing/index.ts";
import { ascii, gate, serveExchanges } from "../support.ts";
import { turns } from "../../../fixtures/turns.ts";
import { streamBody } from "../../../fixtures/request-body.ts";

const get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

describe("a request", () => {
  it("arrives with its raw target and headers, and its peer", async () => {
    const seen: Exchange[] = [];
    const { port } = await serveExchanges((exchange) => {
      seen.push(exchange);
      exchange.reply.send(204, "No Content", [], null);
    });
    await rawRequest(
      port,
      "PATCH /%2e%2e//x?y#z HTTP/1.1\r\nhOST: a\r\nX-A: \xe9\r\nx-a:  2 \r\nX-A:\r\n\r\n",
    );
    expect(seen[0]).toMatchObject({
      method: "PATCH",
      target: "/%2e%2e//x?y#z",
      headers: ["hOST", "a", "X-A", "\u00e9", "x-a", "2", "X-A", ""],
      body: null,
      peer: { address: "127.0.0.1", encrypted: false, trusted: false },
    });
  });

  it("keeps header fields beyond the two thousandth", async () => {
    const { port } = await serveExchanges(({ headers, reply }) =>
      reply.send(200, "OK", ["X-Count", String(headers.length / 2)], null),
    );
    const answer = await rawRequest(
      port,
      `GET / HTTP/1.1\r\nHost: a\r\n${"a: b\r\n".repeat(2500)}\r\n`,
    );
    expect(answer.headers.slice(0, 2)).toEqual(["X-Count", "2501"]);
  });

  it.each([
    ["shorter than the limit", "abc", "3 3 all"],
    ["as long as the limit", "abcd", "4 4 all"],
    ["longer than the limit", "abcdefgh", "8 4 more"],
  ])("gives a first look at a body %s, and the rest after it", async (_what, body, expected) => {
    const port = await echo(4);
    const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n`;
    const answer = await rawRequest(port, head + body);
    expect([answer.headers[1], ascii(answer.body)]).toEqual([expected, body]);
  });

  it("does the same with chunks, wherever they are cut", async () => {
    const port = await echo(4);
    const connection = await rawConnect(port);
    connection.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
    connection.send("2\r\ndefghi\r\n".slice(0, 3));
    await turns();
    connection.send("de\r\n4\r\nfghi\r\n0\r\n\r\n");
    const answer = await connection.answer();
    expect([answer.headers[1], ascii(answer.body)]).toEqual(["? 4 more", "abcdefghi"]);
    connection.destroy();
  });

  it("streams a body as it comes", async () => {
    const first = gate();
    const { port } = await serveExchanges(async ({ body, reply }) => {
      const parts: string[] = [];
      for await (const chunk of streamBody(body)) {
        parts.push(ascii(chunk));
        first.open();
      }
      reply.send(200, "OK", [], Buffer.from(parts.join("|")));
    });
    const connection = await rawConnect(port);
    connection.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab");
    await first.opened;
    connection.send("cd");
    expect(ascii((await connection.answer()).body)).toBe("ab|cd");
    connection.destroy();
  });

  it.each(["peek", "rest"] as const)(
    "fails the reading of its `%s` when the client goes away in its middle",
    async (how) => {
      const failure = gate<unknown>();
      const begun = gate();
      const { port } = await serveExchanges(async ({ body }) => {
        begun.open();
        try {
          if (how === "peek") await body!.peek(100);
          else for await (const _ of streamBody(body));
          failure.open(null);
        } catch (error) {
          failure.open(error);
        }
      });
      const connection = await rawConnect(port);
      connection.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc");
      await begun.opened;
      connection.destroy();
      expect(await failure.opened).toMatchObject({ code: "client-gone" });
    },
  );

  it("may be answered before its body is read, and the connection goes on", async () => {
    const { port } = await serveExchanges(async ({ method, body, reply }) => {
      const rest = (await body?.peek(4))?.rest ?? [];
      let pieces = 0;
      for await (const _ of rest) if (++pieces === 2) break;
      reply.send(method === "POST" ? 413 : 200, "x", ["content-length", "0"], null);
    });
    const connection = await rawConnect(port);
    connection.send(
      `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\n${"x".repeat(300_000)}`,
    );
    expect((await connection.answer()).status).toBe(413);
    connection.send(get);
    expect((await connection.answer()).status).toBe(200);
    connection.destroy();
  });
});

describe("an answer", () => {
  it("has exactly the head it was given: no Date, no Connection, nothing", async () => {
    const { port } = await serveExchanges(({ reply }) =>
      reply.send(
        200,
        "D\u00e9j\u00e0",
        [
          "Set-Cookie",
          "a=\u00e9",
          "X-Odd",
          "1",
          "set-cookie",
          "b",
          "x-ODD",
          "2",
          "CONTENT-length",
          "2",
        ],
        Buffer.from("ok"),
      ),
    );
    const answer = await rawRequest(port, get);
    expect(ascii(answer.head)).toBe(
      "HTTP/1.1 200 D\u00e9j\u00e0\r\nSet-Cookie: a=\u00e9\r\nX-Odd: 1\r\nset-cookie: b\r\nx-ODD: 2\r\n" +
        "CONTENT-length: 2\r\n\r\n",
    );
    expect(ascii(answer.body)).toBe("ok");
  });

  it("keeps an empty reason, and Date and a status of its own", async () => {
    const { port } = await serveExchanges(({ reply }) =>
      reply.send(599, "", ["Date", "long ago", "content-length", "0"], null),
    );
    const answer = await rawRequest(port, get);
    expect(ascii(answer.head)).toBe("HTTP/1.1 599 \r\nDate: long ago\r\ncontent-length: 0\r\n\r\n");
  });

  it("arrives without what cannot be written, instead of not at all", async () => {
    const { port } = await serveExchanges(({ reply }) =>
      reply.send(
        404,
        "\u4e0d",
        ["X-A", "1", "X-Bad", "a\u0001b", "b\u00e4d", "x", "content-length", "2"],
        Buffer.from("ok"),
      ),
    );
    const answer = await rawRequest(port, get);
    expect(ascii(answer.head)).toBe(
      "HTTP/1.1 404 Not Found\r\nX-A: 1\r\ncontent-length: 2\r\n\r\n",
    );
  });

  it.each(["send", "head"] as const)(
    "that cannot be written at all closes the connection, and `%s` does not throw",
    async (how) => {
      const thrown: unknown[] = [];
      const { port } = await serveExchanges(({ reply }) => {
        try {
          if (how === "head") reply.head(99, "Odd", []);
          else reply.send(99, "Odd", [], Buffer.from("x"));
          reply.end();
        } catch (error) {
          thrown.push(error);
        }
      });
      const connection = await rawConnect(port);
      connection.send(get);
      await connection.closed();
      expect([connection.received(), thrown]).toEqual(["", []]);
    },
  );

  it("keeps its end when a trailer cannot be written", async () => {
    const { port } = await serveExchanges(({ reply }) => {
      reply.head(200, "OK", []);
      reply.end(["X-Bad", "a\u0001b", "X-T", "1"]);
    });
    const answer = await rawRequest(port, get);
    expect([answer.complete, answer.trailers]).toEqual([true, ["X-T", "1"]]);
  });

  it("leaves in one write, with head and body", async () => {
    let writes = 0;
    const { port } = await serveExchanges(({ reply }, _incoming, outgoing) => {
      const handle: unknown = Reflect.get(outgoing.socket ?? {}, "_handle");
      if (typeof handle !== "object" || handle === null) throw new Error("no handle");
      for (const name of ["writev", "writeBuffer", "writeLatin1String", "writeUtf8String"]) {
        const write: unknown = Reflect.get(handle, name);
        if (typeof write !== "function") continue;
        Reflect.set(handle, name, (...args: unknown[]): unknown => {
          writes++;
          return Reflect.apply(write, handle, args);
        });
      }
      reply.send(200, "OK", ["content-length", "1700"], Buffer.alloc(1700));
    });
    expect((await rawRequest(port, get)).body).toHaveLength(1700);
    expect(writes).toBe(1);
  });

  it("goes out in chunks with trailers when its length is not known", async () => {
    const { port } = await serveExchanges(({ reply }) => {
      reply.head(200, "OK", ["Trailer", "X-T"]);
      reply.write(Buffer.from("ab"));
      reply.write(Buffer.from("c"));
      reply.end(["X-T", "1", "x-t", "2"]);
    });
    const answer = await rawRequest(port, get);
    expect(answer.headers).toEqual(["Trailer", "X-T", "Transfer-Encoding", "chunked"]);
    expect([ascii(answer.body), answer.chunks]).toEqual(["abc", [2, 1]]);
    expect(answer.trailers).toEqual(["X-T", "1", "x-t", "2"]);
  });

  it.each([
    ["HEAD / HTTP/1.1", 200, ["Content-Length", "42"]],
    ["GET / HTTP/1.1", 204, ["X", "1"]],
    ["GET / HTTP/1.1", 304, ["ETag", "x", "Content-Length", "42"]],
    ["HEAD / HTTP/1.1", 200, ["X", "no length known"]],
  ])("has no body for %s %i, and its head stays as it is", async (line, status, headers) => {
    const { port } = await serveExchanges(({ reply }) => {
      reply.head(status, "x", headers);
      reply.end();
    });
    const connection = await rawConnect(port);
    for (let i = 0; i < 2; i++) {
      connection.send(`${line}\r\nHost: a\r\n\r\n`);
      expect(await connection.answer()).toMatchObject({ status, headers });
    }
    connection.destroy();
  });

  it("shows its head before there is a body", async () => {
    const { port } = await serveExchanges(({ reply }) =>
      reply.head(200, "\u00e9", ["X", "\u00ff"]),
    );
    const connection = await rawConnect(port);
    connection.send(get);
    await connection.waitFor("\r\n\r\n");
    expect(connection.received()).toBe(
      "HTTP/1.1 200 \u00e9\r\nX: \u00ff\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    connection.destroy();
  });

  it.each([
    [
      "HTTP/1.1 and close",
      "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
      ["Connection", "close", "Transfer-Encoding", "chunked"],
    ],
    ["HTTP/1.0", "GET / HTTP/1.0\r\n\r\n", ["Connection", "close"]],
    [
      "HTTP/1.0 and keep-alive",
      "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
      ["Connection", "close"],
    ],
  ])("ends the connection after a body of unknown length for %s", async (_what, sent, headers) => {
    const { port } = await serveExchanges(({ reply }) => {
      reply.head(200, "OK", []);
      reply.write(Buffer.from("abc"));
      reply.end(["X-T", "1"]);
    });
    const connection = await rawConnect(port);
    connection.send(sent);
    const answer = await connection.answer();
    expect([answer.headers, ascii(answer.body)]).toEqual([headers, "abc"]);
    await connection.closed();
  });
});

describe("breaking an answer off", () => {
  it.each([
    ["chunks", get, []],
    ["a length", get, ["Content-Length", "100"]],
  ])("delivers what there was of %s, and no end", async (_what, sent, headers) => {
    const { port } = await serveExchanges(({ reply }) => {
      reply.head(200, "OK", headers);
      reply.write(Buffer.from("part"));
      reply.abort();
      reply.write(Buffer.from("more"));
      reply.end();
    });
    const answer = await rawRequest(port, sent);
    expect(answer).toMatchObject({ status: 200, complete: false });
    expect(ascii(answer.body)).toBe("part");
  });

  it("resets the connection where only its end would end the body", async () => {
    const sent = gate();
    const { port } = await serveExchanges(async ({ reply }) => {
      reply.head(200, "OK", []);
      reply.write(Buffer.from("part"));
      await sent.opened;
      reply.abort();
    });
    const connection = await rawConnect(port);
    const failure = gate<unknown>();
    connection.socket.on("error", (error) => failure.open(error));
    connection.send("GET / HTTP/1.0\r\n\r\n");
    await connection.waitFor("part");
    sent.open();
    expect(await failure.opened).toMatchObject({ code: "ECONNRESET" });
  });
});

describe("the client", () => {
  it("is reported gone once, also when it leaves before the answer begins", async () => {
    const arrived = gate();
    let gone = 0;
    const left = gate();
    const { port } = await serveExchanges(({ reply }) => {
      reply.onGone(() => {
        gone++;
        left.open();
      });
      arrived.open();
    });
    const connection = await rawConnect(port);
    connection.send(get);
    await arrived.opened;
    connection.destroy();
    await left.opened;
    expect(gone).toBe(1);
  });

  it("is not reported gone after a whole answer", async () => {
    let gone = 0;
    const { port } = await serveExchanges(({ reply }) => {
      reply.onGone(() => gone++);
      reply.send(200, "OK", ["content-length", "0"], null);
    });
    const connection = await rawConnect(port);
    connection.send(get);
    await connection.answer();
    connection.destroy();
    await connection.closed();
    await rawRequest(port, get);
    expect(gone).toBe(0);
  });

  it("is disconnected when it reads nothing of what waits for it", async () => {
    const gone = gate();
    const { port } = await serveExchanges((_exchange, incoming, outgoing) => {
      const reply = new NodeReply(incoming, outgoing, undefined, 50);
      reply.onGone(() => gone.open());
      reply.head(200, "OK", []);
      while (reply.write(Buffer.alloc(1_000_000)));
      reply.write(Buffer.alloc(20_000_000));
    });
    const connection = await rawConnect(port);
    connection.socket.pause();
    connection.send(get);
    await gone.opened;
    connection.socket.resume();
    expect((await connection.answer()).complete).toBe(false);
  });

  it.each(["send", "end"] as const)(
    "is disconnected when it does not read a finished answer: `%s`",
    async (how) => {
      const gone = gate();
      const { port } = await serveExchanges((_exchange, incoming, outgoing) => {
        const reply = new NodeReply(incoming, outgoing, undefined, 50);
        reply.onGone(() => gone.open());
        const body = Buffer.alloc(20_000_000);
        if (how === "send") {
          reply.send(200, "OK", [], body);
        } else {
          reply.head(200, "OK", []);
          reply.write(body);
          reply.end();
        }
      });
      const connection = await rawConnect(port);
      connection.socket.pause();
      connection.send(get);
      await gone.opened;
      connection.socket.resume();
      expect((await connection.answer()).complete).toBe(false);
    },
  );

  it("slows the writer down, and calls for more when it reads on", async () => {
    const filled = gate();
    let drained = 0;
    const { port } = await serveExchanges(({ reply }) => {
      const piece = Buffer.alloc(65_536);
      let left = 200;
      const pump = (): void => {
        while (left > 0) {
          left--;
          if (!reply.write(piece)) {
            filled.open();
            return;
          }
        }
        reply.end();
      };
      reply.onDrain(() => {
        drained++;
        pump();
      });
      reply.head(200, "OK", []);
      pump();
    });
    const connection = await rawConnect(port);
    connection.socket.pause();
    connection.send(get);
    await filled.opened;
    connection.socket.resume();
    expect((await connection.answer()).body).toHaveLength(200 * 65_536);
    expect(drained).toBeGreaterThan(0);
    connection.destroy();
  });
});

/** Listens and answers with its view of the body: length, first look, and all of it. */
async function echo(limit: number): Promise<number> {
  const { port } = await serveExchanges(async ({ body, reply }) => {
    const { bytes, rest } = (await body?.peek(limit)) ?? { bytes: Buffer.alloc(0), rest: null };
    const more: Uint8Array[] = [];
    if (rest !== null) for await (const chunk of rest) more.push(chunk);
    const summary = `${body?.length ?? "?"} ${bytes.length} ${rest === null ? "all" : "more"} `;
    reply.send(200, "OK", ["x", summary], Buffer.concat([bytes, ...more]));
  });
  return port;
}
