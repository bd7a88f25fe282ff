import { Client } from "undici";
import { expect, it, onTestFinished } from "vitest";
import { createClientPool } from "../../../src/runtime/node/client-pool.ts";
import { startScriptedUpstream } from "../../../src/testing/index.ts";

async function open(keepAlive = 4000) {
  const upstream = await startScriptedUpstream();
  let made = 0;
  const pool = createClientPool(() => {
    made++;
    return new Client(upstream.origin, { keepAliveTimeout: keepAlive });
  });
  onTestFinished(async () => {
    await pool.destroy();
    await upstream.close();
  });
  return { upstream, pool, made: () => made };
}

async function use(client: Client): Promise<void> {
  const { body } = await client.request({ path: "/", method: "GET" });
  await body.text();
}

it("hands out the client that came free last, and a new one only when none is free", async () => {
  const { pool, made } = await open();
  const [one, two] = [pool.take(), pool.take()];
  expect(made()).toBe(2);
  await Promise.all([use(one), use(two)]);
  pool.give(one, false);
  pool.give(two, false);
  expect(pool.take()).toBe(two);
  expect(pool.take()).toBe(one);
  expect(made()).toBe(2);
});

it("forgets a client whose connection was closed while nobody used it", async () => {
  const { pool, upstream, made } = await open(2100);
  const one = pool.take();
  await use(one);
  pool.give(one, false);
  await upstream.idle();
  await expect.poll(() => one.destroyed).toBe(true);
  const next = pool.take();
  expect(next).not.toBe(one);
  await use(next);
  expect(made()).toBe(2);
});

it("does not hand out a client again that has lost its connection", async () => {
  const { pool, upstream } = await open();
  const one = pool.take();
  await upstream.close();
  await expect(use(one)).rejects.toThrow(/ECONN|other side|closed|connect/);
  pool.give(one, true);
  expect(pool.take()).not.toBe(one);
});

it("closes what is given back after it was closed", async () => {
  const { pool } = await open();
  const one = pool.take();
  await use(one);
  pool.close();
  pool.give(one, false);
  await expect.poll(() => one.destroyed).toBe(true);
});
