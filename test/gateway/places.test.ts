// Suite: slow
import { describe, expect, it, onTestFinished } from "vitest";
import { rawConnect, rawRequest, type RawConnection } from "../../src/testing/index.ts";
import { embeddedGateway, embeddedKeys } from "../backend/embedded-gateway.ts";
import { json, rawPost, startBench } from "./harness.ts";

const message = "/v1/conversation/message";
const get = (target: string, fields = ""): string =>
  `GET ${target} HTTP/1.1\r\nHost: g\r\n${fields}\r\n`;
const half = (target: string): string =>
  `POST ${target} HTTP/1.1\r\nHost: g\r\nContent-Length: 100\r\n\r\n{`;
const halfInChunks = (target: string): string =>
  `POST ${target} HTTP/1.1\r\nHost: g\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`;

/** An upstream that keeps the answers to paths with `slow` back until `release` is called. */
async function startSlowBench(options: Parameters<typeof startBench>[0] = {}) {
  const slow = Promise.withResolvers<void>();
  const handler = async ({ target }: { target: string }) => {
    if (target.includes("slow")) await slow.promise;
    return { headers: json, body: "{}" };
  };
  const bench = await startBench({ handler, ...options });
  const connections: RawConnection[] = [];
  onTestFinished(async () => {
    slow.resolve();
    for (const connection of connections) connection.destroy();
    await bench.close();
  });
  const open = async (bytes: string | Uint8Array): Promise<RawConnection> => {
    const connection = await rawConnect(bench.port);
    connections.push(connection);
    connection.send(bytes);
    return connection;
  };
  const statusOf = async (request: string | Uint8Array): Promise<number> =>
    (await rawRequest(bench.port, request)).status;
  return { ...bench, open, statusOf, release: slow.resolve };
}

describe("requests whose body does not come", () => {
  it.each([
    ["login", half("/v1/auth")],
    ["login, in chunks", halfInChunks("/v1/auth")],
    ["messages", half(message)],
    ["uploads", half("/ticketing/v1/media")],
    ["messages, in chunks", halfInChunks(message)],
    ["what passes, in chunks", halfInChunks("/v1/anything").slice(0, -4)],
  ])("leave login and messages of others served: %s", async (_what, bytes) => {
    const { open, statusOf, metrics } = await startSlowBench({ limits: { inFlight: 4, queue: 0 } });
    for (let i = 0; i < 20; i++) await open(bytes);
    expect(await statusOf(rawPost("/v1/auth", "{}"))).toBe(200);
    expect(await statusOf(rawPost(message, "{}"))).toBe(200);
    expect(metrics()).toContain("afterword_in_flight 0");
  });
});

it("requests that are sent ahead on one connection count as one", async () => {
  const { open, statusOf, upstream } = await startSlowBench({ limits: { inFlight: 4, queue: 0 } });
  await open(get("/v1/slow").repeat(100));
  await expect.poll(() => upstream.requests.length).toBe(1);
  expect(await statusOf(get("/v1/x"))).toBe(200);
  expect(upstream.requests.map(({ target }) => target)).toEqual([
    "/prod/chatbot/v1/slow",
    "/prod/chatbot/v1/x",
  ]);
});

it("a request whose client leaves in the queue is not sent", async () => {
  const { open, upstream, metrics, release, statusOf } = await startSlowBench({
    limits: { inFlight: 2, queue: 10 },
  });
  await open(get("/v1/slow"));
  await expect.poll(() => upstream.requests.length).toBe(1);
  const waiting = await open(rawPost("/v1/gone", "{}"));
  await expect.poll(metrics).toContain("afterword_queued 1");
  waiting.destroy();
  await waiting.closed();
  // Anything before this line was seen earlier.
  for (let i = 0; i < 3; i++) expect(await statusOf(get("/_afterword/health"))).toBe(200);
  release();
  expect(await statusOf(get("/v1/x"))).toBe(200);
  expect(upstream.requests.map(({ target }) => target)).not.toContain("/prod/chatbot/v1/gone");
});

it("a socket for the embedded chat whose client leaves while it waits is never counted", async () => {
  const gateway = await embeddedGateway({ top: "limits: { inFlight: 1 }" });
  onTestFinished(() => gateway.close());
  const port = Number(new URL(gateway.url).port);
  const accessToken = await gateway.login();
  const slow = await rawConnect(port);
  slow.send(
    `POST /ticketing/v1/media HTTP/1.1\r\nHost: g\r\nx-inbenta-key: ${embeddedKeys.apiKey}\r\nAuthorization: Bearer ${accessToken}\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{ \r\n`,
  );
  await expect.poll(gateway.metrics).toContain("afterword_in_flight 1");
  const waiting = await rawConnect(port);
  waiting.send(
    get(
      "/v1/events",
      "x-hyper-appId: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n",
    ),
  );
  await expect.poll(gateway.metrics).toContain("afterword_queued 1");
  waiting.destroy();
  await waiting.closed();
  // Anything before this line was seen earlier.
  for (let i = 0; i < 3; i++) await gateway.metrics();
  slow.destroy();
  await expect.poll(gateway.metrics).toContain("afterword_queued 0");
  await expect.poll(gateway.metrics).toContain("afterword_in_flight 0");
  await expect.poll(gateway.metrics).toContain("afterword_streams 0");
});

describe("one client", () => {
  const limits = { inFlight: 100, inFlightPerClient: 2, queue: 10 };
  const from = (address: string): string => `X-Forwarded-For: ${address}\r\n`;
  const listen = {
    host: "127.0.0.1",
    port: 0,
    trustProxies: ["127.0.0.1"],
    publicUrl: null,
    tls: null,
  };

  it("behind a trusted proxy has its share of the requests, and others have theirs", async () => {
    const { open, statusOf, upstream, metrics } = await startSlowBench({
      limits,
      config: { listen },
    });
    for (let i = 0; i < 2; i++) await open(get("/v1/slow", from("203.0.113.9")));
    await expect.poll(() => upstream.requests.length).toBe(2);
    expect(await statusOf(get("/v1/x", from("203.0.113.9")))).toBe(503);
    expect(await statusOf(get("/v1/x", from("198.51.100.1, 203.0.113.9")))).toBe(503);
    expect(await statusOf(get("/v1/x", from("203.0.113.10")))).toBe(200);
    expect(metrics()).toContain("afterword_clients_limited_total 2");
  });

  it("has a quarter of the streams, and others have theirs", async () => {
    const ended = Promise.withResolvers<void>();
    onTestFinished(() => ended.resolve());
    async function* endless() {
      yield ": here\n\n";
      await ended.promise;
    }
    const { open, statusOf, metrics } = await startSlowBench({
      handler: () => ({
        headers: ["Content-Type", "text/event-stream", "Transfer-Encoding", "chunked"],
        body: endless(),
      }),
      limits: { streams: 8 },
      config: { listen },
    });
    const streamOf = async (address: string): Promise<RawConnection> => {
      const stream = await open(get("/v1/x", from(address)));
      await stream.waitFor(": here");
      return stream;
    };
    const [first] = [await streamOf("203.0.113.9"), await streamOf("203.0.113.9")];
    expect(await statusOf(get("/v1/x", from("203.0.113.9")))).toBe(503);
    await streamOf("203.0.113.10");
    expect(metrics()).toContain("afterword_clients_limited_total 1");
    first.destroy();
    await expect.poll(metrics).toContain("afterword_streams 2");
    await streamOf("203.0.113.9");
  });

  it("is not limited where it is this machine, or a trusted proxy itself", async () => {
    const { open, upstream } = await startSlowBench({ limits });
    for (let i = 0; i < 5; i++) await open(get("/v1/slow", from("203.0.113.9")));
    await expect.poll(() => upstream.requests.length).toBe(5);
  });
});
