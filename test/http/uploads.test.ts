import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { ascii, gate, receive, request, transport, upstream } from "../runtime/node/support.ts";
import { settled, turns } from "../fixtures/turns.ts";

it.each([
  ["longer", "abcdef"],
  ["shorter", "abc"],
])("a streamed body that is %s than announced is broken off", async (_what, sent) => {
  const to = await upstream();
  const headers = ["Host", "a", "Content-Length", "5"];
  const body = pieces(sent.slice(0, 2), sent.slice(2));
  const answer = await receive(transport(), request(to, { method: "POST", headers, body }));
  expect(answer.failure).toMatchObject({ kind: "broken", sent: true });
  await to.idle();
  expect(to.requests.filter(({ complete }) => complete)).toEqual([]);
});

it("an answer that comes before the body is sent is brought, and ends the upload and its connection", async () => {
  const left = gate();
  let connections = 0;
  const origin = await serve((socket) => {
    connections++;
    socket.once("data", () => socket.write("HTTP/1.1 413 Large\r\nContent-Length: 2\r\n\r\nno"));
  });
  const over = transport();
  const body = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        yield Buffer.alloc(1000);
        await turns(1);
      }
    } finally {
      left.open();
    }
  };
  const answer = await receive(over, request(origin, { method: "POST", body: body() }));
  expect([answer.status, ascii(answer.body), answer.failure]).toEqual([413, "no", null]);
  await left.opened;
  expect(await receive(over, request(origin))).toMatchObject({ status: 413 });
  expect(connections).toBe(2);
});

it("a body is read no faster than the upstream takes it", async () => {
  const reading = gate();
  let made = 0;
  const piece = Buffer.alloc(65_536, "x");
  const total = 600;
  const origin = await serve((socket) => {
    socket.pause();
    void reading.opened.then(() => socket.resume());
    let seen = 0;
    socket.on("data", (bytes: Buffer) => {
      seen += bytes.length;
      if (bytes.subarray(-5).toString() === "0\r\n\r\n") {
        socket.write(`HTTP/1.1 200 OK\r\nX-Seen: ${seen}\r\nContent-Length: 0\r\n\r\n`);
      }
    });
  });
  const body = async function* (): AsyncGenerator<Uint8Array> {
    for (; made < total; made++) yield piece;
  };
  const answered = receive(transport(), request(origin, { method: "POST", body: body() }));
  // A sender without back-pressure goes on until it has sent all of it.
  expect(await settled(() => made)).toBeLessThan(total / 2);
  reading.open();
  const answer = await answered;
  expect([made, answer.failure]).toEqual([total, null]);
  expect(Number(answer.headers[1])).toBeGreaterThan(total * piece.length);
});

it("a body that never ends holds nothing once the request is cancelled", async () => {
  const begun = gate();
  const left = gate();
  const origin = await serve((socket) => socket.once("data", () => begun.open()));
  const body = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        yield Buffer.from("x");
        await turns(1);
      }
    } finally {
      left.open();
    }
  };
  const cancel = transport().send(request(origin, { method: "POST", body: body() }), {
    head: () => undefined,
    data: () => undefined,
    end: () => undefined,
    fail: () => undefined,
  });
  await begun.opened;
  cancel();
  await left.opened;
});

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

async function serve(accept: (socket: Socket) => void): Promise<string> {
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    accept(socket);
  });
  const sockets = new Set<Socket>();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
