import type { Socket } from "node:net";
import { connect as connectSecurely } from "node:tls";
import { Hono } from "hono";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import {
  createAppListener,
  type NodeBindings,
} from "../../../../src/runtime/node/server/app-listener.ts";
import { limits } from "../../../../src/runtime/node/server/server-limits.ts";
import { rawConnect } from "../../../../src/testing/index.ts";
import { testCertificates } from "../certificates.ts";
import { ascii, gate, serveExchanges } from "../support.ts";

// Time passes only in calls of `pass`.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
});
const pass = (milliseconds: number): void => void vi.advanceTimersByTime(milliseconds);

const refusal = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n";
const head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n";

/** Answers with the body once it is whole. */
async function serveMirror() {
  const sockets: Socket[] = [];
  const { port } = await serveExchanges(async ({ body, reply }, incoming) => {
    sockets.push(incoming.socket);
    const read = await body?.peek(1000).catch(() => null);
    if (read) reply.send(200, "OK", ["Content-Length", String(read.bytes.length)], read.bytes);
  });
  const bytesRead = (): number | undefined => sockets[0]?.bytesRead;
  return { connection: await rawConnect(port), bytesRead };
}

describe("a client that stops in the middle of a body", () => {
  it.each([
    ["of known length", `${head}ten bytes.`],
    ["in chunks", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel"],
    ["of which nothing came", head],
  ])("is answered 408 after ten seconds: %s", async (_what, sent) => {
    const { connection, bytesRead } = await serveMirror();
    connection.send(sent);
    await expect.poll(bytesRead).toBe(sent.length);
    pass(limits.bodyStall - 1000);
    expect(connection.received()).toBe("");
    pass(2000);
    await connection.closed();
    expect(connection.received()).toBe(refusal);
  });

  it("gets its time again with every piece", async () => {
    const { connection, bytesRead } = await serveMirror();
    connection.send(head);
    for (let i = 1; i <= 10; i++) {
      connection.send("0123456789");
      await expect.poll(bytesRead).toBe(head.length + i * 10);
      pass(limits.bodyStall - 2000);
    }
    expect((await connection.answer()).status).toBe(200);
    connection.destroy();
  });

  it("is answered 408 by an app that reads the body itself", async () => {
    const begun = gate();
    const app = new Hono<{ Bindings: NodeBindings }>().post("/", async (c) => {
      begun.open();
      return c.text(await c.req.text());
    });
    const listener = createAppListener({ fetch: (request, env) => app.fetch(request, env) });
    const { port } = await listener.listen(0, "127.0.0.1");
    onTestFinished(async () => void (await listener.drain(0)));
    const connection = await rawConnect(port);
    connection.send(`${head}ten bytes.`);
    await begun.opened;
    const afterSeconds = (): string => {
      pass(1000);
      return connection.received();
    };
    await expect.poll(afterSeconds).toBe(refusal);
  });

  it("is answered 408 over TLS", async () => {
    const certificates = testCertificates();
    const { port, listener } = await serveExchanges(
      ({ body }) => void body?.peek(1000).catch(() => null),
      {
        tls: certificates,
      },
    );
    const secured = new Promise<Socket>((resolve) =>
      listener.server.once("secureConnection", resolve),
    );
    const client = connectSecurely({
      port,
      host: "127.0.0.1",
      ca: certificates.ca,
      servername: "localhost",
    });
    const received: Buffer[] = [];
    // Closing a connection with unread bytes may reset it.
    client.on("error", () => undefined);
    client.on("data", (bytes: Buffer) => received.push(bytes));
    const closed = new Promise((resolve) => client.on("close", resolve));
    const server = await secured;
    client.write(`${head}ten`);
    const least = server.bytesRead;
    await expect.poll(() => server.bytesRead).toBeGreaterThan(least);
    pass(limits.bodyStall - 1000);
    client.write(" bytes.");
    await expect.poll(() => server.bytesRead).toBeGreaterThan(least + head.length);
    pass(5000);
    expect(received).toEqual([]);
    pass(limits.bodyStall);
    await closed;
    expect(ascii(Buffer.concat(received))).toBe(refusal);
  });
});

describe("a client is not timed out", () => {
  it("while the app does not read what it has sent", async () => {
    const reading = gate();
    const begun = gate();
    const { port } = await serveExchanges(async ({ body, reply }) => {
      begun.open();
      await reading.opened;
      const read = await body?.peek(1_000_000);
      reply.send(200, "OK", ["Content-Length", "0"], null);
      expect(read?.bytes.length).toBe(400_000);
    });
    const connection = await rawConnect(port);
    connection.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 400000\r\n\r\n");
    connection.send("x".repeat(400_000));
    await begun.opened;
    await expect.poll(() => connection.socket.bytesWritten).toBeGreaterThan(65_536);
    pass(10 * limits.bodyStall);
    reading.open();
    expect((await connection.answer()).status).toBe(200);
    connection.destroy();
  });

  it("when its answer has begun", async () => {
    const { port } = await serveExchanges(({ reply }) => {
      reply.head(200, "OK", ["Content-Length", "2"]);
      reply.write(Buffer.from("o"));
    });
    const connection = await rawConnect(port);
    connection.send(head);
    await connection.waitFor("\r\n\r\no");
    pass(2 * limits.bodyStall);
    expect(connection.received()).not.toContain("408");
    connection.destroy();
  });
});
