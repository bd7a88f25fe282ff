import { expect, it, onTestFinished } from "vitest";
import { createListener } from "../../../../src/runtime/node/server/listener.ts";
import type { OpenTunnel } from "../../../../src/runtime/node/server/tunnel.ts";
import { createUpgrades } from "../../../../src/runtime/node/server/upgrades.ts";
import { rawConnect } from "../../../../src/testing/index.ts";
import { startBench } from "../../../gateway/harness.ts";

it("closes the connection, counts it as ended and tells its owner when a tunnel throws", async () => {
  const bench = await startBench({});
  const { gateway } = bench.running;
  const streams: boolean[] = [];
  const open: OpenTunnel = async () => {
    streams.push(bench.metrics().includes("afterword_streams 1"));
    throw new Error("no way");
  };
  const unexpected = (): never => expect.fail("an upgrade is no request");
  const listener = createListener(unexpected, {
    upgrade: createUpgrades(
      () => gateway,
      open,
      () => false,
    ),
  });
  const { port } = await listener.listen(0, "127.0.0.1");
  onTestFinished(async () => {
    await listener.drain(0);
    await bench.close();
  });
  const client = await rawConnect(port);
  client.send(
    "GET /chatbot/v1/live HTTP/1.1\r\nHost: g\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n\r\n",
  );
  await client.closed();
  expect([client.received(), streams]).toEqual(["", [true]]);
  await expect
    .poll(() => bench.logs)
    .toContainEqual({
      level: "error",
      event: "internal-error",
      fields: { route: "upgrade", detail: "Error: no way" },
    });
  expect(bench.metrics()).toContain("afterword_streams 0");
});
