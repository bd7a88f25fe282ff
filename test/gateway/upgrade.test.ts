import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { rawConnect } from "../../src/testing/index.ts";
import { startBench } from "./harness.ts";

/** Agrees to every upgrade, then sends back what it hears, in capitals. */
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

const upgrade = (target: string): string =>
  `GET ${target} HTTP/1.1\r\nHost: g\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n\r\n`;

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

  it("is served as a plain request where nothing can be upgraded", async () => {
    const bench = await startBench({});
    const client = await rawConnect(bench.port);
    client.send(upgrade("/_afterword/health"));
    expect((await client.answer()).status).toBe(200);
    client.destroy();
    await bench.close();
  });
});
