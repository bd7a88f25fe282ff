import type { HeldAnswer } from "../../../src/http/types.ts";
import { Hono } from "hono";
import { streamSSE } from "hono/streaming";
import { expect, it } from "vitest";
import { createEmbeddedTransport } from "../../../src/runtime/node/embedded.ts";
import { combineTransports } from "../../../src/runtime/node/transport.ts";
import {
  gate,
  generous,
  receive,
  request,
  silentReceiver,
  transport,
  upstream,
} from "./support.ts";
import { turns } from "../../fixtures/turns.ts";

const embedded = (path: string, overrides: object = {}) =>
  request("embedded:chatbot", {
    path,
    headers: ["Host", "a.example", "X-A", "1", "x-a", "2"],
    ...overrides,
  });

it("calls the app with the product before the path, and gives its answer back", async () => {
  const app = new Hono().post("/chatbot/v1/:id", async (c) => {
    c.header("Set-Cookie", "a=1");
    c.header("set-cookie", "b=2", { append: true });
    return c.json({ url: c.req.url, x: c.req.header("x-a"), body: await c.req.text() }, 201);
  });
  const over = createEmbeddedTransport((one) => app.fetch(one));
  const body = Buffer.from("hi");
  const answer = await receive(over, embedded("/v1/7?q=%7E", { method: "POST", body }));
  expect(JSON.parse(answer.body.toString())).toEqual({
    url: "http://embedded/chatbot/v1/7?q=%7E",
    x: "1, 2",
    body: "hi",
  });
  expect(answer).toMatchObject({ status: 201, reason: "Created", failure: null });
  expect(answer.headers.filter((_, i) => answer.headers[i - 1] === "set-cookie")).toEqual([
    "a=1",
    "b=2",
  ]);
});

it("streams a request body in", async () => {
  const app = new Hono().put("*", async (c) => c.text(await c.req.text()));
  const over = createEmbeddedTransport((one) => app.fetch(one));
  const answer = await receive(over, embedded("/", { method: "PUT", body: twoPieces() }));
  expect(answer.body.toString()).toBe("ab");
});

it("passes each event on when it is written", async () => {
  const seen = gate();
  const app = new Hono().get("*", (c) =>
    streamSSE(c, async (stream) => {
      await stream.writeSSE({ data: "one" });
      await seen.opened;
      await stream.writeSSE({ data: "two" });
    }),
  );
  const over = createEmbeddedTransport((one) => app.fetch(one));
  const answer = await receive(over, embedded("/"), { data: () => seen.open() });
  expect(answer.body.toString()).toBe("data: one\n\ndata: two\n\n");
});

it("asks the app for no more while it is paused", async () => {
  let pulled = 0;
  const body = (): ReadableStream<Uint8Array> =>
    new ReadableStream(
      {
        pull(controller) {
          if (++pulled === 100) controller.close();
          else controller.enqueue(Buffer.alloc(1024));
        },
      },
      { highWaterMark: 1 },
    );
  const over = createEmbeddedTransport(() => new Response(body()));
  let held: HeldAnswer | null = null;
  let whilePaused = Number.POSITIVE_INFINITY;
  const answer = await receive(over, embedded("/"), {
    head(stream) {
      held = stream;
    },
    data() {
      if (held === null) return;
      const stream: HeldAnswer = held;
      held = null;
      stream.pause();
      void (async () => {
        await turns();
        whilePaused = pulled;
        stream.resume();
      })();
    },
  });
  expect(answer.body).toHaveLength(99 * 1024);
  expect(whilePaused).toBeLessThan(5);
});

it("tells the app when it is cancelled, and says nothing more", async () => {
  const aborted = gate();
  const begun = gate();
  const over = createEmbeddedTransport(
    (one) =>
      new Promise((resolve) => {
        one.signal.addEventListener("abort", () => {
          aborted.open();
          resolve(new Response("late"));
        });
        begun.open();
      }),
  );
  const called: string[] = [];
  const note = (name: string) => () => void called.push(name);
  const cancel = over.send(
    embedded("/"),
    silentReceiver({ head: note("head"), end: note("end"), fail: note("fail") }),
  );
  await begun.opened;
  cancel();
  await aborted.opened;
  await new Promise((resolve) => setImmediate(resolve));
  expect(called).toEqual([]);
});

it("reports an app that throws, breaks off or takes too long", async () => {
  const throwing = createEmbeddedTransport(() => {
    throw new Error("a secret");
  });
  const failure = (await receive(throwing, embedded("/"))).failure;
  expect(failure).toMatchObject({ kind: "broken" });
  expect(failure!.detail).not.toContain("secret");

  const breaking = createEmbeddedTransport(
    () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.error(new Error("cut")),
        }),
      ),
  );
  expect(await receive(breaking, embedded("/"))).toMatchObject({
    status: 200,
    failure: { kind: "broken" },
  });

  const slow = createEmbeddedTransport(() => new Promise(() => undefined));
  const timeouts = { ...generous, headers: 30 };
  const asked = performance.now();
  expect((await receive(slow, embedded("/", { timeouts }))).failure).toMatchObject({
    kind: "timeout",
    detail: "headers timeout",
  });
  // The time to connect is not added, because no connection is made.
  expect(performance.now() - asked).toBeLessThan(generous.connect);
});

it("is reached by embedded addresses alone, and nothing is dialled for them", async () => {
  const to = await upstream();
  const over = combineTransports(
    createEmbeddedTransport(() => new Response("in")),
    transport(),
  );
  expect((await receive(over, embedded("/"))).body.toString()).toBe("in");
  expect((await receive(over, request(to))).body.toString()).toBe("{}");
  const none = combineTransports(null, transport());
  expect((await receive(none, embedded("/"))).failure).toMatchObject({
    kind: "refused",
    sent: false,
  });
  expect((await receive(transport(), embedded("/"))).failure).toMatchObject({ kind: "refused" });
});

async function* twoPieces(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("a");
  yield Buffer.from("b");
}
