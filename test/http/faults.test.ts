import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import {
  ascii,
  freeAgain,
  receive,
  request,
  silentReceiver,
  transport,
  upstream,
} from "../runtime/node/support.ts";

describe("an upstream that closes before it has read the request", () => {
  it.each([
    ["whole", () => Buffer.alloc(20_000_000)],
    ["streamed", () => repeated(Buffer.alloc(65_536), 300)],
  ])("completes an answer without a length (%s body)", async (_how, body) => {
    const to = await upstream({
      onConnection: readNoFurther("HTTP/1.1 413 Large\r\nConnection: close\r\n\r\nno"),
    });
    const got = await receive(transport(), request(to, { method: "POST", body: body() }));
    expect([got.status, ascii(got.body), got.failure]).toEqual([413, "no", null]);
  });

  it("breaks an answer that is shorter than announced", async () => {
    const to = await upstream({
      onConnection: readNoFurther("HTTP/1.1 413 Large\r\nContent-Length: 9\r\n\r\nno"),
    });
    const body = Buffer.alloc(20_000_000);
    const got = await receive(transport(), request(to, { method: "POST", body }));
    expect(got).toMatchObject({ status: 413, failure: { kind: "broken", sent: true } });
  });
});

// The parser itself knows that 100, 102 and 103 have no body.
describe("an interim answer with a body", () => {
  const final = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  const chunked = "HTTP/1.1 104 Early\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nHELLO\r\n0\r\n\r\n";
  const sized = (status: number): string =>
    `HTTP/1.1 ${status} Early\r\nContent-Length: 5\r\n\r\nHELLO`;

  it.each([
    ["199 at once with the final one", [sized(199) + final]],
    ["104 at once with the final one", [sized(104) + final]],
    ["104 before the final one", [sized(104), final]],
    ["104 in chunks", [chunked + final]],
  ])("is no HTTP: %s", async (_what, raw) => {
    const to = await upstream({ handler: () => ({ raw: oneByOne(raw) }) });
    const calls: string[] = [];
    const got = await receive(transport(), request(to), {
      head: () => calls.push("head"),
      data: () => calls.push("data"),
    });
    expect([calls, got.failure]).toEqual([
      [],
      { kind: "broken", detail: "not HTTP/1.1", sent: true },
    ]);
    await to.idle();
  });
});

describe("a fault on our side", () => {
  const fault = (): never => {
    throw new Error("a fault of ours");
  };

  it("in a lookup leaves the upstream unreachable", async () => {
    const over = transport({ lookup: fault });
    const got = await receive(over, request("http://upstream.example"));
    expect(got.failure).toMatchObject({ kind: "unreachable", sent: false });
  });

  it("in a body that can't be begun ends its request", async () => {
    const to = await upstream();
    const over = transport();
    const body = { [Symbol.asyncIterator]: fault };
    const got = await receive(over, request(to, { method: "POST", body }));
    expect(got.failure).toMatchObject({ kind: "broken", sent: true });
    await to.idle();
    expect((await receive(over, request(to))).failure).toBeNull();
  });

  it.each([
    ["throws", fault],
    ["gives no promise", () => undefined],
  ])("in a body whose `return` %s takes no answer away", async (_what, leave) => {
    const to = await upstream({ answerOn: "head" });
    const over = transport();
    const iterator = { next: () => new Promise(() => undefined), return: leave };
    const body = { [Symbol.asyncIterator]: () => iterator } as unknown as AsyncIterable<Uint8Array>;
    const got = await receive(over, request(to, { method: "POST", body }));
    expect([ascii(got.body), got.failure]).toEqual(["{}", null]);
    expect((await receive(over, request(to))).failure).toBeNull();
  });

  it.each([
    ["an address that is none", { origin: "ftp://upstream.example" }],
    ["a path that is none", { path: "nowhere" }],
  ])("in `fail` does not reach the caller that asked for %s", async (_what, asked) => {
    const to = await upstream();
    const over = transport();
    const send = (): unknown => over.send(request(to, asked), silentReceiver({ fail: fault }));
    expect(send).not.toThrow();
    expect((await receive(over, request(to))).failure).toBeNull();
  });
});

/** Answers the first bytes, closes its side and leaves the rest unread. */
function readNoFurther(answer: string): (socket: Socket) => void {
  return (socket) => socket.once("data", () => void socket.pause().end(answer));
}

async function* oneByOne(texts: readonly string[]): AsyncGenerator<string> {
  for (const text of texts) {
    yield text;
    await freeAgain();
  }
}

async function* repeated(piece: Uint8Array, times: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < times; i++) yield piece;
}
