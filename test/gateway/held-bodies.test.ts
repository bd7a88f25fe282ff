// Suite: slow
import { describe, expect, it, onTestFinished } from "vitest";
import { rawConnect, rawRequest, type RawConnection } from "../../src/testing/index.ts";
import { createAppListener } from "../../src/runtime/node/server/app-listener.ts";
import { createByteBudget } from "../../src/http/shares.ts";
import { login, open } from "../backend/client.ts";
import { embeddedGateway, embeddedKeys } from "../backend/embedded-gateway.ts";
import { rawPost, startBench } from "./harness.ts";

const message = "/v1/conversation/message";

/** A request whose body has arrived up to `sent` bytes. */
function part(target: string, sent: number, length: number, fields = ""): string {
  return `POST ${target} HTTP/1.1\r\nHost: localhost\r\n${fields}Content-Length: ${length}\r\n\r\n${" ".repeat(sent)}`;
}

async function connect(port: number, bytes: string): Promise<RawConnection> {
  const connection = await rawConnect(port);
  onTestFinished(() => connection.destroy());
  connection.send(bytes);
  return connection;
}

it("bodies that arrive at the gateway take memory, and release it when their clients leave", async () => {
  const bench = await startBench({ limits: { heldBytes: 100_000 } });
  onTestFinished(() => bench.close());
  const halves = [];
  for (let i = 0; i < 2; i++) halves.push(await connect(bench.port, part(message, 45_000, 60_000)));
  await expect.poll(bench.metrics).toContain("afterword_held_bytes 90000");
  const refused = await rawRequest(bench.port, rawPost(message, " ".repeat(20_000)));
  expect(refused.status).toBe(503);
  expect(refused.headers.join("|")).toMatch(/Retry-After\|1/);
  expect((await rawRequest(bench.port, rawPost(message, " ".repeat(2000)))).status).toBe(200);
  for (const half of halves) half.destroy();
  await expect.poll(bench.metrics).toContain("afterword_held_bytes 0");
  expect((await rawRequest(bench.port, rawPost(message, " ".repeat(20_000)))).status).toBe(200);
  await expect.poll(bench.metrics).toContain("afterword_held_bytes 0");
  expect(bench.logs.map(({ event }) => event)).not.toContain("internal-error");
});

it("only the beginning of a streamed body takes memory", async () => {
  const bench = await startBench({ limits: { heldBytes: 200_000 } });
  onTestFinished(() => bench.close());
  const answer = await rawRequest(bench.port, rawPost("/v1/upload", "x".repeat(3_000_000)));
  expect(answer.status).toBe(200);
  await expect.poll(bench.metrics).toContain("afterword_held_bytes 0");
});

it("bodies that the embedded backend reads count for the same limit", async () => {
  const gateway = await embeddedGateway({ demo: true, top: "limits: { heldBytes: 1MiB }" });
  onTestFinished(() => gateway.close());
  const port = Number(new URL(gateway.url).port);
  const fields = `x-inbenta-key: demo-key\r\nAuthorization: Bearer ${await gateway.login()}\r\n`;
  const half = await connect(port, part("/ticketing/v1/media", 850_000, 2_000_000, fields));
  await expect.poll(gateway.metrics).toMatch(/afterword_held_bytes 9\d{5}\n/);
  const refused = await rawRequest(port, part("/ticketing/v1/media", 300_000, 300_000, fields));
  expect(refused.status).toBe(503);
  expect(refused.headers.join("|")).toMatch(/retry-after\|1/i);
  half.destroy();
  await expect.poll(gateway.metrics).toContain("afterword_held_bytes 0");
  expect(gateway.events).not.toContain("internal-error");
});

describe("one client", () => {
  const from = (address: string): string => `X-Forwarded-For: ${address}\r\n`;
  const listen = {
    host: "127.0.0.1",
    port: 0,
    trustProxies: ["127.0.0.1"],
    publicUrl: null,
    tls: null,
  };

  it("takes a quarter of the memory at the gateway, and others have the rest", async () => {
    const bench = await startBench({ limits: { heldBytes: 200_000 }, config: { listen } });
    onTestFinished(() => bench.close());
    const mine = from("2001:db8::1");
    const halves = [await connect(bench.port, part(message, 45_000, 60_000, mine))];
    await expect.poll(bench.metrics).toContain("afterword_held_bytes 45000");
    const post = async (address: string): Promise<number> =>
      (await rawRequest(bench.port, rawPost(message, " ".repeat(20_000), [from(address).trim()])))
        .status;
    expect(await post("2001:db8::2")).toBe(503);
    expect(await post("2001:db8:0:1::1")).toBe(200);
    for (const half of halves) half.destroy();
    await expect.poll(bench.metrics).toContain("afterword_held_bytes 0");
    expect(await post("2001:db8::2")).toBe(200);
  });

  it("takes a quarter of the memory at the embedded backend, and others have the rest", async () => {
    const gateway = await embeddedGateway({
      top: "limits: { heldBytes: 4MiB }\nlisten: { trustProxies: [127.0.0.1] }",
    });
    onTestFinished(() => gateway.close());
    const port = Number(new URL(gateway.url).port);
    const accessToken = await gateway.login();
    const upload = (address: string, length: number): string =>
      part(
        "/ticketing/v1/media",
        700_000,
        length,
        `${from(address)}x-inbenta-key: ${embeddedKeys.apiKey}\r\nAuthorization: Bearer ${accessToken}\r\n`,
      );
    await connect(port, upload("203.0.113.9", 2_000_000));
    await expect.poll(gateway.metrics).toMatch(/afterword_held_bytes [78]\d{5}\n/);
    expect((await rawRequest(port, upload("203.0.113.9", 700_000))).status).toBe(503);
    expect((await rawRequest(port, upload("203.0.113.10", 700_000))).status).toBe(422);
  });
});

it("bodies that the stand-alone backend reads have their own limit", async () => {
  const bodies = createByteBudget(() => 1_000_000);
  const faults: unknown[] = [];
  const report = (error: unknown): void => void faults.push(error);
  const backend = await open({ bodies, report });
  const listener = createAppListener(backend.app, { onError: report });
  const { port } = await listener.listen(0, "127.0.0.1");
  onTestFinished(async () => {
    await listener.drain(0);
    await backend.close();
  });
  const fields = Object.entries(await login(backend.app))
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  const half = await connect(port, part("/ticketing/v1/media", 900_000, 2_000_000, fields));
  await expect.poll(() => bodies.held).toBe(900_000);
  const refused = await rawRequest(port, part("/ticketing/v1/media", 300_000, 300_000, fields));
  expect(refused.status).toBe(503);
  expect(refused.headers.join("|")).toMatch(/retry-after\|1/i);
  half.destroy();
  await expect.poll(() => bodies.held).toBe(0);
  expect(faults).toEqual([]);
});
