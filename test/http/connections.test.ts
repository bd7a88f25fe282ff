import { execFile } from "node:child_process";
import { stat } from "node:fs";
import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, vi } from "vitest";
import {
  ascii,
  freeAgain,
  holdTime,
  receive,
  type Received,
  request,
  silentReceiver,
  transport,
  upstream,
} from "../runtime/node/support.ts";

const hidden = "GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n";
const announced = ["Host", "a", "Content-Length", String(hidden.length)];

describe("a connection is not used again", () => {
  it.each(
    ["GET", "HEAD", "OPTIONS", "DELETE"].flatMap((method) => [
      { method, how: "whole", body: () => Buffer.from(hidden) },
      { method, how: "streamed", body: () => pieces(hidden.slice(0, 9), hidden.slice(9)) },
    ]),
  )(
    "after a $how body with $method, which the upstream may take for a request",
    async ({ method, body }) => {
      const to = await upstream({ onConnection: ignoreBodies });
      const over = transport();
      const first = { method, path: "/first", headers: announced, body: body() };
      expect((await receive(over, request(to, first))).status).toBe(200);
      const next = await receive(over, request(to, { path: "/next" }));
      expect([ascii(next.body), to.connections]).toEqual(["/next", 2]);
    },
  );

  it("after HEAD, whose answer may wrongly have a body", async () => {
    const late = answer("another's");
    const to = await upstream({
      onConnection(socket) {
        socket.once("data", (bytes) => {
          const isHead = bytes.toString().startsWith("HEAD");
          socket.write(
            isHead
              ? `HTTP/1.1 200 OK\r\nContent-Length: ${late.length}\r\n\r\n`
              : answer("its own"),
          );
          socket.on("data", () => socket.write(late));
        });
      },
    });
    const over = transport();
    expect((await receive(over, request(to, { method: "HEAD" }))).status).toBe(200);
    const next = await receive(over, request(to));
    expect([ascii(next.body), to.connections]).toEqual(["its own", 2]);
  });

  it.each([
    ["bytes that nobody asked for", sendUnasked],
    ["an end", endNow],
    ["a reset", reset],
  ])("when %s came while it was unused for a moment", async (_what, happen) => {
    const { to, sockets } = await answering();
    const over = transport();
    await receive(over, request(to));
    await freeAgain();
    // The event loop does not turn between this and the request, so the connection has not been
    // looked at.
    for (const socket of sockets) await happen(socket);
    const next = await receive(over, request(to, { method: "POST", body: Buffer.from("x") }));
    expect([ascii(next.body), next.failure, to.connections]).toEqual(["its own", null, 2]);
  });

  it("when a reset came in the same turn as the request", async () => {
    const { to, sockets } = await answering();
    const over = transport();
    await receive(over, request(to));
    await freeAgain();
    const next = await new Promise<Received>((resolve) => {
      // Such a callback runs while the loop handles events that it has already fetched.
      stat(import.meta.filename, () => {
        for (const socket of sockets) socket.resetAndDestroy();
        resolve(receive(over, request(to, { method: "POST", body: Buffer.from("x") })));
      });
    });
    expect([ascii(next.body), next.failure, to.connections]).toEqual(["its own", null, 2]);
  });

  it.each([
    { what: "closed one", happen: endNow },
    { what: "reset one", happen: reset },
  ])("for ten seconds after the upstream $what soon after its answer", async ({ happen }) => {
    holdTime();
    const { to, sockets } = await answering();
    const over = transport();
    const connectionsAfter = async (requests: number): Promise<number> => {
      for (let i = 0; i < requests; i++) {
        expect((await receive(over, request(to))).failure).toBeNull();
        await freeAgain();
      }
      return to.connections;
    };
    expect(await connectionsAfter(1)).toBe(1);
    vi.advanceTimersByTime(999);
    for (const socket of sockets) await happen(socket);
    await freeAgain();
    expect(await connectionsAfter(2)).toBe(3);
    vi.advanceTimersByTime(10_000);
    expect(await connectionsAfter(2)).toBe(4);
  });

  it("for ten seconds after the upstream closed one soon after its answer, under a request", async () => {
    holdTime();
    let requests = 0;
    const to = await upstream({
      onConnection(socket) {
        socket.on("data", () => {
          if (++requests === 2) socket.end();
          else socket.write(answer("its own"));
        });
      },
    });
    const over = transport();
    const failures: (string | undefined)[] = [];
    for (let i = 0; i < 4; i++) {
      failures.push((await receive(over, request(to))).failure?.detail);
      await freeAgain();
    }
    expect(failures).toEqual([undefined, "closed before its answer", undefined, undefined]);
    expect(to.connections).toBe(3);
  });
});

describe("a connection is used again", () => {
  it.each([
    ["no body with GET", { method: "GET", body: null }],
    ["a whole body with POST", { method: "POST", body: Buffer.from("abc") }],
    ["a streamed body with POST", { method: "POST", body: pieces("a", "bc") }],
  ])("after %s", async (_what, sent) => {
    const to = await upstream();
    const over = transport();
    await receive(over, request(to, sent));
    await freeAgain();
    expect((await receive(over, request(to))).failure).toBeNull();
    expect([to.requests.length, to.connections]).toEqual([2, 1]);
  });

  it("after the upstream closed another that had been unused for a second", async () => {
    holdTime();
    const { to, sockets } = await answering();
    const over = transport();
    await receive(over, request(to));
    await freeAgain();
    vi.advanceTimersByTime(1000);
    for (const socket of sockets) await endNow(socket);
    await freeAgain();
    for (let i = 0; i < 2; i++) {
      await receive(over, request(to));
      await freeAgain();
    }
    expect(to.connections).toBe(2);
  });
});

describe("an unused connection", () => {
  it("keeps its age when a request was cancelled before it was sent", async () => {
    holdTime();
    const to = await upstream();
    const over = transport({ keepAlive: 2000 });
    await receive(over, request(to));
    await freeAgain();
    vi.advanceTimersByTime(600);
    over.send(request(to, { path: "/cancelled" }), silentReceiver())();
    await freeAgain();
    // One second before its time limit it is closed.
    vi.advanceTimersByTime(600);
    await receive(over, request(to, { path: "/next" }));
    expect(to.requests.map(({ target, connection }) => [target, connection])).toEqual([
      ["/", 1],
      ["/next", 2],
    ]);
  });

  it("does not keep the process running when its request was cancelled while it was opened", async () => {
    const to = await upstream();
    const program = fileURLToPath(new URL("programs/cancelled-request.ts", import.meta.url));
    // A connection that is kept in use would run into this limit, and fail.
    await promisify(execFile)(process.execPath, [program, to.origin], { timeout: 60_000 });
    await expect.poll(() => to.connections).toBe(1);
    expect(to.requests).toEqual([]);
  });
});

describe("closing the transport", () => {
  it("fails a request that waits for a connection used before, and leaves none open", async () => {
    holdTime();
    const to = await upstream();
    const over = transport();
    await receive(over, request(to));
    await freeAgain();
    // It was idle too long to be trusted.
    vi.advanceTimersByTime(100);
    const waiting = receive(over, request(to));
    over.close();
    expect((await waiting).failure).toMatchObject({ kind: "unreachable", sent: false });
    await to.idle();
    expect([to.requests.length, to.connections]).toEqual([1, 1]);
  });

  it("fails a request that is connecting, of which nothing was sent", async () => {
    const to = await upstream();
    const over = transport();
    const connecting = receive(over, request(to));
    over.close();
    expect((await connecting).failure).toMatchObject({ kind: "broken", sent: false });
    expect(to.requests).toEqual([]);
  });
});

async function answering() {
  const sockets: Socket[] = [];
  const to = await upstream({
    onConnection(socket) {
      sockets.push(socket);
      socket.on("data", () => socket.write(answer("its own")));
    },
  });
  return { to, sockets };
}

/**
 * Answers each request with its path, and delays the answer to the hidden one until another request
 * follows.
 */
function ignoreBodies(socket: Socket): void {
  const waiting: string[] = [];
  let text = "";
  socket.on("data", (bytes: Buffer) => {
    const heads = (text + bytes.toString("latin1")).split("\r\n\r\n");
    text = heads.pop() ?? "";
    waiting.push(...heads);
    while (waiting.length > (waiting[0]?.includes("/hidden") === true ? 1 : 0)) {
      const [method, path = ""] = waiting.shift()?.split(" ") ?? [];
      socket.write(method === "HEAD" ? answer("") : answer(path));
    }
  });
}

function answer(body: string): string {
  return `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

async function sendUnasked(socket: Socket): Promise<void> {
  socket.write(answer("another's"));
}

async function endNow(socket: Socket): Promise<void> {
  socket.end();
  // It leaves in a later tick.
  for (let i = 0; i < 2; i++) await new Promise<void>((resolve) => process.nextTick(resolve));
}

async function reset(socket: Socket): Promise<void> {
  socket.resetAndDestroy();
}
