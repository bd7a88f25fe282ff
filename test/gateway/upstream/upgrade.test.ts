import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import {
  fieldValues,
  rawConnect,
  type RawConnection,
  rawRequest,
} from "../../../src/testing/index.ts";
import { type Bench, startBench, withBench } from "../harness.ts";

/** Accepts every upgrade, then echoes in capitals. */
function echo(socket: Socket): void {
  let head = "";
  let open = false;
  socket.on("error", () => undefined);
  socket.on("data", (bytes) => {
    const text = bytes.toString("latin1");
    if (open) socket.write(text.toUpperCase());
    else {
      head += text;
      if (!head.includes("\r\n\r\n")) return;
      open = true;
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX-Path: ${head.split(" ")[1]}\r\n\r\n`,
      );
    }
  });
}

const upgrade = (target: string, fields: readonly string[] = []): string =>
  asking("GET", target, ["Upgrade: websocket", "Sec-WebSocket-Key: x", ...fields]);

describe("an upgrade on a pass-through address", () => {
  it("is tunnelled both ways and counted as a stream", async () => {
    const bench = await startBench({ onConnection: echo });
    const client = await rawConnect(bench.port);
    client.send(upgrade("/chatbot/v1/live?x=1"));
    await client.waitFor("X-Path: /prod/chatbot/v1/live?x=1");
    client.send("hello");
    await client.waitFor("HELLO");
    expect(bench.metrics()).toContain("afterword_streams 1");
    client.destroy();
    await bench.upstream.idle();
    await expect.poll(() => bench.metrics()).toContain("afterword_streams 0");
    await bench.close();
  });

  it("is answered 503 when too many streams are open, and 502 when the upstream cannot be reached", async () => {
    const full = await startBench({ onConnection: echo, limits: { streams: 0 } });
    const refused = await rawConnect(full.port);
    refused.send(upgrade("/chatbot/v1/live"));
    expect((await refused.answer()).status).toBe(503);
    await full.close();
    const gone = await startBench({ upstreamConfig: { apis: { chatbot: "http://127.0.0.1:9" } } });
    const client = await rawConnect(gone.port);
    client.send(upgrade("/chatbot/v1/live"));
    expect((await client.answer()).status).toBe(502);
    await gone.close();
  });

  it("counts for the client behind a trusted proxy, who has a quarter of the streams", async () => {
    const bench = await startBench({
      onConnection: echo,
      limits: { streams: 8 },
      config: {
        listen: {
          host: "127.0.0.1",
          port: 0,
          trustProxies: ["127.0.0.1"],
          publicUrl: null,
          tls: null,
        },
      },
    });
    const connections: RawConnection[] = [];
    const statusFor = async (address: string): Promise<string | undefined> => {
      const client = await rawConnect(bench.port);
      connections.push(client);
      client.send(upgrade("/chatbot/v1/live", [`X-Forwarded-For: ${address}`]));
      await client.waitFor("\r\n\r\n");
      return client.received().split(" ")[1];
    };
    const statuses = [];
    for (const last of [9, 9, 9, 10]) statuses.push(await statusFor(`203.0.113.${last}`));
    expect(statuses).toEqual(["101", "101", "503", "101"]);
    for (const client of connections) client.destroy();
    await bench.close();
  });

  it("is served as a plain request where nothing can be upgraded", async () => {
    const bench = await startBench({});
    const client = await rawConnect(bench.port);
    client.send(upgrade("/_afterword/health"));
    expect((await client.answer()).status).toBe(200);
    client.destroy();
    await bench.close();
  });
});

/** A target on each kind of route that leads to the chatbot's base. */
async function chatbotRoutes({ running, upstream }: Bench): Promise<string[]> {
  const base = `${upstream.origin}/prod/chatbot`;
  const segment = await running.gateway.core.routes.segmentFor("chatbot", base);
  return [`/r/${segment}/chatbot`, "/chatbot", ""];
}

const asking = (method: string, target: string, fields: readonly string[]): string =>
  [`${method} ${target} HTTP/1.1`, "Host: g", "Connection: Upgrade", ...fields, "", ""].join(
    "\r\n",
  );

const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";

describe("a request that asks for an upgrade, but not properly for a WebSocket,", () => {
  it.each([
    ["h2c", "GET", ["Upgrade: h2c", "HTTP2-Settings: AAMAAABk", key]],
    ["an upgrade by POST", "POST", ["Upgrade: websocket", key, "Content-Length: 0"]],
    ["two protocols", "GET", ["Upgrade: websocket, h2c", key]],
    ["two Upgrade fields", "GET", ["Upgrade: websocket", "Upgrade: websocket", key]],
    ["no key", "GET", ["Upgrade: websocket"]],
  ])("is served without its upgrade: %s", async (_, method, fields) => {
    await withBench({ handler: () => ({ body: "plain" }) }, async (bench) => {
      for (const route of await chatbotRoutes(bench)) {
        const answer = await rawRequest(bench.port, asking(method, `${route}/v1/live`, fields));
        expect(answer.status).toBe(200);
        const request = bench.upstream.requests.at(-1);
        expect(request?.target).toBe("/prod/chatbot/v1/live");
        const names = request?.headers.filter((_, index) => index % 2 === 0) ?? [];
        expect(names.map((name) => name.toLowerCase())).toContain("via");
        expect(names.join()).not.toMatch(/upgrade|http2-settings/i);
        expect(request === undefined ? null : fieldValues(request.headers, "connection")).toEqual(
          [],
        );
      }
      expect(bench.upstream.requests).toHaveLength(3);
    });
  });

  it("is served without its upgrade: HTTP/1.0", async () => {
    await withBench({ handler: () => ({ body: "plain" }) }, async (bench) => {
      const request = upgrade("/chatbot/v1/live").replace("HTTP/1.1", "HTTP/1.0");
      expect((await rawRequest(bench.port, request)).body.toString()).toBe("plain");
      expect(bench.upstream.requests[0]?.headers).not.toContain("websocket");
    });
  });

  it("is 405 by TRACE, and reaches no upstream", async () => {
    await withBench({}, async (bench) => {
      for (const route of await chatbotRoutes(bench)) {
        const request = asking("TRACE", `${route}/v1/live`, ["Upgrade: websocket", key]);
        expect((await rawRequest(bench.port, request)).status).toBe(405);
      }
      expect(bench.upstream.requests).toEqual([]);
    });
  });

  it("is served where the path is one of the conversation's, behind a signed address too", async () => {
    await withBench({ handler: () => ({ body: "plain" }) }, async (bench) => {
      for (const route of await chatbotRoutes(bench)) {
        for (const path of ["/v1/conversation/history", "/v1/conversation/message?a"]) {
          const request = asking("GET", route + path, ["Upgrade: websocket", key]);
          expect((await rawRequest(bench.port, request)).body.toString()).toBe("plain");
          expect(bench.upstream.requests.at(-1)?.headers).not.toContain("websocket");
        }
      }
    });
  });
});

it("is answered 204 without the length that the upstream gave it", async () => {
  const raw = "HTTP/1.1 204 No Content\r\nX-Here: 1\r\nContent-Length: 5\r\n\r\n";
  await withBench({ handler: () => ({ raw }) }, async (bench) => {
    const answer = await rawRequest(bench.port, upgrade("/chatbot/v1/live"));
    expect([answer.status, answer.headers]).toEqual([204, ["X-Here", "1", "Connection", "close"]]);
  });
});

describe("an upstream that switches to something else than a WebSocket", () => {
  it.each(["h2c", "websocket, h2c", null])("is answered 502 for %j", async (protocol) => {
    const field = protocol === null ? "" : `Upgrade: ${protocol}\r\n`;
    const onConnection = (socket: Socket): void => {
      socket.on("error", () => undefined);
      socket.once("data", () =>
        socket.write(`HTTP/1.1 101 Switching Protocols\r\n${field}Connection: Upgrade\r\n\r\n`),
      );
    };
    await withBench({ onConnection }, async (bench) => {
      for (const route of (await chatbotRoutes(bench)).slice(0, 2)) {
        const answer = await rawRequest(bench.port, upgrade(`${route}/v1/live`));
        expect(answer.status).toBe(502);
      }
      await bench.upstream.idle();
      expect(bench.metrics()).toContain("afterword_streams 0");
    });
  });
});
