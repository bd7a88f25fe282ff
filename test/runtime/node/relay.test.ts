// Suite: slow
import { expect, it } from "vitest";
import { rawConnect, rawRequest } from "../../../src/testing/index.ts";
import { ascii, gate, generous, serveRelay, transport, upstream } from "./support.ts";
import { settled, turns } from "../../fixtures/turns.ts";

const chunked = ["Transfer-Encoding", "chunked"];

it("passes an answer on byte for byte: line, fields, body", async () => {
  const raw =
    "HTTP/1.1 226 \u00dcber\r\nset-cookie: a\r\nSet-Cookie: b\r\nX-E: \u00e9\r\nx-e:\r\n" +
    "content-LENGTH: 4\r\nX-Last: 1\r\n\r\n\u0000\u00ff\r\n";
  const to = await upstream({ handler: () => ({ raw: Buffer.from(raw, "latin1") }) });
  const { port } = await serveRelay(to, transport());
  const answer = await rawRequest(port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  expect(ascii(answer.head) + ascii(answer.body)).toBe(raw.replace("x-e:\r\n", "x-e: \r\n"));
});

it("passes chunks and trailers on both ways as they come", async () => {
  const to = await upstream({
    handler: (request) => ({
      headers: chunked,
      body: [request.body, "!"],
      trailers: ["X-T", "1", "x-t", "2"],
    }),
  });
  const { port } = await serveRelay(to, transport());
  const head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  const answer = await rawRequest(port, `${head}3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nX-Sum: 1\r\n\r\n`);
  expect([ascii(answer.body), answer.trailers]).toEqual(["abcde!", ["X-T", "1", "x-t", "2"]]);
  expect(to.requests[0]!.headers).toContain("transfer-encoding");
});

it("delivers an event before the upstream has said the next", async () => {
  const seen = gate();
  const body = async function* (): AsyncGenerator<string> {
    yield "data: one\n\n";
    await seen.opened;
    yield "data: two\n\n";
  };
  const to = await upstream({
    handler: () => ({ headers: ["Content-Type", "text/event-stream", ...chunked], body: body() }),
  });
  const { port } = await serveRelay(to, transport());
  const connection = await rawConnect(port);
  connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  await connection.waitFor("data: one\n\n");
  seen.open();
  expect(ascii((await connection.answer()).body)).toBe("data: one\n\ndata: two\n\n");
  connection.destroy();
});

it("holds the upstream back for a client that does not read", async () => {
  const piece = Buffer.alloc(65_536, "x");
  const total = 1000;
  let written = 0;
  const body = async function* (): AsyncGenerator<Uint8Array> {
    for (; written < total; written++) yield piece;
  };
  const to = await upstream({ handler: () => ({ headers: chunked, body: body() }) });
  const { port } = await serveRelay(to, transport());
  const connection = await rawConnect(port);
  connection.socket.pause();
  connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  // Nothing moves any more when all buffers on the way are full.
  expect(await settled(() => written)).toBeLessThan(total / 2);
  connection.socket.resume();
  expect((await connection.answer()).body).toHaveLength(total * piece.length);
  connection.destroy();
});

it("closes the upstream's request when the client leaves", async () => {
  const to = await upstream({
    handler: () => ({ headers: chunked, body: endless() }),
  });
  const { port } = await serveRelay(to, transport());
  const connection = await rawConnect(port);
  connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  await connection.waitFor("tick");
  connection.destroy();
  await to.idle();
  expect(to.open).toBe(0);
});

it("stops an upload when the client leaves", async () => {
  const to = await upstream({ answerOn: "complete" });
  const { port } = await serveRelay(to, transport());
  const connection = await rawConnect(port);
  connection.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc");
  while (to.requests.length === 0) await turns(1);
  connection.destroy();
  await to.idle();
  expect(to.requests[0]!.complete).toBe(false);
});

it("breaks the client's answer off when the upstream breaks off", async () => {
  const to = await upstream({
    handler: ({ target }) => ({
      raw: `HTTP/1.1 200 OK\r\n${target === "/c" ? "Transfer-Encoding: chunked\r\n\r\n4\r\n" : "Content-Length: 9\r\n\r\n"}part${target === "/c" ? "\r\n" : ""}`,
      close: true,
    }),
  });
  const { port } = await serveRelay(to, transport());
  for (const target of ["/c", "/l"]) {
    const answer = await rawRequest(port, `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect(answer).toMatchObject({ status: 200, complete: false });
    expect(ascii(answer.body)).toBe("part");
  }
});

it("gives an answer on that comes before the request's end", async () => {
  const to = await upstream({
    answerOn: "head",
    handler: () => ({ status: 413, reason: "Enough", headers: ["Content-Length", "0"] }),
  });
  const { port } = await serveRelay(to, transport());
  const connection = await rawConnect(port);
  connection.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc");
  expect(await connection.answer()).toMatchObject({ status: 413, reason: "Enough" });
  connection.destroy();
});

it("serves many clients at once after all of that, some of which leave", async () => {
  const to = await upstream({ handler: ({ target }) => ({ body: target }) });
  const over = transport();
  const { port } = await serveRelay(to, over, { ...generous });
  const one = async (i: number): Promise<string> => {
    const connection = await rawConnect(port);
    connection.send(`GET /${i} HTTP/1.1\r\nHost: a\r\n\r\n`);
    if (i % 3 === 0) {
      connection.destroy();
      return "";
    }
    const answer = await connection.answer();
    connection.destroy();
    return ascii(answer.body);
  };
  const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => one(i)));
  expect(answers).toEqual(answers.map((_, i) => (i % 3 === 0 ? "" : `/${i}`)));
});

async function* endless(): AsyncGenerator<string> {
  for (;;) {
    yield "tick";
    await turns(1);
  }
}
