import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAppListener } from "../../../src/runtime/node/server/app-listener.ts";
import { openBackend } from "../../../src/backend/node.ts";
import { embeddedGateway } from "../../backend/embedded-gateway.ts";
import { contentDirectory } from "../../backend/client.ts";
import { startBench } from "../../gateway/harness.ts";

const LIMIT = 1024 * 1024;
const body = Buffer.alloc(4 * LIMIT, "x");
const chunked = Buffer.concat([
  Buffer.from(`${body.length.toString(16)}\r\n`),
  body,
  Buffer.from("\r\n0\r\n\r\n"),
]);

describe("a request above the limit, of a client that sends all of it before it reads", () => {
  const servers: readonly (readonly [string, () => Promise<number>])[] = [
    ["a gateway in front of a vendor", vendorGateway],
    ["a gateway with its own backend", ownGateway],
    ["a backend that runs alone", backendAlone],
  ];
  it.each(servers)("gets its 413 from %s, each time", async (_, start) => {
    const port = await start();
    for (const path of ["/v1/conversation/message", "/v1/conversation"]) {
      for (let time = 0; time < 5; time++) {
        expect(await send(port, path, `Content-Length: ${body.length}`, body)).toMatch(
          /^HTTP\/1.1 413 /,
        );
      }
    }
  });

  it("gets it when it sends chunks, and the end of the connection", async () => {
    const port = await backendAlone();
    for (let time = 0; time < 5; time++) {
      const answer = await send(port, "/v1/auth", "Transfer-Encoding: chunked", chunked);
      expect(answer).toMatch(/^HTTP\/1.1 413 /);
      expect(answer).toMatch(/^connection: close\r$/im);
    }
  });
});

async function vendorGateway(): Promise<number> {
  const bench = await startBench({ limits: { requestBytes: LIMIT } });
  onTestFinished(() => bench.close());
  return bench.port;
}

async function ownGateway(): Promise<number> {
  const gateway = await embeddedGateway({ top: "limits: { requestBytes: 1MiB }" });
  onTestFinished(() => gateway.close());
  return Number(new URL(gateway.url).port);
}

async function backendAlone(): Promise<number> {
  const backend = await openBackend({
    content: contentDirectory,
    database: null,
    signingKeys: [new Uint8Array(32)],
    demo: true,
    bodyLimit: LIMIT,
  });
  const listener = createAppListener(backend.app);
  const { port } = await listener.listen(0, "127.0.0.1");
  onTestFinished(async () => {
    await listener.drain(0);
    await backend.close();
  });
  return port;
}

/**
 * Everything that the server sends until it closes the connection; the error instead if it broke.
 */
function send(port: number, path: string, length: string, sent: Buffer): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const head = [
    "POST " + path + " HTTP/1.1",
    "Host: 127.0.0.1",
    "Content-Type: application/json",
    "x-vendor-key: demo-key",
    length,
  ];
  const socket = connect(port, "127.0.0.1");
  let output = "";
  socket.pause();
  socket.on("error", (error) =>
    resolve(`broken by ${error.message} after: ${output.slice(0, 40)}`),
  );
  socket.on("end", () => resolve(output));
  socket.on("data", (bytes) => (output += bytes.toString("latin1")));
  socket.write(Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), sent]), () => {
    socket.resume();
  });
  return promise;
}
