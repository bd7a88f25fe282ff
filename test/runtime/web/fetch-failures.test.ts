import type { HeldAnswer } from "../../../src/http/types.ts";
import { createServer } from "node:net";
import { once } from "node:events";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createFetchTransport } from "../../../src/runtime/web/fetch-transport.ts";
import { exchange, holdTime, noTimeouts, request, upstream } from "./upstream.ts";

const transport = createFetchTransport();
const never = (): Promise<Response> => new Promise(() => {});

describe("timeouts", () => {
  test("an upstream that sends no head runs into connect + headers, and its connection is closed", async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const origin = await upstream((req) => void (closed = once(req.socket, "close")));
    const answer = await exchange(
      transport,
      request(origin, { timeouts: { ...noTimeouts, connect: 30, headers: 30 } }),
    );
    expect(answer.error).toEqual({ kind: "timeout", detail: "headers timeout", sent: true });
    expect(answer.calls).toEqual(["fail"]);
    await closed;
  });

  test("an upstream that falls silent in the body runs into idle", async () => {
    const origin = await upstream((_, res) => void res.write("begun"));
    const answer = await exchange(
      transport,
      request(origin, { timeouts: { ...noTimeouts, idle: 200 } }),
    );
    expect(answer.error).toMatchObject({ kind: "timeout", detail: "idle timeout" });
    expect(answer.calls).toEqual(["head", "data", "fail"]);
  });

  test("an upstream that never ends runs into total, however busy it is", async () => {
    const origin = await upstream((_, res) => {
      const timer = setInterval(() => res.write("more"), 5);
      res.on("close", () => clearInterval(timer));
    });
    const answer = await exchange(
      transport,
      request(origin, { timeouts: { ...noTimeouts, headers: 60_000, idle: 60_000, total: 80 } }),
    );
    expect(answer.error).toMatchObject({ kind: "timeout", detail: "total timeout" });
  });

  test("silence that our own pausing causes is not the upstream's", async () => {
    const origin = await upstream((_, res) => {
      res.write("one");
      res.end("two");
    });
    holdTime();
    const answer = await exchange(
      transport,
      request(origin, { timeouts: { ...noTimeouts, idle: 200 } }),
      {
        onHead(stream) {
          stream.pause();
          setImmediate(() => {
            vi.advanceTimersByTime(500);
            stream.resume();
          });
        },
      },
    );
    expect(answer.error).toBeNull();
    expect(answer.body.toString()).toBe("onetwo");
  });

  test("an upload that moves does not run into the headers timeout", async () => {
    const origin = await upstream((req, res) => {
      req.resume();
      req.on("end", () => res.end("done"));
    });
    holdTime();
    const answer = await exchange(
      transport,
      request(origin, {
        method: "POST",
        body: slow(),
        timeouts: { ...noTimeouts, headers: 400 },
      }),
    );
    expect(answer.error).toBeNull();
    expect(answer.body.toString()).toBe("done");
  });

  test("hold even when the fetch ignores its signal", async () => {
    const deaf = createFetchTransport({ fetch: never });
    const answer = await exchange(
      deaf,
      request("https://a.example", { timeouts: { ...noTimeouts, total: 20 } }),
    );
    expect(answer.error).toMatchObject({ kind: "timeout", detail: "total timeout" });
  });
});

describe("failures", () => {
  test("a closed port is unreachable, and nothing was sent", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    server.close();
    await once(server, "close");
    const answer = await exchange(transport, request(`http://127.0.0.1:${port}`));
    expect(answer.error).toEqual({ kind: "unreachable", detail: "ECONNREFUSED", sent: false });
  });

  // The message says this up to Deno 2.9, and that of the cause in later versions.
  test.each([
    "client error (Connect): tcp connect error: Connection refused (os error 111)",
    "client error (Connect): dns error: failed to lookup address information",
  ])("an upstream that Deno cannot connect to is unreachable: %s", async (reason) => {
    const told = `error sending request for url (http://a.example/): ${reason}`;
    for (const error of [
      new TypeError(told),
      new TypeError("fetch failed", { cause: Error(told) }),
    ]) {
      const deno = createFetchTransport({ fetch: () => Promise.reject(error) });
      const answer = await exchange(deno, request("http://a.example"));
      expect(answer.error).toEqual({ kind: "unreachable", detail: "TypeError", sent: false });
    }
    const late = new TypeError(told.replace("(Connect)", "(SendRequest)"));
    const deno = createFetchTransport({ fetch: () => Promise.reject(late) });
    const answer = await exchange(deno, request("http://a.example"));
    expect(answer.error).toEqual({ kind: "broken", detail: "TypeError", sent: true });
  });

  test("an upstream that hangs up before the head is broken, and may have read the request", async () => {
    const origin = await upstream((req) => req.socket.destroy());
    const answer = await exchange(
      transport,
      request(origin, { method: "POST", body: Buffer.from("x") }),
    );
    expect(answer.error).toMatchObject({ kind: "broken", sent: true });
    expect(answer.calls).toEqual(["fail"]);
  });

  test("an upstream that breaks off in the body is broken, after what came", async () => {
    const origin = await upstream((_, res) => {
      res.writeHead(200, { "Content-Length": "100" });
      res.write("begun", () => res.destroy());
    });
    const answer = await exchange(transport, request(origin));
    expect(answer.error).toMatchObject({ kind: "broken", sent: true });
    expect(answer.calls).toEqual(["head", "data", "fail"]);
    expect(answer.body.toString()).toBe("begun");
  });

  test("an upstream that speaks no HTTP is broken", async () => {
    const server = createServer((socket) => socket.end("SSH-2.0-what\r\n")).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const answer = await exchange(transport, request(`http://127.0.0.1:${port}`));
    expect(answer.error).toMatchObject({ kind: "broken" });
  });

  test.each([["GET"], ["HEAD"]])(
    "a body with %s, which fetch can't carry, fails unsent",
    async (method) => {
      const answer = await exchange(
        createFetchTransport({ fetch: never }),
        request("https://a.example", { method, body: Buffer.from("x") }),
      );
      expect(answer.error).toMatchObject({ kind: "broken", sent: false });
    },
  );

  test.each([["TRACE"], ["CONNECT"], ["no such"]])(
    "the method %s fails, and nothing is thrown",
    async (method) => {
      const answer = await exchange(transport, request("http://127.0.0.1:9", { method }));
      expect(answer.calls).toEqual(["fail"]);
    },
  );

  test("say nothing of the URL, the fields or the body", async () => {
    const leaky = createFetchTransport({
      fetch: () => Promise.reject(new TypeError("https://a.example/secret is bad")),
    });
    const answer = await exchange(leaky, request("https://a.example", { path: "/secret" }));
    expect(JSON.stringify(answer.error)).not.toContain("secret");
  });

  test("a receiver that throws loses its request and nothing else", async () => {
    const origin = await upstream((_, res) => res.end("body"));
    for (const at of ["head", "data", "end", "fail"] as const) {
      const trap = (name: string): void => {
        if (name === at || at === "fail") throw new Error("a fault of the receiver");
      };
      const failed = await new Promise((resolve) => {
        transport.send(request(origin), {
          head: () => trap("head"),
          data: () => trap("data"),
          end: () => trap("end"),
          fail(error) {
            resolve(error);
            trap("fail");
          },
        });
      });
      expect(failed).toMatchObject({ kind: "broken" });
    }
    expect((await exchange(transport, request(origin))).error).toBeNull();
  });
});

describe("cancelling", () => {
  test("closes the upstream's connection, and calls nothing more", async () => {
    const closed = Promise.withResolvers<unknown>();
    const origin = await upstream((req, res) => {
      void once(req.socket, "close").then(closed.resolve);
      res.write("begun");
    });
    const calls: string[] = [];
    const cancel = transport.send(request(origin), {
      head: () => void calls.push("head"),
      data() {
        calls.push("data");
        cancel();
        cancel();
      },
      end: () => void calls.push("end"),
      fail: () => void calls.push("fail"),
    });
    await closed.promise;
    expect(calls).toEqual(["head", "data"]);
  });

  test("before the head stops a fetch that answers all the same", async () => {
    let discarded = false;
    const body = new ReadableStream({ cancel: () => void (discarded = true) });
    const { promise, resolve } = Promise.withResolvers<Response>();
    const late = createFetchTransport({ fetch: () => promise });
    const calls: string[] = [];
    const cancel = late.send(request("https://a.example"), {
      head: () => void calls.push("head"),
      data: () => void calls.push("data"),
      end: () => void calls.push("end"),
      fail: () => void calls.push("fail"),
    });
    cancel();
    expect(calls).toEqual([]);
    resolve(new Response(body));
    await vi.waitFor(() => expect(discarded).toBe(true), 40_000);
    expect(calls).toEqual([]);
  });

  test("while paused lets go of the body", async () => {
    let discarded = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(Buffer.from("x")),
      cancel: () => void (discarded = true),
    });
    const flowing = createFetchTransport({ fetch: async () => new Response(body) });
    const calls: string[] = [];
    let held: HeldAnswer | null = null;
    const cancel = flowing.send(request("https://a.example"), {
      head(_status, _reason, _headers, stream) {
        held = stream;
      },
      data() {
        calls.push("data");
        held?.pause();
        setImmediate(cancel);
      },
      end: () => void calls.push("end"),
      fail: () => void calls.push("fail"),
    });
    await vi.waitFor(() => expect(discarded).toBe(true), 40_000);
    expect(calls).toEqual(["data"]);
  });

  test("after the end does nothing", async () => {
    const origin = await upstream((_, res) => res.end());
    const calls: string[] = [];
    await new Promise<void>((resolve) => {
      const cancel = transport.send(request(origin), {
        head: () => void calls.push("head"),
        data: () => void calls.push("data"),
        end() {
          calls.push("end");
          cancel();
          setImmediate(resolve);
        },
        fail: () => void calls.push("fail"),
      });
    });
    expect(calls).toEqual(["head", "end"]);
  });
});

async function* slow(): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < 6; i++) {
    await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(300);
    yield Buffer.from("piece");
  }
}
