import { expect, it, onTestFinished } from "vitest";
import {
  fieldValues,
  rawConnect,
  rawRequest,
  startScriptedUpstream,
  type ScriptedUpstream,
  type ScriptedUpstreamOptions,
} from "../../src/testing/index.ts";
import { turns } from "../fixtures/turns.ts";

async function start(options: ScriptedUpstreamOptions = {}): Promise<ScriptedUpstream> {
  const upstream = await startScriptedUpstream(options);
  onTestFinished(() => upstream.close());
  return upstream;
}

const get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

it("the upstream records a request byte for byte", async () => {
  const upstream = await start();
  const head =
    "POST /\u00e9?x HTTP/1.1\r\nX-a:1\r\nx-A:  \u00ff\r\nTransfer-Encoding: chunked\r\n\r\n";
  await rawRequest(upstream.port, `${head}2;ext\r\nab\r\n1\r\nc\r\n0\r\nX-T: 1\r\n\r\n`);
  const [request] = upstream.requests;
  expect(request).toMatchObject({
    method: "POST",
    target: "/\u00e9?x",
    startLine: "POST /\u00e9?x HTTP/1.1",
    headers: ["X-a", "1", "x-A", "\u00ff", "Transfer-Encoding", "chunked"],
    chunks: [2, 1],
    trailers: ["X-T", "1"],
    connection: 1,
    complete: true,
  });
  expect([text(request!.head), text(request!.body)]).toEqual([head, "abc"]);
});

it("the upstream answers with exactly the given head, and adds a content length", async () => {
  const upstream = await start({
    handler: () => ({
      status: 299,
      reason: "\u00e9",
      headers: ["b", "1", "A", "2", "b", ""],
      body: "\u00e9",
    }),
  });
  const answer = await rawRequest(upstream.port, get);
  expect(text(answer.head)).toBe(
    "HTTP/1.1 299 \u00e9\r\nb: 1\r\nA: 2\r\nb: \r\ncontent-length: 2\r\n\r\n",
  );
  expect(answer).toMatchObject({ status: 299, reason: "\u00e9", complete: true });
  expect(fieldValues(answer.headers, "B")).toEqual(["1", ""]);
});

it("the upstream writes raw bytes unchanged", async () => {
  const upstream = await start({ handler: () => ({ raw: "no HTTP", close: true }) });
  const connection = await rawConnect(upstream.port);
  connection.send(get);
  await connection.closed();
  expect(connection.received()).toBe("no HTTP");
});

it("the upstream sends each piece of a body as a chunk, and the trailers last", async () => {
  const upstream = await start({
    handler: () => ({
      headers: ["Transfer-Encoding", "chunked"],
      body: ["ab", "", "c"],
      trailers: ["X-T", "1"],
    }),
  });
  const answer = await rawRequest(upstream.port, get);
  expect(answer).toMatchObject({ chunks: [2, 1], trailers: ["X-T", "1"], complete: true });
});

it("the upstream interrupts an answer where its script throws, and the client sees that it is incomplete", async () => {
  const upstream = await start({
    handler: () => ({ headers: ["content-length", "9"], body: breaking() }),
  });
  const answer = await rawRequest(upstream.port, get);
  expect([text(answer.body), answer.complete]).toEqual(["part", false]);
});

it("the upstream answers several requests of one connection in their order", async () => {
  const upstream = await start({
    async handler({ target }) {
      if (target === "/1") await turns();
      return { body: target };
    },
  });
  const connection = await rawConnect(upstream.port);
  connection.send("GET /1 HTTP/1.1\r\n\r\n");
  connection.send("GET /2 HTTP/1.1\r\n\r\n");
  expect(text((await connection.answer()).body)).toBe("/1");
  expect(text((await connection.answer()).body)).toBe("/2");
  expect([upstream.connections, upstream.open]).toEqual([1, 1]);
  connection.destroy();
  await upstream.idle();
});

it("the client reads interim answers separately from the final one", async () => {
  const raw = "HTTP/1.1 103 Hints\r\nLink: x\r\n\r\nHTTP/1.1 204 Fine\r\n\r\n";
  const upstream = await start({ handler: () => ({ raw }) });
  const answer = await rawRequest(upstream.port, get);
  expect(answer).toMatchObject({ status: 204, interim: ["HTTP/1.1 103 Hints\r\nLink: x\r\n\r\n"] });
});

it("the upstream answers further requests after bytes that are not HTTP", async () => {
  const upstream = await start();
  const connection = await rawConnect(upstream.port);
  connection.send("no colon here\r\nreally none\r\n\r\n");
  await connection.closed();
  expect((await rawRequest(upstream.port, get)).status).toBe(200);
});

async function* breaking(): AsyncGenerator<string> {
  yield "part";
  throw new Error("enough");
}
