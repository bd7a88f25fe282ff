// Suite: slow
import { describe, expect, it, vi } from "vitest";
import { AfterwordError } from "../../src/errors.ts";
import {
  freeAgain,
  gate,
  generous,
  holdTime,
  receive,
  request,
  silentReceiver,
  transport,
  upstream,
} from "../runtime/node/support.ts";
import { settled, turns } from "../fixtures/turns.ts";

const chunked = ["Transfer-Encoding", "chunked"];

describe("timeouts", () => {
  it("end a request whose answer does not begin", async () => {
    const to = await upstream({ handler: never });
    const answer = await receive(
      transport(),
      request(to, { timeouts: { ...generous, headers: 60 } }),
    );
    expect(answer.failure).toEqual({ kind: "timeout", detail: "headers timeout", sent: true });
    await to.idle();
  });

  it("end a request whose body stops", async () => {
    const to = await upstream({ handler: () => ({ headers: chunked, body: stuck("a") }) });
    const answer = await receive(transport(), request(to, { timeouts: { ...generous, idle: 60 } }));
    expect(answer).toMatchObject({
      status: 200,
      failure: { kind: "timeout", detail: "idle timeout" },
    });
    await to.idle();
  });

  it("end a request that never stops but takes too long", async () => {
    const to = await upstream({ handler: () => ({ headers: chunked, body: ticking() }) });
    const timeouts = { ...generous, idle: 5000, total: 120 };
    const answer = await receive(transport(), request(to, { timeouts }));
    expect(answer.failure).toEqual({ kind: "timeout", detail: "total timeout", sent: true });
    await to.idle();
  });

  it("end a connection that cannot be established, and nothing was sent", async () => {
    const to = await upstream({ onConnection: (socket) => socket.resume() });
    const silent = `https://127.0.0.1:${to.port}`;
    const timeouts = { ...generous, connect: 60 };
    const answer = await receive(transport(), request(silent, { timeouts }));
    expect(answer.failure).toMatchObject({ kind: "timeout", sent: false });
    await to.idle();
  });

  it("do not count against an upload that moves", async () => {
    const to = await upstream();
    const timeouts = { ...generous, headers: 200 };
    holdTime();
    const body = slowUpload();
    const answer = await receive(transport(), request(to, { method: "POST", body, timeouts }));
    expect(answer.failure).toBeNull();
  });

  it("do not count our own pause as the upstream's silence", async () => {
    const resumed = gate();
    const to = await upstream({
      handler: () => ({ headers: chunked, body: inTwoParts("a", resumed.opened, "bc") }),
    });
    const timeouts = { ...generous, idle: 50 };
    holdTime();
    const answer = await receive(transport(), request(to, { timeouts }), {
      head(stream) {
        stream.pause();
        setImmediate(() => {
          vi.advanceTimersByTime(200);
          stream.resume();
          resumed.open();
        });
      },
    });
    expect(answer).toMatchObject({ failure: null });
    expect(answer.body.toString()).toBe("abc");
  });
});

describe("a request that may have an effect", () => {
  it("is sent once when the upstream reads it and closes", async () => {
    const to = await upstream({ handler: () => ({ raw: "", close: true }) });
    const body = Buffer.from("order one pizza");
    const answer = await receive(transport(), request(to, { method: "POST", body }));
    expect(answer.failure).toMatchObject({ kind: "broken", sent: true });
    expect([to.requests.length, to.connections]).toEqual([1, 1]);
  });

  it("is sent once when a reused connection breaks", async () => {
    let answered = 0;
    const to = await upstream({
      handler: () => (answered++ === 0 ? { body: "{}" } : { raw: "", close: true }),
    });
    const over = transport();
    await receive(over, request(to));
    await freeAgain();
    const answer = await receive(over, request(to, { method: "POST", body: Buffer.from("x") }));
    expect(answer.failure).toMatchObject({ kind: "broken", sent: true });
    expect([to.requests.length, to.connections]).toEqual([2, 1]);
  });

  it("takes a fresh connection when the upstream has closed the idle one", async () => {
    const to = await upstream({ handler: () => ({ headers: [], body: "{}", close: true }) });
    const over = transport();
    for (let i = 0; i < 5; i++) {
      const answer = await receive(over, request(to, { method: "POST", body: Buffer.from("x") }));
      expect(answer.failure).toBeNull();
      await to.idle();
    }
    expect(to.requests).toHaveLength(5);
  });
});

describe("a broken upstream", () => {
  it.each([
    ["a body shorter than announced", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", 200],
    [
      "chunks without an end",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
      200,
    ],
    ["no HTTP at all", "SSH-2.0-OpenSSH_9\r\n", null],
    ["a head that is cut", "HTTP/1.1 200 OK\r\nContent-Le", null],
    [
      "an upgrade nobody asked for",
      "HTTP/1.1 101 Go\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
      null,
    ],
  ])("is reported when it sends %s", async (_name, raw, status) => {
    const to = await upstream({ handler: () => ({ raw, close: true }) });
    const answer = await receive(transport(), request(to));
    expect(answer).toMatchObject({ status, failure: { kind: "broken", sent: true } });
  });

  it("is unreachable when no server listens, and nothing was sent", async () => {
    const to = await upstream();
    await to.close();
    const answer = await receive(transport(), request(to.origin));
    expect(answer.failure).toEqual({ kind: "unreachable", detail: "ECONNREFUSED", sent: false });
  });

  it("is unreachable when its name is unknown", async () => {
    const answer = await receive(transport(), request("http://nowhere.invalid"));
    expect(answer.failure).toMatchObject({ kind: "unreachable", sent: false });
  });

  it("is unreachable by an origin that is none", async () => {
    for (const origin of ["", "ftp://a.example", "nonsense", "http://"]) {
      expect((await receive(transport(), request(origin))).failure).toMatchObject({
        kind: "refused",
      });
    }
  });
});

describe("cancelling a request", () => {
  it("closes the upstream's connection and calls nothing more", async () => {
    const begun = gate();
    const to = await upstream({ handler: () => ({ headers: chunked, body: stuck("a") }) });
    const after: string[] = [];
    let ended = false;
    const note = (name: string) => (): void => {
      if (ended) after.push(name);
    };
    const cancel = transport().send(request(to), {
      head: note("head"),
      data: () => begun.open(),
      end: note("end"),
      fail: note("fail"),
    });
    await begun.opened;
    ended = true;
    cancel();
    cancel();
    await to.idle();
    expect(after).toEqual([]);
  });

  it("writes nothing when it comes before the connection stands", async () => {
    const to = await upstream();
    const over = transport();
    over.send(request(to, { method: "POST", body: Buffer.from("x") }), silentReceiver())();
    await receive(over, request(to, { path: "/next" }));
    expect(to.requests.map(({ target }) => target)).toEqual(["/next"]);
  });

  it.each(["head", "data", "end"] as const)(
    "ends that one request when `%s` throws",
    async (name) => {
      const to = await upstream({ handler: () => ({ body: "abc" }) });
      const over = transport();
      const failures: unknown[] = [];
      const threw = gate();
      over.send(
        request(to),
        silentReceiver({
          fail: (error) => failures.push(error),
          [name]() {
            threw.open();
            throw new Error("a fault of ours");
          },
        }),
      );
      await threw.opened;
      expect((await receive(over, request(to))).failure).toBeNull();
      // After `end` nothing can fail.
      expect(failures).toHaveLength(name === "end" ? 0 : 1);
    },
  );

  it("reports our limits and a client that left as no fault of the upstream", async () => {
    const to = await upstream();
    const over = transport();
    const send = (code: "body-too-large" | "client-gone") =>
      receive(over, request(to, { method: "POST", body: failing(code) }));
    expect((await send("body-too-large")).failure).toMatchObject({ kind: "too-large" });
    expect((await send("client-gone")).failure).toMatchObject({ kind: "cancelled" });
    expect(to.requests.every(({ complete }) => !complete)).toBe(true);
  });

  it("closes what is under way when the transport closes", async () => {
    const to = await upstream({ handler: () => ({ headers: chunked, body: stuck("a") }) });
    const over = transport();
    const ended = receive(over, request(to), { data: () => over.close() });
    expect((await ended).failure).not.toBeNull();
    await to.idle();
  });
});

it("holds the upstream back while it is paused", async () => {
  const piece = Buffer.alloc(65_536, "x");
  const total = 600;
  let written = 0;
  const body = async function* (): AsyncGenerator<Uint8Array> {
    for (; written < total; written++) yield piece;
  };
  const to = await upstream({ handler: () => ({ headers: chunked, body: body() }) });
  let seen = 0;
  const answer = receive(transport(), request(to), {
    head(stream) {
      stream.pause();
      // A sender without back-pressure goes on until it has written all of it.
      void (async () => {
        seen = await settled(() => written);
        stream.resume();
      })();
    },
  });
  expect((await answer).body).toHaveLength(total * piece.length);
  expect(seen).toBeLessThan(total / 2);
});

async function* stuck(first: string): AsyncGenerator<string> {
  yield first;
  await new Promise(() => undefined);
}

async function* inTwoParts(
  first: string,
  then: Promise<void>,
  second: string,
): AsyncGenerator<string> {
  yield first;
  await then;
  yield second;
}

async function* ticking(): AsyncGenerator<string> {
  for (;;) {
    yield ".";
    await turns(1);
  }
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}

async function* slowUpload(): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < 8; i++) {
    await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(120);
    yield Buffer.from("x");
  }
}

async function* failing(code: "body-too-large" | "client-gone"): AsyncGenerator<Uint8Array> {
  yield Buffer.from("a");
  throw new AfterwordError(code, "while reading");
}
