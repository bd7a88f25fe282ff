import { Hono } from "hono";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  createAppListener,
  type NodeBindings,
} from "../../../../src/runtime/node/server/app-listener.ts";
import { createListener } from "../../../../src/runtime/node/server/listener.ts";
import { rawConnect, rawRequest, startScriptedUpstream } from "../../../../src/testing/index.ts";
import { testCertificates } from "../certificates.ts";
import { ascii, gate, serveExchanges } from "../support.ts";

async function listen(app: Hono<{ Bindings: NodeBindings }>): Promise<number> {
  const listener = createAppListener({ fetch: (request, env) => app.fetch(request, env) });
  const { port } = await listener.listen(0, "127.0.0.1");
  onTestFinished(async () => {
    await listener.drain(0);
  });
  return port;
}

/** Answers with the app's view of a request. */
const mirror = new Hono<{ Bindings: NodeBindings }>().all("*", (c) => {
  const host = c.env.incoming.rawHeaders[1] ?? "";
  return c.text(`${c.req.method} ${c.req.path} ${host}`);
});

describe("whatever HTTP permits reaches the gateway and an app", () => {
  it.each([
    ["OPTIONS * HTTP/1.1", "a", "OPTIONS * /"],
    ["TRACE /t HTTP/1.1", "a", "TRACE /t /t"],
    ["GET http://b.example:81/p?q HTTP/1.1", "a", "GET http://b.example:81/p?q /p"],
    ["GET HTTP://b.example HTTP/1.1", "a", "GET HTTP://b.example /"],
    ["GET http://b.example?q HTTP/1.1", "a", "GET http://b.example?q /"],
    ["GET http://[bad]:x/p HTTP/1.1", "a", "GET http://[bad]:x/p /p"],
    ["GET ftp://b.example/p HTTP/1.1", "a", "GET ftp://b.example/p /p"],
    ["GET /a\\b HTTP/1.1", "a", "GET /a\\b /a\\b"],
    ["GET /q?\\ HTTP/1.1", "a", "GET /q?\\ /q"],
    ["GET //b.example/p HTTP/1.1", "a", "GET //b.example/p //b.example/p"],
    ["GET /%zz%00%ff HTTP/1.1", "a", "GET /%zz%00%ff /%zz%00%ff"],
    ["PROPFIND /dav HTTP/1.1", "a", "PROPFIND /dav /dav"],
    ["GET /p HTTP/1.1", "UPPER.example", "GET /p /p"],
    ["GET /p HTTP/1.1", "a.example:80", "GET /p /p"],
    ["GET /p HTTP/1.1", "[::1]:8787", "GET /p /p"],
    ["GET /p HTTP/1.1", "a b", "GET /p /p"],
    ["GET /p HTTP/1.1", "user@a/../x?y#z", "GET /p /p"],
    ["GET /p HTTP/1.1", "[", "GET /p /p"],
    ["GET /p HTTP/1.1", "\u00e9.example", "GET /p /p"],
    ["GET /p HTTP/1.1", "0x7f.1", "GET /p /p"],
    ["GET /p HTTP/1.1", "", "GET /p /p"],
  ])("%s with Host %j", async (line, host, seen) => {
    const [method = "", raw = "", path = ""] = seen.split(" ");
    const request = `${line}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    const answer = await rawRequest(await listen(mirror), request);
    expect([answer.status, ascii(Buffer.from(answer.body.toString(), "utf8"))]).toEqual([
      200,
      Buffer.from(`${method} ${path} ${host}`, "utf8").toString("latin1"),
    ]);
    const { port } = await serveExchanges(({ target, headers, reply, ...exchange }) => {
      const text = `${exchange.method} ${target} ${headers[1]}`;
      reply.send(200, "OK", [], Buffer.from(text, "latin1"));
    });
    const exchanged = await rawRequest(port, request);
    expect(ascii(exchanged.body)).toBe(`${method} ${raw} ${host}`);
  });

  it("HTTP/1.0 without Host", async () => {
    const port = await listen(mirror);
    expect((await rawRequest(port, "GET /p HTTP/1.0\r\n\r\n")).body.toString()).toBe("GET /p ");
  });

  it("dot segments, which Hono would have removed, in the raw target", async () => {
    const { port } = await serveExchanges(({ target, reply }) =>
      reply.send(200, "OK", [], Buffer.from(target)),
    );
    const answer = await rawRequest(port, "GET /a/../%2e%2e/b HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(answer.body.toString()).toBe("/a/../%2e%2e/b");
  });
});

describe("a request that HTTP does not permit", () => {
  it.each([
    ["no Host in HTTP/1.1", "GET / HTTP/1.1\r\n\r\n", 400],
    ["no HTTP", "hello\r\n\r\n", 400],
    ["a target that is none", "GET nonsense HTTP/1.1\r\nHost: a\r\n\r\n", 400],
    ["a target with a byte beyond ASCII", "GET /\u00e9 HTTP/1.1\r\nHost: a\r\n\r\n", 400],
    [
      "two lengths",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
      400,
    ],
    [
      "a length and chunks",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    ["two hosts", "GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n", 400],
    ...[
      "gzip, chunked",
      "identity, chunked",
      "x\r\ntransfer-encoding: chunked",
      ",chunked",
      "identity",
      "gzip",
    ].map((coding): [string, string, number] => [
      `the transfer coding ${JSON.stringify(coding)}`,
      `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: ${coding}\r\n\r\n2\r\nab\r\n0\r\n\r\n`,
      501,
    ]),
    ["HTTP/0.9 without a version", "GET /\r\n\r\n", 505],
    ["HTTP/0.9 by name", "GET / HTTP/0.9\r\nHost: a\r\n\r\n", 505],
    ["HTTP/2.0 by name", "GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505],
    ["a bare line feed in a field", "GET / HTTP/1.1\r\nHost: a\r\nX: a\nY: b\r\n\r\n", 400],
    ["a head of 40 KB", `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(40_000)}\r\n\r\n`, 431],
    ["a tunnel through us", "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n", 501],
  ])("is refused: %s", async (_what, sent, status) => {
    let reached = 0;
    const { port } = await serveExchanges(({ reply }) => {
      reached++;
      reply.send(200, "OK", [], null);
    });
    expect((await rawRequest(port, sent)).status).toBe(status);
    expect(reached).toBe(0);
  });
});

it("sends 100 Continue when the client waits for it", async () => {
  const { port } = await serveExchanges(async ({ body, reply }) => {
    const { bytes } = await body!.peek(10);
    reply.send(200, "OK", [], bytes);
  });
  const connection = await rawConnect(port);
  connection.send(
    "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n",
  );
  await connection.waitFor("100 Continue\r\n\r\n");
  connection.send("ok");
  expect(ascii((await connection.answer()).body)).toBe("ok");
  connection.destroy();
});

it("answers 500 when the app throws, and reports it to its owner alone", async () => {
  const errors: unknown[] = [];
  const listener = createAppListener(
    {
      fetch: () => {
        throw new Error("a secret");
      },
    },
    { onError: (error) => errors.push(error) },
  );
  const { port } = await listener.listen(0, "127.0.0.1");
  onTestFinished(async () => {
    await listener.drain(0);
  });
  const answer = await rawRequest(port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  expect([answer.status, ascii(answer.head).includes("secret"), errors.length]).toEqual([
    500,
    false,
    1,
  ]);
});

it("leaves the global Request and Response alone", async () => {
  const before = [globalThis.Request, globalThis.Response];
  await listen(mirror);
  expect([globalThis.Request, globalThis.Response]).toEqual(before);
});

it("serves Hono's ordinary answers too", async () => {
  const port = await listen(
    new Hono<{ Bindings: NodeBindings }>().get("/", (c) => c.json({ a: 1 })),
  );
  const answer = await rawRequest(port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  expect(JSON.parse(answer.body.toString())).toEqual({ a: 1 });
});

it("speaks TLS when it has a certificate, and the exchange knows", async () => {
  const certificates = testCertificates();
  let encrypted: boolean | undefined;
  const { port } = await serveExchanges(
    ({ peer, reply }) => {
      encrypted = peer?.encrypted;
      reply.send(200, "OK", ["X", "1"], null);
    },
    { tls: certificates },
  );
  const { createNodeTransport } = await import("../../../../src/runtime/node/transport.ts");
  const { receive, request } = await import("../support.ts");
  const over = createNodeTransport({ ca: certificates.ca });
  onTestFinished(() => over.close());
  const answer = await receive(over, request(`https://localhost:${port}`));
  expect([answer.status, encrypted]).toEqual([200, true]);
});

describe("listening", () => {
  it("fails with a line that says what to do when the port is taken", async () => {
    const taken = await startScriptedUpstream();
    onTestFinished(() => taken.close());
    const listener = createListener(() => undefined);
    await expect(listener.listen(taken.port, "127.0.0.1")).rejects.toMatchObject({
      code: "listen-failed",
      message: expect.stringContaining(`127.0.0.1:${taken.port} is in use`),
    });
  });

  it("fails for an address that is not this machine's", async () => {
    const listener = createListener(() => undefined);
    await expect(listener.listen(0, "203.0.113.1")).rejects.toMatchObject({
      code: "listen-failed",
    });
  });
});

describe("draining", () => {
  const get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

  it("finishes what is under way, closes what is idle, and takes nothing new", async () => {
    const arrived = gate();
    const finish = gate();
    const { listener, port } = await serveExchanges(async ({ target, reply }) => {
      if (target === "/slow") {
        arrived.open();
        await finish.opened;
      }
      reply.send(200, "OK", ["content-length", "2"], Buffer.from("ok"));
    });
    const idle = await rawConnect(port);
    idle.send(get);
    await idle.answer();
    const busy = await rawConnect(port);
    busy.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
    await arrived.opened;

    const drained = listener.drain(10_000);
    expect(listener.server.listening).toBe(false);
    await idle.closed();
    await expect(rawConnect(port)).rejects.toThrow("ECONNREFUSED");
    finish.open();
    const answer = await busy.answer();
    expect(answer.headers).toEqual(["content-length", "2", "Connection", "close"]);
    expect(ascii(answer.body)).toBe("ok");
    await busy.closed();
    expect(await drained).toEqual({ broken: 0 });
  });

  it("closes a connection whose answer had already begun, once it is whole", async () => {
    const begun = gate();
    const finish = gate();
    const { listener, port } = await serveExchanges(async ({ reply }) => {
      reply.head(200, "OK", []);
      reply.write(Buffer.from("a"));
      begun.open();
      await finish.opened;
      reply.end();
    });
    const connection = await rawConnect(port);
    connection.send(get);
    await begun.opened;
    // Longer than the test may take.
    const drained = listener.drain(100_000);
    finish.open();
    expect((await connection.answer()).complete).toBe(true);
    expect(await drained).toEqual({ broken: 0 });
  });

  it("breaks off what takes longer than it may, and counts it", async () => {
    const begun = gate();
    const { listener, port } = await serveExchanges(({ reply }) => {
      reply.head(200, "OK", []);
      begun.open();
    });
    const connection = await rawConnect(port);
    connection.send(get);
    await begun.opened;
    expect(await listener.drain(50)).toEqual({ broken: 1 });
    await connection.closed();
  });
});
