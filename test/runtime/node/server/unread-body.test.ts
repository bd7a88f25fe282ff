import type { RequestListener } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { NodeExchange } from "../../../../src/runtime/node/server/exchange.ts";
import { createListener } from "../../../../src/runtime/node/server/listener.ts";
import { holdTime } from "../support.ts";
import { rawConnect } from "../../../../src/testing/index.ts";

/** Answers after ten bytes of the body and reads no further. */
const answer: RequestListener = (incoming, outgoing) => {
  const { body, reply } = new NodeExchange(incoming, outgoing);
  const say = (): void =>
    reply.send(200, "OK", ["Content-Length", "2"], new TextEncoder().encode("hm"));
  void body?.peek(10).then(say);
};

async function connect() {
  const listener = createListener(answer);
  const { port } = await listener.listen(0, "127.0.0.1");
  const connection = await rawConnect(port);
  onTestFinished(async () => {
    connection.destroy();
    await listener.drain(0);
  });
  return connection;
}

function post(length: number, body: string): string {
  return `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n${body}`;
}

it("reads the rest of an unused body, so that the next request can be read", async () => {
  const connection = await connect();
  // It reads for half a second of time that the test holds, because a busy machine may need longer.
  holdTime();
  for (let i = 0; i < 3; i++) connection.send(post(400_000, "x".repeat(400_000)));
  for (let i = 0; i < 3; i++) expect((await connection.answer()).status).toBe(200);
});

it("does not wait for ever for the rest of such a body", async () => {
  const connection = await connect();
  connection.send(post(400_000, "x".repeat(100_000)));
  expect((await connection.answer()).status).toBe(200);
  await connection.closed();
});
