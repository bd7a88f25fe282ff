import type { Socket } from "node:net";
import { expect, it } from "vitest";
import { rawConnect } from "../../../../src/testing/index.ts";
import { ascii, gate, serveExchanges } from "../support.ts";

const get = (target: string, fields = ""): string =>
  `GET ${target} HTTP/1.1\r\nHost: a\r\n${fields}\r\n`;

/** Delays the answer to /slow, and mirrors everything else. */
async function serveSlowly() {
  const slow = gate();
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const { port, listener } = await serveExchanges(
    async ({ target, body, reply }, incoming) => {
      seen.push(target);
      sockets.add(incoming.socket);
      const bytes = (await body?.peek(100))?.bytes ?? Buffer.from(target);
      if (target === "/slow") await slow.opened;
      reply.send(200, "OK", ["Content-Length", String(bytes.length)], bytes);
    },
    { upgrade: { accepts: () => true, open: (_incoming, socket) => socket.end("tunnel") } },
  );
  const connection = await rawConnect(port);
  return { connection, seen, slow, sockets, listener };
}

it("a request that was sent ahead begins when the answer before it is over", async () => {
  const { connection, seen, slow } = await serveSlowly();
  connection.send(
    get("/slow") +
      "POST /2 HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\nbody" +
      get("/3"),
  );
  connection.send(get("/4"));
  await expect.poll(() => seen).toEqual(["/slow"]);
  slow.open();
  const answers = [];
  for (let i = 0; i < 4; i++) answers.push(ascii((await connection.answer()).body));
  expect(answers).toEqual(["/slow", "body", "/3", "/4"]);
  expect(seen).toEqual(["/slow", "/2", "/3", "/4"]);
  connection.destroy();
});

it("hundreds of requests that were sent ahead are answered in order", async () => {
  const { connection, seen, slow } = await serveSlowly();
  const targets = Array.from({ length: 900 }, (_, i) => `/${i}`);
  connection.send(
    get("/slow") + targets.map((target) => get(target, `X: ${"x".repeat(100)}\r\n`)).join(""),
  );
  await expect.poll(() => seen).toEqual(["/slow"]);
  slow.open();
  await connection.answer();
  for (const target of targets) expect(ascii((await connection.answer()).body)).toBe(target);
  connection.destroy();
});

it("a client that sends thousands of requests without reading an answer loses the connection", async () => {
  const { connection, seen } = await serveSlowly();
  connection.send(get("/slow") + get("/").repeat(3000));
  await connection.closed();
  expect(seen).toEqual(["/slow"]);
});

it("an upgrade that was sent ahead is answered in its turn, without the upgrade", async () => {
  const { connection, slow, seen } = await serveSlowly();
  connection.send(get("/slow") + get("/socket", "Connection: Upgrade\r\nUpgrade: websocket\r\n"));
  await expect.poll(() => seen).toEqual(["/slow"]);
  slow.open();
  expect(ascii((await connection.answer()).body)).toBe("/slow");
  expect(ascii((await connection.answer()).body)).toBe("/socket");
  connection.destroy();
});

it("what was sent ahead is not begun once the server stops", async () => {
  const { connection, slow, seen, listener } = await serveSlowly();
  connection.send(get("/slow") + get("/2"));
  await expect.poll(() => seen).toEqual(["/slow"]);
  const drained = listener.drain(60_000);
  slow.open();
  expect(ascii((await connection.answer()).body)).toBe("/slow");
  await connection.closed();
  expect(await drained).toEqual({ broken: 0 });
  expect(seen).toEqual(["/slow"]);
});

it("what was sent ahead is dropped with a client that leaves", async () => {
  const { connection, slow, seen, sockets } = await serveSlowly();
  connection.send(get("/slow") + get("/2"));
  await expect.poll(() => seen).toEqual(["/slow"]);
  connection.destroy();
  await expect.poll(() => [...sockets].every(({ destroyed }) => destroyed)).toBe(true);
  slow.open();
  expect(seen).toEqual(["/slow"]);
});
