import { EventEmitter } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, LookupFunction } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { createWebhookTransport } from "../../../src/backend/webhooks/transport.ts";
import { answering, call, receiver, resolving } from "./receiver.ts";
import { turns } from "../../fixtures/turns.ts";

const json = { "content-type": "application/json" };
const accepted = JSON.stringify({ ok: true });

describe("a call that gets no usable response", () => {
  it("ends when its time is over before the response begins", async () => {
    const to = await receiver(() => undefined);
    const outcome = await call(to.url, { webhook: { timeout: 200 } });
    expect(outcome).toMatchObject({ kind: "failed", reason: "timeout" });
  });

  it("ends when its time is over in the middle of a response that never stops", async () => {
    const to = await receiver((_, response) => {
      response.writeHead(200, json);
      const drip = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(drip));
    });
    const outcome = await call(to.url, { webhook: { timeout: 300 } });
    expect(outcome).toMatchObject({ kind: "failed", reason: "timeout" });
  });

  it("ends when its time is over while the name is looked up", async () => {
    const transport = { lookup: () => undefined };
    const options = { allow: ["slow.example"], transport, webhook: { timeout: 200 } };
    expect(await call("https://slow.example/", options)).toMatchObject({ reason: "timeout" });
  });

  it("sends nothing when the name's address arrives too late", async () => {
    const to = await answering({ ok: true });
    const late = new EventEmitter();
    const resolve: LookupFunction = (_, __, callback) => {
      late.once("answer", () => callback(null, [{ address: "127.0.0.1", family: 4 }]));
    };
    const transport = createWebhookTransport({ lookup: resolve });
    const url = `http://slow.example:${to.port}/`;
    const body = new TextEncoder().encode("{}");
    const asked = {
      method: "POST" as const,
      url,
      headers: {},
      body,
      timeout: 100,
      trusted: true,
      limit: 1000,
    };
    expect(await transport.send(asked)).toMatchObject({ reason: "timeout" });
    late.emit("answer");
    await turns();
    expect(to.received).toEqual([]);
    const patient = transport.send({ ...asked, timeout: 30_000 });
    await expect.poll(() => late.emit("answer")).toBe(true);
    expect(await patient).toMatchObject({ kind: "response" });
    expect(to.received).toHaveLength(1);
    transport.close();
  });

  it.each([301, 302, 303, 307, 308])("does not follow a %i", async (status) => {
    const elsewhere = await answering({ ok: true });
    const to = await receiver((_, response) => {
      response.writeHead(status, { location: elsewhere.url }).end();
    });
    expect(await call(to.url)).toMatchObject({ kind: "failed", reason: "redirect" });
    expect(elsewhere.connections).toBe(0);
  });

  it.each([400, 401, 404, 409, 422, 429, 500, 502, 503])(
    "has failed with status %i, and is not sent again",
    async (status) => {
      const to = await receiver((_, response) => {
        response.writeHead(status, { ...json, "retry-after": "0" }).end(accepted);
      });
      expect(await call(to.url)).toMatchObject({ kind: "failed", reason: "status" });
      expect(to.received).toHaveLength(1);
    },
  );

  it("has failed with status 204", async () => {
    const to = await receiver((_, response) => response.writeHead(204).end());
    expect(await call(to.url)).toMatchObject({ reason: "invalid-response" });
  });

  it.each(["text/html", "text/plain", "application/jsonp", "", "multipart/form-data"])(
    "has failed with the media type %j",
    async (type) => {
      const headers = type === "" ? {} : { "content-type": type };
      const to = await receiver((_, response) => response.writeHead(200, headers).end(accepted));
      expect(await call(to.url)).toMatchObject({ reason: "invalid-response" });
    },
  );

  it.each([
    ["coded, which nobody asked for", gzipSync(accepted)],
    ["plain and says that it is coded", accepted],
  ])("has failed when the response is %s", async (_, body) => {
    const to = await receiver((_, response) => {
      response.writeHead(200, { ...json, "content-encoding": "gzip" }).end(body);
    });
    expect(await call(to.url)).toMatchObject({ reason: "invalid-response" });
  });

  it("is abandoned after 64 KiB, however long it is", async () => {
    let written = 0;
    const to = await receiver((_, response) => {
      response.writeHead(200, json);
      const chunk = Buffer.alloc(65_536, 0x20);
      const pour = (): void => {
        while (written < 10 * 1024 * 1024 && !response.destroyed) {
          written += chunk.length;
          if (!response.write(chunk)) {
            response.once("drain", pour);
            return;
          }
        }
        response.end(accepted);
      };
      pour();
    });
    expect(await call(to.url)).toMatchObject({ kind: "failed", reason: "too-large" });
    expect(written).toBeLessThan(10 * 1024 * 1024);
  });

  it("takes 64 KiB to the byte, in chunks, and not one more", async () => {
    const full = accepted.padEnd(65_536);
    const chunked = (text: string) =>
      receiver((_, response) => {
        response.writeHead(200, json);
        for (let at = 0; at < text.length; at += 1000) response.write(text.slice(at, at + 1000));
        response.end();
      });
    expect(await call((await chunked(full)).url)).toMatchObject({ kind: "accepted" });
    expect(await call((await chunked(`${full} `)).url)).toMatchObject({ reason: "too-large" });
  });

  it("has failed when the connection is reset before the response", async () => {
    const to = await receiver((request) => request.socket.resetAndDestroy());
    expect(await call(to.url)).toMatchObject({ kind: "failed", reason: "broken" });
    expect(to.received).toHaveLength(1);
  });

  it("has failed when the connection ends in the middle of the response", async () => {
    const to = await receiver((_, response) => {
      response.writeHead(200, { ...json, "content-length": "100" });
      response.write('{"ok"', () => response.destroy());
    });
    expect(await call(to.url)).toMatchObject({ kind: "failed", reason: "broken" });
  });

  it("has failed when the peer does not speak HTTP", async () => {
    const server = createServer((socket) => socket.on("error", () => undefined).end("SSH-2.0\r\n"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    expect(await call(`http://127.0.0.1:${port}/`)).toMatchObject({ reason: "broken" });
  });

  it("has failed when no server listens", async () => {
    const to = await receiver(() => undefined);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    expect(await call(`http://127.0.0.1:${port}/`)).toMatchObject({ reason: "unreachable" });
    expect(to.connections).toBe(0);
  });

  it("states where and why, and nothing of what was sent", async () => {
    const to = await receiver((_, response) => response.writeHead(500).end());
    const webhook = { secret: "0123456789abcdef", headers: { authorization: "Bearer hidden" } };
    expect(await call(`${to.url}?key=hidden`, { webhook })).toEqual({
      kind: "failed",
      reason: "status",
      detail: `127.0.0.1:${to.port} answered 500`,
    });
  });
});

describe("an address that the configuration does not allow", () => {
  it("is never connected to", async () => {
    const to = await answering({ ok: true });
    for (const allow of [[], ["other.example"], ["127.0.0.1:1"], ["127.0.0.2"]]) {
      expect(await call(to.url, { allow })).toMatchObject({ kind: "failed", reason: "refused" });
    }
    expect(to.connections).toBe(0);
  });

  it("is refused by the transport too, when it is written as an address", async () => {
    const to = await answering({ ok: true });
    const transport = createWebhookTransport();
    const body = new TextEncoder().encode("{}");
    const asked = {
      method: "POST" as const,
      url: to.url,
      headers: {},
      body,
      timeout: 1000,
      trusted: false,
      limit: 1000,
    };
    expect(await transport.send(asked)).toMatchObject({ kind: "failure", reason: "refused" });
    expect(to.connections).toBe(0);
    transport.close();
  });

  it("is refused after its name was looked up, when a suffix covers it and it is a private one", async () => {
    const to = await answering({ ok: true }, { secure: true });
    const url = `https://hook.upstream.example:${to.port}/`;
    for (const addresses of [
      ["127.0.0.1"],
      ["93.184.216.34", "127.0.0.1"],
      ["::1"],
      ["10.0.0.1"],
    ]) {
      const resolve = resolving(...addresses);
      const outcome = await call(url, {
        allow: [".upstream.example"],
        transport: { lookup: resolve },
      });
      expect(outcome).toMatchObject({ kind: "failed", reason: "refused" });
      expect(resolve.asked).toEqual(["hook.upstream.example"]);
    }
    expect(to.connections).toBe(0);
  });

  it("is looked up once, so that a second answer of the name server changes nothing", async () => {
    const to = await answering({ ok: true });
    const asked: string[] = [];
    const rebinding = resolving("127.0.0.1");
    const resolve: typeof rebinding = Object.assign(
      (...[hostname, options, callback]: Parameters<typeof rebinding>) => {
        asked.push(hostname);
        if (asked.length === 1) callback(null, [{ address: "::", family: 6 }]);
        else rebinding(hostname, options, callback);
      },
      { asked },
    );
    const options = { allow: [".example"], transport: { lookup: resolve } };
    expect(await call(`https://rebound.example:${to.port}/`, options)).toMatchObject({
      reason: "refused",
    });
    expect([asked.length, to.connections]).toEqual([1, 0]);
  });

  it("is reached all the same by the name that the operator wrote", async () => {
    const to = await answering({ ok: true });
    const options = { allow: ["inside.example"], transport: { lookup: resolving("127.0.0.1") } };
    expect(await call(`http://inside.example:${to.port}/`, options)).toMatchObject({
      kind: "accepted",
    });
  });
});
