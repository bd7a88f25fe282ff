import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createAppListener } from "../../src/runtime/node/server/app-listener.ts";
import { clock, login, open } from "./client.ts";
import { turns } from "../fixtures/turns.ts";

it("the answer to a client that has gone is dropped, and the next client gets its own", async () => {
  const errors: unknown[] = [];
  const backend = await open({ now: clock().now });
  const listener = createAppListener(backend.app, { onError: (error) => errors.push(error) });
  const { port } = await listener.listen(0, "127.0.0.1");
  onTestFinished(async () => {
    await listener.drain(1000);
    await backend.close();
  });
  const headers = { ...(await login(backend.app)), "content-type": "application/json" };
  const body = JSON.stringify({ query: "where is my order" });
  const fields = Object.entries({ ...headers, "content-length": String(body.length) });
  const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  for (let client = 0; client < 20; client += 1) {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(`POST /knowledge/v1/search HTTP/1.1\r\nhost: a\r\n${head}\r\n${body}`, () =>
      socket.destroy(),
    );
  }
  await turns();
  const search = `http://127.0.0.1:${port}/knowledge/v1/search`;
  const response = await fetch(search, { method: "POST", headers, body });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ results: expect.anything() });
  expect(errors).toEqual([]);
});
